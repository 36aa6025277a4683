// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/tiles_view.h"

#include "core/base/units.h"
#include "gui/view/format.h"
#include "gui/view/offer_name.h"
#include "gui/view/providers_view.h"

#include <array>

namespace outlay::gui {
namespace {

using core::Quantity;
using core::Unit;
using pricing::Report;

constexpr core::Formula ParametersFormula{"model.parameters", "sum over {0} layers"};

Quantity parameters(const Report& report)
{
    return Quantity::exact(static_cast<double>(report.model.parameters), Unit::One,
                           core::how(ParametersFormula,
                                     {static_cast<double>(report.model.layers.size())},
                                     report.model.convention + " convention"));
}

/// "trains in ", "trains 0.52 % · in ": where all has no room, which part it is comes first.
QString trainsText(const Report& report, const DisplayLocale& locale)
{
    constexpr int Digits = 2;
    if (report.training.method == core::Method::Full || report.model.parameters == 0)
        return QStringLiteral("trains in ");
    const double share =
        core::PerCent * report.model.trainable / static_cast<double>(report.model.parameters);
    return QStringLiteral("trains %1 % · in ").arg(locale.toString(share, 'g', Digits));
}

/// "weights 11.4 MB": as they are kept while it is trained.
QString weightsText(const Report& report, const DisplayLocale& locale)
{
    const Quantity& weights = report.training.parameters;
    return weights.isAvailable() ? QStringLiteral("weights ") + figureText(weights, locale)
                                 : QString();
}

FigureView parametersView(const Report& report, const Report* baseline, const DisplayLocale& locale)
{
    const Quantity before = baseline == nullptr ? Quantity() : parameters(*baseline);
    FigureView view = makeFigureView(QStringLiteral("Parameters"), parameters(report),
                                     baseline == nullptr ? nullptr : &before, locale);
    view.detail = weightsText(report, locale);
    const QString trains = trainsText(report, locale);
    const Quantity& memory = report.training.bestMemory();
    const bool isMeasured = memory.basis() == core::Basis::Measured;
    const auto& option = report.training.recommended.option;
    if (option && !isMeasured && option->memory.isAvailable() &&
        !option->offer.machine.accelerator.empty()) {
        const double count = option->offer.machine.accelerators * option->instances.value();
        const bool isAll = report.training.method == core::Method::Full;
        view.place = trains + figureText(option->memory, locale);
        if (count > 1)
            view.place += QStringLiteral(" · on each of %1").arg(count);
        else if (isAll)
            view.place +=
                QStringLiteral(" · on one ") + toQString(option->offer.machine.accelerator);
        return view;
    }
    view.place = !memory.isAvailable()
                     ? QStringLiteral("training memory unavailable")
                     : trains + figureText(memory, locale) +
                           (isMeasured ? QStringLiteral(" · measured") : QString());
    return view;
}

/// Where the plan has the run, as cost and carbon are; here where that isn't known.
FigureView trainingTimeView(const Report& report, const Report* baseline,
                            const DisplayLocale& locale)
{
    const Quantity& here = report.training.here;
    const auto& option = report.training.recommended.option;
    if (!option || !option->hours.isAvailable())
        return makeFigureView(QStringLiteral("Training here"), here,
                              baseline == nullptr ? nullptr : &baseline->training.here, locale);
    const bool hasBefore = baseline != nullptr && baseline->training.recommended.option;
    FigureView view =
        makeFigureView(QStringLiteral("Training time"), option->hours,
                       hasBefore ? &baseline->training.recommended.option->hours : nullptr, locale);
    view.place = machinesTitle(*option);
    if (here.isAvailable())
        view.place += QStringLiteral(" · here %1%2")
                          .arg(isRough(here) ? QStringLiteral("about ") : QString(),
                               headlineText(here.value(), here.unit(), locale));
    else if (const QString start = startText(report, locale); !start.isEmpty())
        view.place += QStringLiteral(" · ") + start;
    return view;
}

FigureView monthView(const Report& report, const Report* baseline, const DisplayLocale& locale)
{
    FigureView view =
        makeFigureView(QStringLiteral("A month"), report.month.total,
                       baseline == nullptr ? nullptr : &baseline->month.total, locale);
    // Who has most of it, where that isn't the run.
    if (const auto& option = report.serving.recommended.option;
        option && view.basis != core::Basis::Unavailable && report.serving.requestsPerMonth > 0)
        view.place = (report.serving.by != pricing::ServedBy::Machines ? serverText(report.serving)
                                                                       : machinesTitle(*option)) +
                     QStringLiteral(" · serves");
    return view;
}

FigureView carbonView(const Report& report, const Report* baseline, const DisplayLocale& locale)
{
    FigureView view =
        makeFigureView(QStringLiteral("Carbon of a run"), report.carbon.kgCo2e,
                       baseline == nullptr ? nullptr : &baseline->carbon.kgCo2e, locale);
    const QString place = toQString(report.carbon.place);
    if (report.carbon.kgCo2e.isAvailable())
        view.place = place.isEmpty() ? QStringLiteral("here")
                                     : QStringLiteral("in ") + place.section(QLatin1Char('/'), -1);
    return view;
}

/// A headline is a row here.
constexpr std::array Tiles{parametersView, trainingTimeView, makeCheapestView, monthView,
                           carbonView};

} // namespace

std::vector<FigureView> makeTilesView(const Report& report, const Report* baseline,
                                      const DisplayLocale& locale)
{
    std::vector<FigureView> views;
    for (const auto make : Tiles) {
        views.push_back(make(report, baseline, locale));
        FigureView& view = views.back();
        if (view.basis == core::Basis::Unavailable && view.detail.isEmpty())
            view.detail = QStringLiteral("not known for this design");
    }
    return views;
}

} // namespace outlay::gui
