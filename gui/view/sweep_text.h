// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pricing/report/compare/sweep_table.h"

#include <QLocale>
#include <QString>

namespace outlay::gui {

/// A line for each point; figures that no point has are named below instead of filling columns.
[[nodiscard]] QString makeSweepText(const pricing::SweepTable& table, const QLocale& locale);

} // namespace outlay::gui
