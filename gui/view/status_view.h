// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The status line: what the figures rest on, with its age.
#pragma once

#include "gui/view/display_locale.h"
#include "pricing/report/report.h"

#include <QString>

namespace outlay::gui {

[[nodiscard]] QString makeStatusText(const pricing::Report& report, const DisplayLocale& locale);

} // namespace outlay::gui
