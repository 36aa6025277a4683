// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/goal_view.h"

#include "gui/view/format.h"
#include "gui/view/setting_text.h"

#include <QStringList>

namespace outlay::gui {
namespace {

/// "The deadline can't be kept with what may be changed."
QString brokenGoals(const pricing::Proposal& proposal, const pricing::Report& report)
{
    QStringList broken;
    const core::Experiment& asked = proposal.asked;
    const auto look = [&](const pricing::Recommendation& recommended, const QString& time,
                          const QString& place) {
        if (!recommended.chosen) {
            broken.append(place);
            return;
        }
        if (!recommended.chosen->meetsDeadline)
            broken.append(time);
        if (!recommended.chosen->isWithinBudget)
            broken.append(QStringLiteral("the budget"));
    };
    if (asked.training.runsPerMonth > 0)
        look(report.training.recommended, QStringLiteral("the deadline"),
             QStringLiteral("a place to train"));
    if (asked.serving.requestsPerDay > 0)
        look(report.serving.recommended, QStringLiteral("the latency"),
             QStringLiteral("a place to serve"));
    return broken.isEmpty()
               ? QString()
               : QStringLiteral("With what may be changed this can't be had: %1. Allow "
                                "more, or raise the limit.")
                     .arg(broken.join(QStringLiteral(", ")));
}

} // namespace

GoalView makeGoalView(const pricing::Proposal& proposal, const pricing::Report& report,
                      const DisplayLocale& locale)
{
    constexpr std::size_t All = 8;
    GoalView view;
    view.verdict = makeVerdictView(report, locale).sentence;
    view.note = brokenGoals(proposal, report);
    std::vector<bool> wanted(proposal.changes.size(), false);
    for (std::size_t i = 0; i < proposal.changes.size(); ++i) {
        wanted[i] = true;
        view.rows.push_back(
            {differenceText(proposal.asked, pricing::with(proposal, wanted), All, locale),
             toQString(proposal.changes[i].why)});
        wanted[i] = false;
    }
    if (view.rows.empty() && view.note.isEmpty())
        view.note = QStringLiteral("Nothing that may be changed makes it cheaper.");
    return view;
}

} // namespace outlay::gui
