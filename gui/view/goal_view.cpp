// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/goal_view.h"

#include "gui/view/format.h"
#include "gui/view/setting_text.h"

#include <QStringList>

namespace outlay::gui {
namespace {

/// "With what may be changed this can't be had: the deadline."
QString brokenGoals(const pricing::GoalProposal& proposal, const pricing::Report& report)
{
    if (pricing::brokenPromises(report, proposal.purpose) == 0)
        return {};
    QStringList broken;
    const auto say = [&](bool is, const QString& what) {
        if (is)
            broken.append(what);
    };
    const auto& training = report.training.recommended.chosen;
    const auto& serving = report.serving.recommended.chosen;
    if (proposal.purpose != pricing::Purpose::Serve) {
        say(!training, QStringLiteral("a place to train"));
        say(training && !training->meetsDeadline, QStringLiteral("the deadline"));
        say(training && !training->isWithinBudget, QStringLiteral("the budget"));
    }
    if (proposal.asked.serving.requestsPerDay > 0) {
        say(!serving && report.serving.by == pricing::ServedBy::Machines,
            QStringLiteral("a place to serve"));
        say(report.serving.by != pricing::ServedBy::Machines ||
                (serving && !serving->meetsDeadline),
            QStringLiteral("the latency"));
    }
    if (broken.isEmpty())
        broken.append(QStringLiteral("a machine that is known to hold it"));
    return QStringLiteral(
               "With what may be changed this can't be had: %1. Allow more, or raise the "
               "limit.")
        .arg(broken.join(QStringLiteral(", ")));
}

} // namespace

GoalView makeGoalView(const pricing::GoalProposal& proposal, const pricing::Report& report,
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
