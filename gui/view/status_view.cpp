// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/status_view.h"

#include "core/probe/measurement.h"
#include "gui/view/format.h"
#include "gui/view/measurement_text.h"

#include <QStringList>

#include <algorithm>

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
    return QStringLiteral("Probe: %1, %2")
        .arg(toQString(newest->created).left(DateLength), threadsText(newest->threads, locale));
}

/// " up to 2026-07-20" for the word "up to"; empty where the data has no date.
QString dated(const pricing::Report& report, std::string_view data, const QString& word)
{
    const auto& rows = report.provenance.data;
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const pricing::DataRow& r) { return r.name == data; });
    return row == rows.end() || row->asOf.empty()
               ? QString()
               : QLatin1Char(' ') + word + QLatin1Char(' ') + toQString(row->asOf);
}

/// "Prices up to 2026-07-20, 16,146 offers".
QString pricesText(const pricing::Report& report, const DisplayLocale& locale)
{
    return QStringLiteral("Prices%1, %2 offers")
        .arg(dated(report, "prices", QStringLiteral("up to")),
             locale.toString(qlonglong(report.training.options.size())));
}

} // namespace

QString makeStatusText(const core::Experiment& experiment, const pricing::Report& report,
                       const DisplayLocale& locale)
{
    return QStringList{probeText(experiment, locale), pricesText(report, locale),
                       QStringLiteral("Grid") + dated(report, "grid", QStringLiteral("of")),
                       QStringLiteral("Method ") + toQString(report.provenance.method)}
        .join(QStringLiteral("   ·   "));
}

} // namespace outlay::gui
