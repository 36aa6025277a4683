// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the design takes, beside references for its class.
#pragma once

#include "gui/view/chart_model.h"
#include "gui/view/display_locale.h"
#include "pricing/report/report.h"

namespace outlay::gui {

struct ResourcesView {
    QString verdict;
    ChartModel chart;
    QString sources; // of the references

    bool operator==(const ResourcesView&) const = default;
};

[[nodiscard]] ResourcesView makeResourcesView(const pricing::Report& report,
                                              const DisplayLocale& locale);

} // namespace outlay::gui
