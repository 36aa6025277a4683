// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The Report as a page of text: what `outlay estimate` prints.
#pragma once

#include "pricing/report/report.h"

#include <QLocale>
#include <QString>

namespace outlay::gui {

[[nodiscard]] QString makeSummary(const pricing::Report& report, const QLocale& locale);

} // namespace outlay::gui
