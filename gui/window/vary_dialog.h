// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// "Vary this": a window of its own with cost, time, memory and emissions over one field.
#pragma once

#include "gui/view/display_locale.h"
#include "gui/view/form_view.h"
#include "pricing/report/catalogs.h"

#include <QWidget>

namespace outlay::gui {

struct VaryRequest {
    const core::Experiment& experiment;
    const FormField& field; // numeric, with a range
    const pricing::Catalogs& catalogs;
};

/// Shows it beside `window`, which stays free.
void showVaryDialog(const VaryRequest& request, const DisplayLocale& locale, QWidget& window);

} // namespace outlay::gui
