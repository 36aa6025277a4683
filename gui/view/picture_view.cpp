// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/picture_view.h"

#include "gui/view/assumptions_view.h"
#include "gui/view/format.h"

#include <QStringList>

namespace outlay::gui {
namespace {

constexpr std::size_t MostNamed = 8;

QString assumptionsText(const pricing::Report& report, const DisplayLocale& locale)
{
    const AssumptionsView view = makeAssumptionsView(report, locale);
    QStringList parts;
    for (std::size_t i = 0; i < view.table.rows.size() && i < MostNamed; ++i) {
        const std::vector<TableCell>& row = view.table.rows[i];
        QString part = row[0].text + QLatin1Char(' ') + row[1].text;
        if (!row[2].text.isEmpty())
            part += QLatin1Char(' ') + row[2].text;
        parts.append(part);
    }
    if (view.table.rows.size() > MostNamed)
        parts.append(QStringLiteral("and %1 more").arg(view.table.rows.size() - MostNamed));
    return parts.isEmpty() ? QStringLiteral("Assumptions: none; the experiment names every value")
                           : QStringLiteral("Assumptions: ") + parts.join(QStringLiteral(" · "));
}

/// What the figures rest on, with its age.
QString datesText(const pricing::Provenance& provenance)
{
    QStringList parts;
    for (const pricing::DataRow& row : provenance.data) {
        if (row.asOf.empty())
            continue;
        const bool isPrices = row.name == "prices"; // a book of many dates: the newest is known
        parts.append(toQString(row.name) +
                     (isPrices ? QStringLiteral(" up to ") : QStringLiteral(" of ")) +
                     toQString(row.asOf));
    }
    parts.append(provenance.measurement.empty()
                     ? QStringLiteral("not measured")
                     : QStringLiteral("measured ") + toQString(provenance.measurement));
    return QStringLiteral("Data: ") + parts.join(QStringLiteral(" · "));
}

} // namespace

PictureView makePictureView(const pricing::Report& report, PictureSubject subject,
                            const DisplayLocale& locale)
{
    PictureView view;
    view.title = report.name.empty() ? QStringLiteral("Experiment") : toQString(report.name);
    if (subject == PictureSubject::Comparison)
        view.title += QStringLiteral(": comparison");
    view.dates = datesText(report.provenance);
    view.subtitle = QStringLiteral("%1, %2 parameters, %3 · %4")
                        .arg(toQString(report.model.family),
                             countText(static_cast<double>(report.model.parameters), locale),
                             toQString(report.model.sizeClass), toQString(report.provenance.date));
    view.assumptions = assumptionsText(report, locale);
    if (locale.isConverted())
        view.assumptions += QStringLiteral(" · ") + locale.rateText();
    view.provenance =
        QStringLiteral("Outlay %1, method %2. exact: follows from the design · measured: timed · "
                       "forecast: computed, interval of 80 % · listed: dated source · assumed: a "
                       "default · unavailable: not known")
            .arg(toQString(report.provenance.program), toQString(report.provenance.method));
    return view;
}

} // namespace outlay::gui
