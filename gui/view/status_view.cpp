// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/status_view.h"

#include "gui/view/format.h"
#include "gui/view/measurement_text.h"

#include <QStringList>

#include <algorithm>

namespace outlay::gui {
namespace {

QString probeText(const pricing::ProbeReport& probe, const DisplayLocale& locale)
{
    if (probe.training == nullptr)
        return probe.unread > 0 ? QStringLiteral("Probe: the stored one can't be read")
                                : QStringLiteral("Probe: none yet");
    constexpr qsizetype DateLength = 10;
    const core::Measurement& m = *probe.training;
    return QStringLiteral("Probe: %1, %2%3")
        .arg(toQString(m.created).left(DateLength), threadsText(m.threads, locale),
             (probe.isOfDesign ? QString() : QStringLiteral(", of another design")) +
                 (probe.isHere ? QString() : QStringLiteral(", on another machine")));
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

QString makeStatusText(const pricing::Report& report, const DisplayLocale& locale)
{
    return QStringList{probeText(report.probe, locale), pricesText(report, locale),
                       QStringLiteral("Grid") + dated(report, "grid", QStringLiteral("of")),
                       QStringLiteral("Method ") + toQString(report.provenance.method)}
        .join(QStringLiteral("   ·   "));
}

} // namespace outlay::gui
