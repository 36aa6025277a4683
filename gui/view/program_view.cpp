// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/program_view.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"

#include <algorithm>
#include <cmath>

namespace outlay::gui {
namespace {

using core::ProgramMoment;

constexpr std::size_t MostMoments = 600;
constexpr qsizetype OutputKept = 4096;
constexpr std::size_t LinesShown = 6;

QString secondsText(double seconds, const DisplayLocale& locale)
{
    return headlineText(seconds, core::Unit::Seconds, locale);
}

QString stepCountText(double steps, const DisplayLocale& locale)
{
    return locale.toString(qlonglong(steps));
}

QString partOfTime(const std::optional<double>& share, const DisplayLocale& locale)
{
    return share ? partText(core::PerCent * *share, locale) + QStringLiteral(" %")
                 : QStringLiteral("–");
}

/// How much of what was asked for is done; nothing where nobody knows.
std::optional<double> shareDone(const ProgramRequest& asked, const ProgramMoment& now)
{
    if (asked.isWhole)
        return now.wholeS && *now.wholeS > 0 ? std::optional(now.seconds / *now.wholeS)
                                             : std::nullopt;
    if (asked.steps)
        return now.doneSteps ? std::optional(*now.doneSteps / *asked.steps) : std::nullopt;
    return now.seconds / asked.seconds;
}

QString phaseOf(const LiveProgram& live, const DisplayLocale& locale)
{
    const ProgramMoment* now = live.now();
    if (now == nullptr)
        return QStringLiteral("Starting `%1`…").arg(commandText(live.request()));
    QString text = secondsText(now->seconds, locale);
    if (now->doneSteps)
        text +=
            QStringLiteral(", %1%2 steps")
                .arg(stepCountText(*now->doneSteps, locale),
                     now->ofSteps ? QStringLiteral(" of ") + stepCountText(*now->ofSteps, locale)
                                  : QString());
    else
        text += QStringLiteral(", too few steps seen yet");
    const bool isEnding = now->isEnding || live.isStopping();
    return isEnding ? QStringLiteral("Ending it as by Ctrl+C… ") + text
                    : QStringLiteral("Running `%1`: ").arg(commandText(live.request())) + text;
}

void addRow(TableData& table, const QString& name, const QString& value, const QString& note)
{
    table.rows.push_back({{name}, {value}, {note}});
}

void addSteps(TableData& table, const ProgramMoment& now, const DisplayLocale& locale)
{
    const QString none = QStringLiteral("–");
    if (!now.doneSteps || !now.stepS || !now.stepLowS || !now.stepHighS) {
        addRow(table, QStringLiteral("Step, mean"), none,
               QStringLiteral("unavailable: too few steps were seen yet"));
        return;
    }
    addRow(table, QStringLiteral("Steps done"), stepCountText(*now.doneSteps, locale),
           (now.ofSteps ? QStringLiteral("of %1, ").arg(stepCountText(*now.ofSteps, locale))
                        : QString()) +
               QStringLiteral("told by %1").arg(toQString(now.source)));
    const bool isGuess =
        now.source == core::StepSourceNames.at(static_cast<std::size_t>(core::StepSource::Load));
    addRow(table, QStringLiteral("Step, mean"), secondsText(*now.stepS, locale),
           isGuess ? QStringLiteral("a guess: what repeats may be half of one, or two")
                   : QStringLiteral("measured; median %1 to %2 in 80 of 100 cases, %3")
                         .arg(secondsText(*now.stepLowS, locale),
                              secondsText(*now.stepHighS, locale), toQString(now.verdict)));
    if (now.wholeS && now.lowS && now.highS)
        addRow(table, QStringLiteral("Whole run"), secondsText(*now.wholeS, locale),
               (isGuess ? QStringLiteral("a guess; %1 to %2")
                        : QStringLiteral("forecast; %1 to %2 in 80 of 100 cases"))
                   .arg(secondsText(*now.lowS, locale), secondsText(*now.highS, locale)));
    else
        addRow(table, QStringLiteral("Whole run"), none,
               QStringLiteral("unavailable: nothing says how many steps it has"));
    if (now.pauses > 0)
        addRow(table, QStringLiteral("Between steps"), secondsText(now.pausedS, locale),
               QStringLiteral("measured, in %1: validation, saving and the like")
                   .arg(now.pauses == 1 ? QStringLiteral("one pause")
                                        : QStringLiteral("%1 pauses").arg(now.pauses)));
}

void addUse(TableData& table, const ProgramMoment& now, const DisplayLocale& locale)
{
    const bool isSeen = now.processes > 0 && now.seconds > 0;
    const QString unseen = QStringLiteral("unavailable: it wasn't looked at yet");
    addRow(table, QStringLiteral("No core at work"), partOfTime(now.idleShare, locale),
           !now.idleShare ? unseen
           : now.accelerator.empty()
               ? QStringLiteral("of its time, measured: it waits for data or the network")
               : QStringLiteral("of its time, measured: it waits for data or for %1")
                     .arg(toQString(now.accelerator)));
    addRow(table, QStringLiteral("Waiting for a core"), partOfTime(now.waitingShare, locale),
           now.waitingShare
               ? QStringLiteral("of the time in which it could run, measured: others take them")
               : unseen);
    addRow(table, QStringLiteral("Cores at work"),
           isSeen ? locale.toString(now.processorS / now.seconds, 'f', 2) : QStringLiteral("–"),
           isSeen ? QStringLiteral("on average, measured") : unseen);
    addRow(table, QStringLiteral("Memory, peak"),
           isSeen ? scaledText(now.peakBytes, u"B", locale) : QStringLiteral("–"),
           !isSeen
               ? unseen
               : QStringLiteral("measured, in %1")
                     .arg(now.processes == 1 ? QStringLiteral("one process")
                                             : QStringLiteral("%1 processes").arg(now.processes)));
}

TableData figuresOf(const LiveProgram& live, const DisplayLocale& locale)
{
    TableData table;
    table.columns = {{QStringLiteral("Figure"), false},
                     {QStringLiteral("Value"), true},
                     {QStringLiteral("Of what"), false}};
    if (const ProgramMoment* now = live.now()) {
        addSteps(table, *now, locale);
        addUse(table, *now, locale);
    }
    return table;
}

/// Between each two moments in which steps were done.
ChartModel stepTimes(const std::vector<ProgramMoment>& moments, const DisplayLocale& locale)
{
    constexpr double Ms = 1000;
    ChartModel chart;
    chart.kind = ChartModel::Kind::Lines;
    chart.title = QStringLiteral("Time of a step, live");
    chart.subtitle = QStringLiteral("Measured, pauses included; flat is steady, lower is better");
    chart.empty = QStringLiteral("The first steps will show here.");
    ChartSeries series{QStringLiteral("Step"), 0, {}};
    const ProgramMoment* last = nullptr;
    double highest = 0;
    for (const ProgramMoment& moment : moments) {
        if (!moment.doneSteps || (last != nullptr && *moment.doneSteps <= *last->doneSteps))
            continue;
        if (last != nullptr) {
            const double each =
                Ms * (moment.seconds - last->seconds) / (*moment.doneSteps - *last->doneSteps);
            series.points.push_back({.x = moment.seconds, .y = each});
            highest = std::max(highest, each);
        }
        last = &moment;
    }
    chart.x = axisFromZero(moments.empty() ? 1 : moments.back().seconds,
                           QStringLiteral("Time since its start, s"));
    chart.y = axisFromZero(highest, QStringLiteral("Time of a step, ms"));
    if (!series.points.empty())
        chart.description = QStringLiteral("A step takes %1 now")
                                .arg(secondsText(series.points.back().y / Ms, locale));
    chart.series.push_back(std::move(series));
    return chart;
}

ChartModel wholeRuns(const std::vector<ProgramMoment>& moments, const DisplayLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::Lines;
    chart.title = QStringLiteral("Forecast of the whole run, live");
    chart.subtitle = QStringLiteral("With where it lies in 80 of 100 cases");
    chart.empty = QStringLiteral("Shown once enough steps are seen and their number is known.");
    double highest = 0;
    for (const ProgramMoment& moment : moments)
        highest = std::max(highest, moment.wholeS ? moment.highS.value_or(*moment.wholeS) : 0);
    const bool areHours = highest > 2 * core::SecondsPerHour;
    const bool areMinutes = !areHours && highest > 2 * core::SecondsPerMinute;
    const double unit = areHours ? core::SecondsPerHour : areMinutes ? core::SecondsPerMinute : 1;
    ChartSeries series{QStringLiteral("Whole run"), 0, {}};
    for (const ProgramMoment& moment : moments) {
        if (moment.wholeS && moment.lowS && moment.highS)
            series.points.push_back({.x = moment.seconds,
                                     .y = *moment.wholeS / unit,
                                     .low = *moment.lowS / unit,
                                     .high = *moment.highS / unit});
    }
    chart.x = axisFromZero(moments.empty() ? 1 : moments.back().seconds,
                           QStringLiteral("Time since its start, s"));
    chart.y = axisFromZero(highest / unit, areHours     ? QStringLiteral("Whole run, h")
                                           : areMinutes ? QStringLiteral("Whole run, min")
                                                        : QStringLiteral("Whole run, s"));
    if (!series.points.empty())
        chart.description = QStringLiteral("The whole run is forecast to take %1")
                                .arg(secondsText(unit * series.points.back().y, locale));
    chart.series.push_back(std::move(series));
    return chart;
}

/// Bars are written over: of each the last is a line.
QString lastLines(const QString& output)
{
    std::vector<QString> lines;
    for (const QString& line : output.split(QLatin1Char('\n'))) {
        QString last;
        for (const QString& written : line.split(QLatin1Char('\r'))) {
            if (!written.trimmed().isEmpty())
                last = written;
        }
        if (!last.isEmpty())
            lines.push_back(toQString(core::printable(last.toStdString(), 160)));
    }
    const std::size_t skipped = lines.size() - std::min(lines.size(), LinesShown);
    QString text;
    for (std::size_t i = skipped; i < lines.size(); ++i)
        text += (text.isEmpty() ? QString() : QStringLiteral("\n")) + lines[i];
    return text;
}

} // namespace

void LiveProgram::add(const ProgramMoment& moment)
{
    m_now = moment;
    if (!m_moments.empty() && moment.seconds < m_moments.back().seconds + m_everyS)
        return;
    m_moments.push_back(moment);
    if (m_moments.size() < MostMoments)
        return;
    std::vector<ProgramMoment> half;
    for (std::size_t i = 0; i < m_moments.size(); i += 2)
        half.push_back(m_moments[i]);
    m_everyS = 2 * moment.seconds / static_cast<double>(m_moments.size());
    m_moments = std::move(half);
}

void LiveProgram::print(const QString& text)
{
    m_output += text;
    m_output = m_output.right(OutputKept);
}

QString commandText(const ProgramRequest& request)
{
    QString text;
    for (const QString& word : request.command)
        text += (text.isEmpty() ? QString() : QStringLiteral(" ")) + word;
    constexpr qsizetype Longest = 60;
    return text.size() <= Longest ? text.simplified()
                                  : text.left(Longest).simplified() + QStringLiteral("…");
}

LiveProgramView makeLiveProgramView(const LiveProgram& live, const DisplayLocale& locale)
{
    constexpr double Permille = 1000;
    LiveProgramView view;
    view.phase = phaseOf(live, locale);
    if (const ProgramMoment* now = live.now()) {
        if (const auto share = shareDone(live.request(), *now))
            view.donePermille = static_cast<int>(Permille * std::clamp(*share, 0.0, 1.0));
    }
    view.figures = figuresOf(live, locale);
    view.steps = stepTimes(live.moments(), locale);
    view.whole = wholeRuns(live.moments(), locale);
    view.output = lastLines(live.output());
    return view;
}

} // namespace outlay::gui
