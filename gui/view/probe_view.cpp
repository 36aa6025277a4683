// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/probe_view.h"

#include "core/base/units.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/measurement_text.h"
#include "gui/view/rate_charts.h"
#include "gui/view/variants_view.h"

#include <algorithm>
#include <cmath>

namespace outlay::gui {
namespace {

using core::Measurement;

constexpr std::size_t MostPoints = 2000;

/// Samples a second over the steps: one point a step, thinned to the slowest and the fastest.
std::vector<ChartPoint> throughputPoints(const std::vector<double>& seconds, double samplesPerStep)
{
    std::vector<ChartPoint> points;
    const std::size_t bucket = std::max<std::size_t>(1, 2 * seconds.size() / MostPoints);
    for (std::size_t i = 0; i < seconds.size(); i += bucket) {
        const auto begin = seconds.begin() + static_cast<std::ptrdiff_t>(i);
        const auto end =
            seconds.begin() + static_cast<std::ptrdiff_t>(std::min(i + bucket, seconds.size()));
        const auto [fast, slow] = std::minmax_element(begin, end);
        const auto x = static_cast<double>(i + 1);
        points.push_back({.x = x, .y = samplesPerStep / *slow});
        if (bucket > 1)
            points.push_back({.x = x, .y = samplesPerStep / *fast});
    }
    return points;
}

double highestOf(const std::vector<ChartPoint>& points)
{
    double highest = 0;
    for (const ChartPoint& point : points)
        highest = std::max(highest, point.high.value_or(point.y));
    return highest;
}

QString latencyText(double ms, const QLocale& locale)
{
    return headlineText(ms, core::Unit::Milliseconds, locale);
}

void addFigure(TableData& table, const QString& name, const QString& value, const QString& note)
{
    table.rows.push_back({{name}, {value}, {note}});
}

QString verdictText(core::Verdict verdict)
{
    return verdict == core::Verdict::TooFew ? QStringLiteral("too few steps to trust")
                                            : toQString(core::name(verdict));
}

/// " (what to do)", where something is to be done.
QString remedyText(core::Verdict verdict)
{
    const std::string_view what = core::remedy(verdict);
    return what.empty() ? QString() : QStringLiteral(" (") + toQString(what) + QLatin1Char(')');
}

/// "2026-11-20T17:16:53Z" -> "2026-11-20 17:16 UTC".
QString timeText(const std::string& utc)
{
    constexpr qsizetype ToMinutes = 16;
    QString text = toQString(utc).left(ToMinutes);
    return text.replace(QLatin1Char('T'), QLatin1Char(' ')) + QStringLiteral(" UTC");
}

/// A person's own program, and what it takes from its begin to its end.
void addProgram(TableData& table, const core::ProgramMeasurement& p, const QLocale& locale)
{
    const auto time = [&](double seconds) {
        return headlineText(seconds, core::Unit::Seconds, locale);
    };
    const auto steps = [&](double count) { return locale.toString(qlonglong(count)); };
    QString pauses = QStringLiteral("%1 before the first step").arg(time(p.startS));
    if (p.pauses > 0)
        pauses +=
            QStringLiteral(", %1 in %2")
                .arg(time(p.pausedS), p.pauses == 1 ? QStringLiteral("one pause")
                                                    : QStringLiteral("%1 pauses").arg(p.pauses));
    const QString seen = QStringLiteral("%1 steps seen by %2 in %3; ")
                             .arg(steps(p.doneSteps), toQString(p.source), time(p.seconds));
    if (p.wholeS && p.lowS && p.highS && !p.isWhole)
        addFigure(
            table, QStringLiteral("Whole run"), time(*p.wholeS),
            seen +
                QStringLiteral("%1 to %2 in 80 of 100 cases; ").arg(time(*p.lowS), time(*p.highS)) +
                pauses);
    else
        addFigure(table, QStringLiteral("Whole run"),
                  p.wholeS ? time(*p.wholeS) : QStringLiteral("–"),
                  seen +
                      (p.wholeS ? QString()
                                : QStringLiteral("unavailable: nothing says how many steps it "
                                                 "has; ")) +
                      pauses);
    addFigure(table, QStringLiteral("Memory of the program, peak"),
              scaledText(p.peakBytes, u"B", locale),
              QStringLiteral("in %1, libraries included")
                  .arg(p.processes == 1 ? QStringLiteral("one process")
                                        : QStringLiteral("%1 processes").arg(p.processes)));
    addFigure(table, QStringLiteral("Cores at work"),
              locale.toString(p.processorS / p.seconds, 'f', 2),
              QStringLiteral("on average; %1 threads at most").arg(qlonglong{p.threads}) +
                  (p.idleShare ? QStringLiteral("; none of them for %1 % of its time")
                                     .arg(partText(core::PerCent * *p.idleShare, locale))
                               : QString()));
    if (p.readBytes && p.writtenBytes)
        addFigure(
            table, QStringLiteral("Disk"), scaledText(*p.readBytes, u"B", locale),
            QStringLiteral("read; %1 written").arg(scaledText(*p.writtenBytes, u"B", locale)));
}

void addTraining(TableData& table, const pricing::ProbeReport& probe, const QLocale& locale)
{
    constexpr double Ms = 1000;
    const Measurement& m = *probe.training;
    const core::TrainingMeasurement& t = m.training;
    addFigure(table,
              m.part ? QStringLiteral("Training step, forecast from parts")
                     : QStringLiteral("Training step, mean"),
              probe.step.isAvailable() ? latencyText(probe.step.value() * Ms, locale)
                                       : QStringLiteral("–"),
              (t.step.count == 1 ? QStringLiteral("one was timed")
                                 : QStringLiteral("half of %1 steps took up to %2")
                                       .arg(locale.toString(qlonglong{t.step.count}),
                                            latencyText(t.step.medianS * Ms, locale))) +
                  QStringLiteral(" (%1 to %2 in 80 of 100 cases), %3")
                      .arg(latencyText(t.step.lowS * Ms, locale),
                           latencyText(t.step.highS * Ms, locale), verdictText(t.step.verdict)));
    // What steps do in a second has their interval.
    const bool isOfSteps = m.program && probe.step.isAvailable() && probe.step.low() > 0;
    const double fastestS = isOfSteps ? probe.step.low() : t.step.lowS;
    const double slowestS = isOfSteps ? probe.step.high() : t.step.highS;
    const auto range = [&](double perStep, QStringView unit) {
        return fastestS > 0 ? QStringLiteral("%1 to %2 in 80 of 100 cases; ")
                                  .arg(scaledText(perStep / slowestS, unit, locale),
                                       scaledText(perStep / fastestS, unit, locale))
                            : QString();
    };
    addFigure(table, QStringLiteral("Training throughput"),
              QStringLiteral("%1 samples/s").arg(numberText(t.samplesPerS, locale)),
              range(t.samplesPerS * t.step.meanS, u"samples/s") +
                  (m.program
                       ? QStringLiteral("samples as the experiment says")
                       : QStringLiteral("forward %1 %, backward %2 %, optimizer %3 %")
                             .arg(locale.toString(core::PerCent * t.forwardShare, 'f', 0),
                                  locale.toString(core::PerCent * t.backwardShare, 'f', 0),
                                  locale.toString(core::PerCent * t.optimizerShare, 'f', 0))));
    addFigure(table, QStringLiteral("Attained"), scaledText(t.flopsPerS, u"FLOP/s", locale),
              range(t.flopsPerS * t.step.meanS, u"FLOP/s") +
                  QStringLiteral("work on paper over measured time"));
    if (m.program)
        return addProgram(table, *m.program, locale);
    if (!t.trainingPeakBytes || !t.peakBytes)
        return addFigure(table, QStringLiteral("Training memory, peak"), QStringLiteral("–"),
                         QStringLiteral("unavailable: it wasn't measured on this device"));
    addFigure(table, QStringLiteral("Training memory, peak"),
              scaledText(*t.trainingPeakBytes, u"B", locale),
              QStringLiteral("over the process before the model; %1 with the libraries; the "
                             "highest of one run")
                  .arg(scaledText(*t.peakBytes, u"B", locale)));
}

void addEnergy(TableData& table, const Measurement& m, const QLocale& locale)
{
    if (!m.energy)
        return addFigure(
            table, QStringLiteral("Power"), QStringLiteral("–"),
            QStringLiteral("unavailable: no counter of this machine may be read, or the "
                           "steps took less than 5 s"));
    addFigure(table, QStringLiteral("Power while training"),
              scaledText(m.energy->trainingWatts, u"W", locale),
              QStringLiteral("by %1, over %2; %3 idle")
                  .arg(toQString(m.energy->source),
                       headlineText(m.energy->seconds, core::Unit::Seconds, locale),
                       scaledText(m.energy->idleWatts, u"W", locale)));
}

/// "20 times, 2.3 ms to 2.5 ms in 80 of 100 cases"; older measurements don't say.
QString rangeText(const std::optional<core::TimedRange>& range, const QLocale& locale)
{
    if (!range)
        return {};
    return QStringLiteral("; %1 times, %2 to %3 in 80 of 100 cases")
        .arg(locale.toString(qlonglong{range->count}), latencyText(range->low, locale),
             latencyText(range->high, locale));
}

void addInference(TableData& table, const pricing::ProbeReport& probe, const QLocale& locale)
{
    const core::InferenceMeasurement& i = probe.serving->inference;
    const bool isOlder = probe.serving->created != probe.training->created;
    const QString note =
        QStringLiteral("a forward pass of one request, %1 times%2")
            .arg(qlonglong{i.count})
            .arg(isOlder ? QStringLiteral(", measured ") + timeText(probe.serving->created)
                         : QString());
    addFigure(table, QStringLiteral("Latency p50"), latencyText(i.p50Ms, locale),
              note + (i.p50Range ? QStringLiteral("; %1 to %2 in 80 of 100 cases")
                                       .arg(latencyText(i.p50Range->low, locale),
                                            latencyText(i.p50Range->high, locale))
                                 : QString()));
    // The slowest of a few passes says nothing about one in twenty, or in a hundred.
    const auto addTail = [&](const QString& name, double ms,
                             const std::optional<core::TimedRange>& range, qlonglong least) {
        if (i.count < least)
            return addFigure(table, name, QStringLiteral("–"),
                             QStringLiteral("unavailable: %1 passes are too few; give the "
                                            "measurement more time")
                                 .arg(qlonglong{i.count}));
        addFigure(
            table, name, latencyText(ms, locale),
            note +
                (range ? QStringLiteral("; %1 to %2 in 80 of 100 cases")
                             .arg(latencyText(range->low, locale), latencyText(range->high, locale))
                 : i.p50Range ? QStringLiteral("; too few are slower to say how high it may be")
                              : QStringLiteral("; one rank of them, without an interval")));
    };
    addTail(QStringLiteral("Latency p95"), i.p95Ms, i.p95Range, 20);
    addTail(QStringLiteral("Latency p99"), i.p99Ms, i.p99Range, 100);
    if (i.firstTokenMs && i.tokenMs) {
        addFigure(table, QStringLiteral("First token"), latencyText(*i.firstTokenMs, locale),
                  QStringLiteral("the prompt and one token") +
                      rangeText(i.firstTokenRange, locale));
        addFigure(table, QStringLiteral("Each further token"), latencyText(*i.tokenMs, locale),
                  QStringLiteral("with state or cache") + rangeText(i.tokenRange, locale));
    }
}

/// So many of them, with the first and the last.
std::vector<double> evenly(const std::vector<double>& sorted, std::size_t count)
{
    std::vector<double> few;
    const double parts = std::max(1.0, static_cast<double>(count) - 1);
    for (std::size_t i = 0; i < count; ++i)
        few.push_back(core::percentileOfSorted(sorted, static_cast<double>(i) / parts));
    return few;
}

/// Its distribution: flat where every step takes as long, steep at the right where some are held up.
ChartModel stepChart(const core::Timing& step, const QLocale& locale)
{
    constexpr double Ms = 1000;
    ChartModel chart;
    chart.kind = ChartModel::Kind::Lines;
    chart.title = QStringLiteral("How long the training steps took");
    constexpr std::int64_t Few = 21;
    if (step.count == 1)
        chart.subtitle = QStringLiteral("One was timed");
    else if (step.count > 0)
        chart.subtitle =
            step.count < Few
                ? QStringLiteral("Each of the %1, from the fastest to the slowest").arg(step.count)
                : QStringLiteral("Sorted from the fastest to the slowest; flat is steady");
    chart.empty =
        step.count == 1
            ? QStringLiteral(
                  "One step doesn't say how even they are: give the measurement more time.")
            : QStringLiteral("Run the probe to see how even the steps are.");
    ChartSeries series{QStringLiteral("Step"), 0, {}};
    // Older measurements have twenty quantiles of fewer steps: as many are drawn as there were steps.
    const std::vector<double> times =
        step.count > 0 && static_cast<std::size_t>(step.count) < step.quantilesS.size()
            ? evenly(step.quantilesS, static_cast<std::size_t>(step.count))
            : step.quantilesS;
    for (std::size_t i = 0; times.size() > 1 && i < times.size(); ++i)
        series.points.push_back(
            {.x = core::PerCent * static_cast<double>(i) / static_cast<double>(times.size() - 1),
             .y = Ms * times[i]});
    chart.x = axisFromZero(core::PerCent, QStringLiteral("Share of the steps, %"));
    chart.x.high = core::PerCent;
    chart.y = axisFromZero(highestOf(series.points), QStringLiteral("Time, ms"));
    chart.description = QStringLiteral("No distribution of the steps is stored");
    if (!series.points.empty())
        chart.description = QStringLiteral("Half of %1 steps took up to %2, the slowest %3")
                                .arg(locale.toString(qlonglong{step.count}),
                                     latencyText(Ms * core::percentileOfSorted(times, 0.5), locale),
                                     latencyText(Ms * times.back(), locale));
    chart.series.push_back(std::move(series));
    return chart;
}

void addVariants(ProbeView& view, const pricing::ProbeReport& probe, const QLocale& locale)
{
    if (probe.variants == nullptr) {
        view.variantsNote = QStringLiteral(
            "Other ways to run it (batch sizes, threads, 16 bits and more) aren't measured yet: "
            "\"With variants\" times each in turns with the plain one.");
        return;
    }
    view.variants = variantsTable(probe.variants->variants, locale);
    view.league = leagueChart(probe.variants->variants, locale);
    view.variantsNote = QStringLiteral("Other ways to run it, each timed in turns with the plain "
                                       "one");
    if (probe.variants->created != probe.training->created)
        view.variantsNote += QStringLiteral(", measured %1").arg(timeText(probe.variants->created));
}

/// What to know before the figures are believed; empty where they are of just this, here.
QString reservation(const pricing::ProbeReport& probe)
{
    if (!probe.isHere)
        return (probe.isOfDesign ? QStringLiteral("; on another machine")
                                 : QStringLiteral("; of another design on another machine")) +
               QStringLiteral(", measure on this one");
    return probe.isCurrent ? QString()
                           : QStringLiteral("; the design has changed since, measure again");
}

ProbeView viewOf(const pricing::ProbeReport& probe, const QLocale& locale)
{
    const Measurement& m = *probe.training;
    ProbeView view;
    view.isCurrent = probe.isCurrent;
    QString best = bestVariantText(m.variants, locale);
    view.verdict =
        QStringLiteral("%1 %2%3: %4%5")
            .arg(m.part ? QStringLiteral("Forecast from parts of the design, measured")
                        : QStringLiteral("Measured"),
                 timeText(m.created),
                 m.cancelledIn.empty() ? QString() : QStringLiteral(", cancelled in between"),
                 verdictText(m.training.step.verdict) +
                     (best.isEmpty() ? remedyText(m.training.step.verdict) : QString()),
                 reservation(probe));
    if (!best.isEmpty()) { // one line holds both, without what to do
        best[0] = best[0].toUpper();
        view.verdict = best + QStringLiteral(". ") + view.verdict;
    }
    const std::string& by = m.program ? m.program->command : m.machine.blas;
    view.machine =
        QStringLiteral("%1, %2, %3")
            .arg(toQString(m.machine.processor), threadsText(m.threads, locale), toQString(by));
    view.figures.columns = {{QStringLiteral("Figure"), false},
                            {QStringLiteral("Value"), true},
                            {QStringLiteral("Of what"), false}};
    addTraining(view.figures, probe, locale);
    if (probe.serving->inference.count > 0)
        addInference(view.figures, probe, locale);
    addEnergy(view.figures, m, locale);
    addVariants(view, probe, locale);
    view.steps = stepChart(m.training.step, locale);
    view.throughput = batchChart(probe.serving->inference, locale);
    view.together = togetherChart(probe.serving->inference, locale);
    for (const std::string& finding : m.findings)
        view.findings.push_back(toQString(finding));
    return view;
}

} // namespace

QString phaseText(const core::Progress& progress, const QLocale& locale)
{
    if (progress.phase.empty())
        return QStringLiteral("Starting the worker…");
    QString text = toQString(progress.phase);
    text[0] = text[0].toUpper();
    if (progress.steps > 0 && progress.phase == core::TrainingPhase)
        text += QStringLiteral(", %1 steps").arg(locale.toString(qlonglong{progress.steps}));
    const double left = progress.total - progress.done;
    constexpr double FewSeconds = 100;
    const auto timeText = [&](double seconds) -> QString {
        const bool isShort = seconds <= FewSeconds;
        return locale.toString(std::ceil(isShort ? seconds : seconds / core::SecondsPerMinute), 'f',
                               0) +
               (isShort ? QStringLiteral(" s") : QStringLiteral(" min"));
    };
    return text + (left > 0 ? QStringLiteral(", about %1 left").arg(timeText(left))
                            : QStringLiteral(", %1 longer than planned").arg(timeText(-left)));
}

QString runForecastText(double seconds, const QLocale& locale)
{
    return QStringLiteral("the whole training takes about %1 here (forecast)")
        .arg(headlineText(seconds, core::Unit::Seconds, locale));
}

LiveProbeView makeLiveProbeView(const LiveProbe& live, const QLocale& locale)
{
    constexpr double Permille = 1000;
    LiveProbeView view;
    view.phase = live.isStopping ? QStringLiteral("Stopping…") : phaseText(live.progress, locale);
    if (const auto seconds = live.run.seconds(); seconds && !live.isStopping)
        view.phase += QStringLiteral("; ") + runForecastText(*seconds, locale);
    const double share = live.progress.total > 0 ? live.progress.done / live.progress.total : 0;
    view.donePermille = static_cast<int>(Permille * std::clamp(share, 0.0, 1.0));
    if (!live.variants.empty())
        view.league = leagueChart(live.variants, locale);
    ChartModel& chart = view.throughput;
    chart.kind = ChartModel::Kind::Lines;
    chart.title = QStringLiteral("Training throughput, live");
    chart.subtitle = QStringLiteral("Each step of the running measurement; higher is better");
    chart.empty = QStringLiteral("The first steps will show here.");
    const std::vector<double>& steps = live.run.done();
    ChartSeries series{QStringLiteral("Samples/s"), 0,
                       throughputPoints(steps, live.samplesPerStep)};
    chart.y = axisFromZero(highestOf(series.points), QStringLiteral("Samples/s"));
    chart.x = axisFromZero(static_cast<double>(steps.size()), QStringLiteral("Step"));
    if (!series.points.empty())
        chart.description = QStringLiteral("%1 samples/s at step %2")
                                .arg(numberText(series.points.back().y, locale))
                                .arg(steps.size());
    chart.series.push_back(std::move(series));
    return view;
}

ProbeView makeProbeView(const pricing::ProbeReport& probe, const QLocale& locale)
{
    if (probe.training != nullptr)
        return viewOf(probe, locale);
    ProbeView view;
    view.verdict = probe.unread > 0
                       ? QStringLiteral("What is stored can't be read: run the probe again")
                       : QStringLiteral("Not measured yet: run the probe, and guesses become "
                                        "measurements of this design on this machine");
    view.steps = stepChart({}, locale);
    view.throughput = batchChart({}, locale);
    view.throughput.description = QStringLiteral("Nothing is measured yet");
    view.throughput.empty = QStringLiteral("Run the probe to see how fast this machine serves it.");
    return view;
}

} // namespace outlay::gui
