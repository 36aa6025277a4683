// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The Report as a page of text.
#pragma once

#include "pricing/report/report.h"

#include <QLocale>
#include <QString>

namespace outlay::gui {

/// What it is, what it takes, what it costs, what would make it cheaper.
[[nodiscard]] QString makeSummary(const pricing::Report& report, const pricing::Catalogs& catalogs,
                                  const QLocale& locale);

} // namespace outlay::gui
