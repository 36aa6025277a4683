// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pricing/report/compare/budget.h"

#include <QString>

namespace outlay::gui {

/// "exceeded     /training/here_usd: 0.06 USD, max 0.05".
[[nodiscard]] QString makeLimitLine(const pricing::LimitOutcome& outcome);

} // namespace outlay::gui
