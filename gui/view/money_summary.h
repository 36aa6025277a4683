// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The second half of the page of text: offers, the month, carbon, efficiency, advice.
#pragma once

#include "gui/view/text_table.h"
#include "pricing/report/report.h"

#include <QLocale>

namespace outlay::gui {

/// Name, value, basis, interval, and where it comes from: a row of `figureTable()`.
[[nodiscard]] QStringList figureCells(const QString& name, const core::Quantity& figure,
                                      const QLocale& locale);
[[nodiscard]] TextTable figureTable();

[[nodiscard]] QString makeMoneySummary(const pricing::Report& report,
                                       const pricing::Catalogs& catalogs, const QLocale& locale);

} // namespace outlay::gui
