// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Every layer with its parameters, work, bytes and activations.
#pragma once

#include "gui/view/table_data.h"
#include "pricing/report/report.h"

#include <QLocale>

namespace outlay::gui {

struct LayersView {
    QString summary;
    TableData table;

    bool operator==(const LayersView&) const = default;
};

[[nodiscard]] LayersView makeLayersView(const pricing::Report& report, const QLocale& locale);

} // namespace outlay::gui
