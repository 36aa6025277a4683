// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// "Why it changed": a window of its own that follows the document.
#pragma once

#include "gui/session/document.h"
#include "gui/view/display_locale.h"

#include <QWidget>

namespace outlay::gui {

/// Shows it beside `window`, which stays free.
void showChangeDialog(const Document& document, const DisplayLocale& locale, QWidget& window);

} // namespace outlay::gui
