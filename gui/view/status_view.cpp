// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/status_view.h"

#include "core/probe/measurement.h"
#include "gui/view/format.h"

#include <QStringList>

namespace outlay::gui {
namespace {

QString probeText(const core::Experiment& experiment, const DisplayLocale& locale)
{
    const core::Json::Array* stored = experiment.measurements.asArray();
    if (stored == nullptr || stored->empty())
        return QStringLiteral("Probe: none yet");
    const auto newest = core::readMeasurement(stored->back());
    if (!newest)
        return QStringLiteral("Probe: the newest can't be read");
    constexpr qsizetype DateLength = 10;
    return QStringLiteral("Probe: %1, %2 threads")
        .arg(toQString(newest->created).left(DateLength),
             locale.toString(qlonglong{newest->threads}));
}

} // namespace

QString makeStatusText(const core::Experiment& experiment, const pricing::Report& report,
                       const DisplayLocale& locale)
{
    return QStringList{probeText(experiment, locale),
                       QStringLiteral("Method %1").arg(toQString(report.provenance.method)),
                       QStringLiteral("Figures as of %1").arg(toQString(report.provenance.date))}
        .join(QStringLiteral("   ·   "));
}

} // namespace outlay::gui
