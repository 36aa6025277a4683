// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Why the bills moved: each as a waterfall from what it was to what it is.
#pragma once

#include "gui/view/chart_model.h"
#include "pricing/report/compare/change.h"

namespace outlay::gui {

struct BillView {
    QString sentence;     // "A training run: $0.22 instead of $0.18 (+22 %)"
    ChartModel waterfall; // empty where nothing moved it
    TableData steps;      // with what was behind each

    bool operator==(const BillView&) const = default;
};

struct ChangeView {
    QString settings; // "Training: Batch 32 → 64"
    std::vector<BillView> bills;

    bool operator==(const ChangeView&) const = default;
};

[[nodiscard]] ChangeView makeChangeView(const pricing::Compared& before,
                                        const pricing::Compared& after,
                                        const pricing::Catalogs& catalogs,
                                        const DisplayLocale& locale);

} // namespace outlay::gui
