// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/program_text.h"

#include "core/base/units.h"
#include "core/hardware/by_rates.h"
#include "core/program/program_measurement.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/measurement_text.h"

namespace outlay::gui {
namespace {

QString timeText(double seconds, const DisplayLocale& locale)
{
    return valueText(seconds, core::Unit::Seconds, locale);
}

QString stepsText(double steps, const DisplayLocale& locale)
{
    return locale.toString(qlonglong(steps));
}

QString forecastText(const core::ProgramForecast& f, core::StepSource source,
                     const DisplayLocale& locale)
{
    const QString often = QStringLiteral("(its median %1 to %2 in 80 of 100 cases), %3")
                              .arg(timeText(f.step.lowS, locale), timeText(f.step.highS, locale),
                                   toQString(core::name(f.step.verdict)));
    QString text =
        QStringLiteral("Steps: %1%2, told by %3\n"
                       "  a step takes %4 %5\n"
                       "  %6 before the first one")
            .arg(stepsText(f.doneSteps, locale),
                 f.ofSteps ? QStringLiteral(" of ") + stepsText(*f.ofSteps, locale) : QString(),
                 toQString(core::StepSourceNames.at(static_cast<std::size_t>(source))),
                 timeText(f.step.meanS, locale),
                 source == core::StepSource::Load
                     ? QStringLiteral("if that is one, half or twice of it where it isn't")
                     : often,
                 timeText(f.startS, locale));
    if (f.warmUpS > 0)
        text += QStringLiteral(", %1 more for the first ones").arg(timeText(f.warmUpS, locale));
    if (f.pauses > 0)
        text += QStringLiteral("; %1 in %2 between steps, as for validation or saving")
                    .arg(timeText(f.pausedS, locale),
                         f.pauses == 1 ? QStringLiteral("one pause")
                                       : QStringLiteral("%1 pauses").arg(f.pauses));
    return text + QLatin1Char('\n');
}

QString wholeText(const core::ProgramOutcome& outcome, const DisplayLocale& locale)
{
    if (outcome.isWhole())
        return QStringLiteral("The whole run: %1 (measured)\n")
            .arg(timeText(outcome.seconds, locale));
    const auto& f = outcome.forecast;
    if (!f || !f->ofSteps)
        return QStringLiteral("The whole run: unavailable\n");
    const bool isGuess = outcome.steps.source == core::StepSource::Load;
    return QStringLiteral("The whole run: %1, %2 to %3 %4\n")
        .arg(timeText(f->wholeS, locale), timeText(f->lowS, locale), timeText(f->highS, locale),
             isGuess ? QStringLiteral("(a guess)")
                     : QStringLiteral("in 80 of 100 cases (forecast)"));
}

QString usageText(const core::ProgramOutcome& outcome, const DisplayLocale& locale)
{
    const core::TreeUsage& u = outcome.usage;
    if (u.processes == 0)
        return QStringLiteral("Used: unavailable, it ended before it could be looked at\n");
    const auto disk = [&](const std::optional<double>& bytes) {
        return bytes ? scaledText(*bytes, u"B", locale) : QStringLiteral("an unknown amount");
    };
    QString text =
        QStringLiteral("Used: %1 cores on average, %2 of memory at most, %3 read and %4 "
                       "written; at most %5 and %6 at once\n")
            .arg(locale.toString(u.processorS / outcome.seconds, 'f', 2),
                 scaledText(u.peakBytes, u"B", locale), disk(u.readBytes), disk(u.writtenBytes),
                 u.processes == 1 ? QStringLiteral("one process")
                                  : QStringLiteral("%1 processes").arg(u.processes),
                 threadsText(u.threads, locale));
    if (u.processorS > 0 && u.delayedS > 0)
        text += QStringLiteral("  waited for a core: %1 % of its processor time\n")
                    .arg(partText(core::PerCent * u.delayedS / u.processorS, locale));
    if (!outcome.accelerator.empty())
        text += QStringLiteral("  on %1\n").arg(toQString(outcome.accelerator));
    return text + (outcome.energySource.empty()
                       ? QStringLiteral(
                             "Energy: unavailable, this machine has no counter that may be read\n")
                       : QStringLiteral("Energy (%1): %2, and %3 while nothing ran\n")
                             .arg(toQString(outcome.energySource),
                                  scaledText(outcome.joules, u"J", locale),
                                  scaledText(outcome.idleWatts, u"W", locale)));
}

/// A few, of those that people use: the fastest, the slowest, and between them.
constexpr std::size_t MostOthers = 8;

/// Of a program that no experiment stands for.
QString elsewhereText(const core::ProgramOutcome& outcome, const DisplayLocale& locale)
{
    if (!outcome.forecast || outcome.steps.source == core::StepSource::Load)
        return {};
    if (outcome.accelerator.empty())
        return QStringLiteral("Elsewhere: unavailable, what processors take says little of "
                              "others and nothing of accelerators; name the experiment that "
                              "stands for the program\n");
    const auto& catalog = core::hardwareCatalog();
    const auto others =
        catalog ? core::onOthers(*catalog, outcome.accelerator) : std::vector<core::OnAnother>{};
    if (others.empty())
        return QStringLiteral("Elsewhere: unavailable, nothing is listed of %1\n")
            .arg(toQString(outcome.accelerator));
    QString text = QStringLiteral("Elsewhere, by the memory and the products that are listed of "
                                  "both alone (forecast), times as fast:\n");
    const std::size_t count = std::min(others.size(), MostOthers);
    for (std::size_t i = 0; i < count; ++i) {
        const core::OnAnother& other =
            others[i * (others.size() - 1) / std::max<std::size_t>(1, count - 1)];
        text +=
            QStringLiteral("  %1: %2, %3 to %4 in 80 of 100 cases\n")
                .arg(toQString(other.device), numberText(other.times.value(), locale),
                     numberText(other.times.low(), locale), numberText(other.times.high(), locale));
    }
    return text;
}

} // namespace

QString programEndText(const core::ProgramOutcome& outcome, const DisplayLocale& locale)
{
    const QString after = timeText(outcome.seconds, locale);
    if (outcome.wasEnded)
        return QStringLiteral("Ended after %1, as asked").arg(after);
    const QString failure = toQString(core::failureIn(outcome));
    if (!failure.isEmpty())
        return failure.left(1).toUpper() + failure.mid(1) + QStringLiteral(" after ") + after;
    return outcome.wasInterrupted ? QStringLiteral("It was interrupted after %1").arg(after)
                                  : QStringLiteral("It ran to its end in %1").arg(after);
}

QString programBeginText(const core::ProgramJob& job, const DisplayLocale& locale)
{
    const QString program = toQString(job.command.front());
    if (job.isWhole)
        return QStringLiteral("running `%1` to its end").arg(program);
    const QString until =
        job.steps ? QStringLiteral("until %1 steps are done").arg(stepsText(*job.steps, locale))
                  : QStringLiteral("for %1").arg(timeText(job.seconds, locale));
    return QStringLiteral("running `%1` %2; then it is interrupted as by Ctrl+C, and what goes on "
                          "is ended")
        .arg(program, until);
}

QString programProgressText(double seconds, const std::optional<core::ProgramForecast>& forecast,
                            const DisplayLocale& locale)
{
    QString text = timeText(seconds, locale) + QStringLiteral(": ");
    if (!forecast)
        return text + QStringLiteral("too few steps seen yet");
    text +=
        QStringLiteral("%1%2 steps, %3 each")
            .arg(stepsText(forecast->doneSteps, locale),
                 forecast->ofSteps ? QStringLiteral(" of ") + stepsText(*forecast->ofSteps, locale)
                                   : QString(),
                 timeText(forecast->step.meanS, locale));
    if (forecast->ofSteps)
        text += QStringLiteral("; the whole run takes %1").arg(timeText(forecast->wholeS, locale));
    return text;
}

QString programText(const core::ProgramOutcome& outcome, const core::ProgramJob& job,
                    bool hasExperiment, const DisplayLocale& locale)
{
    QString text = programEndText(outcome, locale) + QLatin1Char('\n');
    if (outcome.forecast)
        text += forecastText(*outcome.forecast, outcome.steps.source, locale);
    if (!job.isWhole || outcome.status == 0)
        text += wholeText(outcome, locale);
    text += usageText(outcome, locale);
    if (!hasExperiment)
        text += elsewhereText(outcome, locale);
    for (const std::string& finding : core::findingsOf(outcome))
        text += QStringLiteral("Note: ") + toQString(finding) + QLatin1Char('\n');
    return text;
}

} // namespace outlay::gui
