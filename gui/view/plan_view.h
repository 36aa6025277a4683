// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The month and what surrounds it, as tables: items, environments, providers, alerts, risks.
#pragma once

#include "gui/view/display_locale.h"
#include "gui/view/environment_view.h"
#include "gui/view/table_data.h"
#include "pricing/report/report.h"

namespace outlay::gui {

struct PlanTable {
    QString id; // of its widget
    QString title;
    QString empty; // why it has no rows
    TableData table;

    bool operator==(const PlanTable&) const = default;
};

struct PlanView {
    QString verdict;
    std::vector<PlanTable> tables;
    std::vector<EnvironmentView> environments;

    bool operator==(const PlanView&) const = default;
};

/// The split with another share for the provider of that row; none at all where nothing is left.
[[nodiscard]] core::Json splitPatch(const core::Plan& plan, std::size_t row, double percent);

[[nodiscard]] PlanView makePlanView(const pricing::Report& report, const DisplayLocale& locale);

} // namespace outlay::gui
