// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/efficiency_view.h"

#include "gui/view/format.h"

#include <algorithm>

namespace outlay::gui {
namespace {

using core::Quantity;
using pricing::EfficiencyPart;

QString titleOf(std::string_view name)
{
    QString title = toQString(name);
    if (!title.isEmpty())
        title[0] = title[0].toUpper();
    return title;
}

ScoreView scoreOf(const QString& name, const Quantity& score, const DisplayLocale& locale)
{
    ScoreView view{.name = name, .text = QStringLiteral("–")};
    if (!score.isAvailable()) {
        // What does it on the command line is in the tooltip.
        view.remedy = reasonText(score).section(QStringLiteral("; "), 0, 0);
        return view;
    }
    view.score = std::clamp(score.value(), 0.0, 100.0);
    view.text = countText(score.value(), locale);
    view.low = std::clamp(score.low(), 0.0, *view.score);
    view.high = std::clamp(score.high(), *view.score, 100.0);
    // Half a point is less than the figure beside shows.
    if (view.high - view.low >= 0.5)
        view.range = QStringLiteral("%1 to %2")
                         .arg(countText(view.low, locale), countText(view.high, locale));
    return view;
}

/// "in Stockholm": where it has the score; anything else is with what.
bool isPlace(const QString& remedy)
{
    return remedy.startsWith(QStringLiteral("in "));
}

/// What to do, and what the part then has.
QString remedyOf(const EfficiencyPart& part, const DisplayLocale& locale)
{
    const QString remedy = toQString(part.remedy);
    if (remedy.isEmpty())
        return remedy;
    if (!part.with.isAvailable())
        return (isPlace(remedy) ? QStringLiteral("run ") : QStringLiteral("try ")) + remedy;
    if (isPlace(remedy))
        return countText(part.with.value(), locale) + QLatin1Char(' ') + remedy;
    return QStringLiteral("%1 with %2").arg(countText(part.with.value(), locale), remedy);
}

ScoreView partOf(const EfficiencyPart& part, const DisplayLocale& locale)
{
    ScoreView view = scoreOf(titleOf(part.name), part.score, locale);
    view.why = toQString(part.why);
    if (view.score)
        view.remedy = remedyOf(part, locale);
    return view;
}

/// The part whose remedy raises the whole score most.
const EfficiencyPart* weakestOf(const std::vector<EfficiencyPart>& parts)
{
    const EfficiencyPart* weakest = nullptr;
    const auto lost = [](const EfficiencyPart& part) {
        constexpr double Full = 100; // where nobody can say how much of it
        return part.weight *
               ((part.with.isAvailable() ? part.with.value() : Full) - part.score.value());
    };
    for (const EfficiencyPart& part : parts) {
        const bool isCandidate = part.score.isAvailable() && !part.remedy.empty();
        if (isCandidate && (weakest == nullptr || lost(part) > lost(*weakest)))
            weakest = &part;
    }
    return weakest;
}

QString bandTitle(std::string_view band)
{
    return titleOf(band).replace(QLatin1Char('-'), QLatin1Char(' '));
}

QString verdictOf(const pricing::EfficiencyReport& efficiency)
{
    if (!efficiency.score.isAvailable())
        return QStringLiteral("Unavailable: ") + reasonText(efficiency.score);
    const EfficiencyPart* weakest = weakestOf(efficiency.parts);
    if (weakest == nullptr)
        return bandTitle(efficiency.band);
    const QString remedy = toQString(weakest->remedy);
    return QStringLiteral("%1; next: %2 %3")
        .arg(bandTitle(efficiency.band),
             isPlace(remedy) ? QStringLiteral("run") : QStringLiteral("try"), remedy);
}

std::vector<TableCell> cellsOf(const ScoreView& score)
{
    return {{score.name},
            {score.text, score.score},
            {score.range, score.range.isEmpty() ? std::nullopt : std::optional(score.low)},
            {score.remedy, std::nullopt, score.why}};
}

} // namespace

EfficiencyView makeEfficiencyView(const pricing::Report& report, const pricing::Report* baseline,
                                  const DisplayLocale& locale)
{
    const pricing::EfficiencyReport& efficiency = report.efficiency;
    EfficiencyView view;
    view.verdict = verdictOf(efficiency);
    view.whole = scoreOf(QStringLiteral("Efficiency"), efficiency.score, locale);
    view.whole.remedy = view.verdict;
    view.figure =
        makeFigureView(QStringLiteral("Score of 100"), efficiency.score,
                       baseline == nullptr ? nullptr : &baseline->efficiency.score, locale);
    // Points, whatever unit the figure carries.
    view.figure.value = view.whole.text;
    if (view.whole.score)
        view.figure.detail = view.whole.range;
    for (const EfficiencyPart& part : efficiency.parts)
        view.parts.push_back(partOf(part, locale));
    view.table.columns = {{QStringLiteral("Part"), false},
                          {QStringLiteral("Of 100"), true},
                          {QStringLiteral("80 % interval"), true},
                          {QStringLiteral("What to do"), false}};
    view.table.rows.push_back(cellsOf(view.whole));
    for (const ScoreView& part : view.parts)
        view.table.rows.push_back(cellsOf(part));
    view.description = QStringLiteral("%1 of 100; %2").arg(view.whole.text, view.verdict);
    return view;
}

} // namespace outlay::gui
