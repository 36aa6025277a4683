// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// "Vary this": a window of its own with cost, time, memory and emissions over one field, whose values can be measured,
// here or on another machine.
#pragma once

#include "gui/session/sessions.h"
#include "gui/view/display_locale.h"
#include "gui/view/form_view.h"

#include <QWidget>

namespace outlay::gui {

struct VaryRequest {
    const FormField& field; // numeric, with a range
    const Sessions& sessions;
};

/// Shows it beside `window`, which stays free.
void showVaryDialog(const VaryRequest& request, const DisplayLocale& locale, QWidget& window);

} // namespace outlay::gui
