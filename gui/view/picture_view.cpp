// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/picture_view.h"

#include "core/base/text.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/offer_name.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace outlay::gui {
namespace {

constexpr QStringView Part = u" · ";

/// "100,000 samples of 50 tokens (assumed), 50 epochs".
QString dataText(const core::Experiment& experiment, const pricing::Report& report,
                 const DisplayLocale& locale)
{
    const core::Training& t = experiment.training;
    return QStringLiteral("%1 samples%2%3, %4 %5")
        .arg(countText(report.training.samples, locale),
             report.training.hasTokens
                 ? QStringLiteral(" of %1 tokens").arg(locale.toString(qlonglong{t.sequence}))
                 : QString(),
             report.training.isSamplesAssumed ? QStringLiteral(" (assumed)") : QString(),
             countText(t.epochs, locale),
             t.epochs == 1 ? QStringLiteral("epoch") : QStringLiteral("epochs"));
}

/// "LoRA of rank 16, weights in nf4, ".
QString methodText(const core::Training& t)
{
    const QString frozen = t.frozenWeights == core::FrozenWeights::Same
                               ? QString()
                               : QStringLiteral("weights in %1, ")
                                     .arg(toQString(core::FrozenWeightsNames.at(
                                         static_cast<std::size_t>(t.frozenWeights))));
    switch (t.method) {
    case core::Method::Full: break;
    case core::Method::Lora: {
        QString text = QStringLiteral("LoRA of rank %1, ").arg(t.adapterRank);
        for (const std::string& layer : t.trainedWhole)
            text += QStringLiteral("%1 whole, ").arg(toQString(layer));
        return text + frozen;
    }
    case core::Method::Head: return QStringLiteral("the last layer, ") + frozen;
    }
    return {};
}

/// "one run a month", "one run every 4 months", "2.5 runs a month".
QString runsText(double perMonth, const DisplayLocale& locale)
{
    if (perMonth == 1)
        return QStringLiteral("one run a month");
    const double months = perMonth > 0 ? 1 / perMonth : 0;
    return months > 1 && std::abs(months - std::round(months)) < 0.05
               ? QStringLiteral("one run every %1 months").arg(countText(months, locale))
               : QStringLiteral("%1 runs a month").arg(numberText(perMonth, locale));
}

QString workText(const core::Experiment& experiment, const pricing::Report& report,
                 const DisplayLocale& locale)
{
    const core::Training& t = experiment.training;
    const auto name = [](std::string_view text) { return toQString(text); };
    QStringList parts{
        QStringLiteral("Trained on ") + dataText(experiment, report, locale),
        QStringLiteral("%5batch %1%2, %3, %4")
            .arg(locale.toString(qlonglong{t.globalBatch.value_or(t.batch)}),
                 t.globalBatch   ? QStringLiteral(" on all devices together")
                 : t.devices > 1 ? QStringLiteral(" on each of %1 devices").arg(t.devices)
                                 : QString(),
                 name(core::PrecisionNames.at(static_cast<std::size_t>(t.precision))),
                 name(core::OptimizerNames.at(static_cast<std::size_t>(t.optimizer))),
                 methodText(t)),
        runsText(t.runsPerMonth, locale),
        experiment.serving.requestsPerDay <= 0 ? QStringLiteral("no requests to answer")
        : experiment.plan.running == core::Running::AtOnce
            ? QStringLiteral("%1 requests a day, answered at once")
                  .arg(countText(experiment.serving.requestsPerDay, locale))
            : QStringLiteral("%1 requests a day, answered within %2 ms (p95)")
                  .arg(countText(experiment.serving.requestsPerDay, locale),
                       countText(experiment.serving.latencyP95Ms, locale))};
    return parts.join(Part);
}

/// "trains on AWS g4dn.xlarge in us-east-1, on demand".
QString placeText(const char16_t* does, const pricing::Recommendation& recommended)
{
    const QString what = QString::fromUtf16(does);
    if (!recommended.option)
        return what + QStringLiteral(" nowhere that is known");
    const pricing::Offer& offer = recommended.option->offer;
    return QStringLiteral("%1 on %2 in %3, %4, price of %5")
        .arg(what, machinesTitle(*recommended.option), toQString(offer.region),
             purchaseTitle(offer.purchase), toQString(offer.source.asOf));
}

QString placesText(const core::Experiment& experiment, const pricing::Report& report)
{
    QStringList parts{placeText(u"Trains", report.training.recommended)};
    if (experiment.serving.requestsPerDay > 0)
        parts.append(report.serving.by != pricing::ServedBy::Machines
                         ? QStringLiteral("serves from ") + serverText(report.serving)
                         : placeText(u"serves", report.serving.recommended));
    parts.append(toQString(report.carbon.gridBasis) + QStringLiteral(" grid"));
    return parts.join(Part);
}

QString assumptionsText(const pricing::Report& report)
{
    constexpr std::string_view Assumptions = "/assumptions/";
    const auto count =
        std::count_if(report.assumptions.begin(), report.assumptions.end(),
                      [&](const auto& row) { return !row.pointer.starts_with(Assumptions); });
    return count == 0 ? QStringLiteral("Every setting is given")
                      : QStringLiteral("%1 further settings are Outlay's defaults").arg(count);
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

PictureView makePictureView(const core::Experiment& experiment, const pricing::Report& report,
                            PictureSubject subject, const DisplayLocale& locale)
{
    PictureView view;
    view.title = report.name.empty() ? QStringLiteral("Experiment")
                                     : toQString(core::printable(report.name));
    if (subject == PictureSubject::Comparison)
        view.title += QStringLiteral(": comparison");
    view.dates = datesText(report.provenance);
    view.subtitle = QStringLiteral("%1, %2 parameters, %3 · %4")
                        .arg(toQString(report.model.family),
                             countText(static_cast<double>(report.model.parameters), locale),
                             toQString(report.model.sizeClass), toQString(report.provenance.date));
    view.work = workText(experiment, report, locale);
    view.places = placesText(experiment, report);
    view.assumptions = assumptionsText(report);
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
