// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What to change: priority against effort, and the list of changes.
#pragma once

#include "core/base/json.h"
#include "gui/view/chart_model.h"
#include "gui/view/display_locale.h"
#include "pricing/report/report.h"

#include <optional>

namespace outlay::gui {

struct AdviceItem {
    QString number; // of its bubble
    QString title;
    QString parts;    // the title, of which the first part may stand alone
    QString category; // "Training"
    QString saving;
    QString share; // "84 % cost": the largest part that it saves of anything; may be empty
    QString why;
    QString copied;                         // the code of one language, as a program takes it
    QString code;                           // C++ and Python where the advice has them
    core::Json patch = core::Json::array(); // empty where no setting makes the change
    bool matters = false;                   // of more than low priority
    bool changesTraining = false;           // how the design is trained, not where

    [[nodiscard]] bool canBeApplied() const
    {
        return patch.asArray() != nullptr && !patch.asArray()->empty();
    }

    bool operator==(const AdviceItem&) const = default;
};

struct AdviceView {
    QString verdict;
    bool isOld = false; // of the design before
    ChartModel chart;
    std::vector<AdviceItem> items; // first what matters most for the least effort

    bool operator==(const AdviceView&) const = default;
};

/// The first of them that neither may cost quality nor binds, without the chart; nothing where there is none, or it is
/// old.
[[nodiscard]] std::optional<AdviceItem> firstAdvice(const pricing::Report& report,
                                                    const DisplayLocale& locale);

[[nodiscard]] AdviceView makeAdviceView(const pricing::Report& report, const DisplayLocale& locale);

} // namespace outlay::gui
