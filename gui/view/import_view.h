// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What of a price file would come into the book, and what is left out and why.
#pragma once

#include "gui/view/table_data.h"
#include "pricing/import/import.h"

#include <QLocale>

namespace outlay::gui {

struct ImportView {
    QString summary;    // "SkyPilot catalog: 3,027 of 3,058 rows, 2,168 offers: 2,100 new, ..."
    QString caution;    // what makes its prices doubtful; empty where nothing does
    TableData arrivals; // what comes in, by provider
    TableData leftOut;

    bool operator==(const ImportView&) const = default;
};

[[nodiscard]] ImportView makeImportView(const pricing::PriceImport& import,
                                        const pricing::MergeCounts& counts, const QLocale& locale);

} // namespace outlay::gui
