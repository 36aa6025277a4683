// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The words around a picture of the dashboard: it has to stand for itself.
#pragma once

#include "pricing/report/report.h"

#include <QLocale>
#include <QString>

namespace outlay::gui {

struct PictureView {
    QString title;
    QString subtitle;
    QString assumptions;
    QString provenance;

    bool operator==(const PictureView&) const = default;
};

[[nodiscard]] PictureView makePictureView(const pricing::Report& report, const QLocale& locale);

} // namespace outlay::gui
