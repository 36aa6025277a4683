// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/track_text.h"

#include "core/base/units.h"
#include "gui/view/format.h"

namespace outlay::gui {
namespace {

using pricing::TrackedThing;

constexpr std::array AllThings{TrackedThing::Time, TrackedThing::Money, TrackedThing::Energy,
                               TrackedThing::Carbon};

QString nameOf(TrackedThing thing)
{
    return toQString(pricing::TrackedThingNames.at(static_cast<std::size_t>(thing)));
}

QString amountOf(double value, TrackedThing thing, const DisplayLocale& locale)
{
    constexpr std::array Units{core::Unit::Seconds, core::Unit::Usd, core::Unit::KilowattHours,
                               core::Unit::KilogramsCo2e};
    return valueText(value, Units.at(static_cast<std::size_t>(thing)), locale);
}

/// "time: took 18 min; 21.9 min (11 to 55 min) was forecast, inside of its interval".
QString lineOf(const pricing::Actual& actual, TrackedThing thing, const DisplayLocale& locale)
{
    const auto found = pricing::foundOf(actual, thing);
    if (!found)
        return {};
    QString line = QStringLiteral("  %1: %2").arg(nameOf(thing), amountOf(*found, thing, locale));
    const auto pair = pricing::pairOf(actual, thing);
    if (!pair)
        return line + QStringLiteral("; what was forecast is unavailable\n");
    const pricing::Foretold& f = pair->foretold;
    return line + QStringLiteral("; forecast %1 (%2 to %3), %4\n")
                      .arg(amountOf(f.value, thing, locale), amountOf(f.low, thing, locale),
                           amountOf(f.high, thing, locale),
                           pair->isInside() ? QStringLiteral("inside")
                           : *found < f.low ? QStringLiteral("below")
                                            : QStringLiteral("above"));
}

QString linesOf(const pricing::Actual& actual, const DisplayLocale& locale)
{
    QString text;
    for (const TrackedThing thing : AllThings)
        text += lineOf(actual, thing, locale);
    return text;
}

QString factorText(const pricing::Foretold& factor, TrackedThing thing, const DisplayLocale& locale)
{
    return QStringLiteral("; yours took %1 times the forecast %2 (%3 to %4)")
        .arg(locale.toString(factor.value, 'f', 2), nameOf(thing),
             locale.toString(factor.low, 'f', 2), locale.toString(factor.high, 'f', 2));
}

} // namespace

QString actualText(const pricing::Actual& actual, const DisplayLocale& locale)
{
    return QStringLiteral("%1 (%2), %3\n")
               .arg(toQString(actual.kind), toQString(actual.file),
                    actual.isHere ? QStringLiteral("on this machine")
                                  : QStringLiteral("where it was planned")) +
           linesOf(actual, locale);
}

QString trackText(const std::vector<TrackedRun>& runs, const DisplayLocale& locale)
{
    if (runs.empty())
        return QStringLiteral("No run is attached to any of them; `outlay actual` does it.\n");
    QString text;
    std::vector<pricing::Actual> actuals;
    for (const TrackedRun& run : runs) {
        actuals.push_back(run.actual);
        text += run.experiment + QStringLiteral(": ") + actualText(run.actual, locale);
    }
    text += QStringLiteral("Over all of them\n");
    for (const pricing::Track& track : pricing::trackOf(actuals)) {
        if (track.runs == 0)
            continue;
        text += QStringLiteral("  %1: %2 of %3 inside of their 80 % intervals, off by %4 % "
                               "(median)%5\n")
                    .arg(nameOf(track.thing), locale.toString(qulonglong{track.inside}),
                         locale.toString(qulonglong{track.runs}),
                         partText(core::PerCent * track.medianMiss, locale),
                         track.factor ? factorText(*track.factor, track.thing, locale) : QString());
    }
    return text;
}

} // namespace outlay::gui
