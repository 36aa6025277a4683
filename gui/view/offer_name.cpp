// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/offer_name.h"

#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "pricing/provider.h"

namespace outlay::gui {

QString providerTitle(std::string_view provider)
{
    return toQString(pricing::providerTitle(provider));
}

QString purchaseTitle(core::Purchase purchase)
{
    switch (purchase) {
    case core::Purchase::OnDemand: return QStringLiteral("on demand");
    case core::Purchase::Spot: return QStringLiteral("spot");
    case core::Purchase::Reserved1y: return QStringLiteral("1 year");
    case core::Purchase::Reserved3y: return QStringLiteral("3 years");
    }
    return {};
}

QString instanceTitle(const pricing::Machine& machine)
{
    const QString instance = toQString(machine.instance);
    const QString start = toQString(pricing::provider(machine.provider).shownWithout);
    return instance.startsWith(start) ? instance.mid(start.size()) : instance;
}

QString machineTitle(const pricing::Machine& machine)
{
    return providerTitle(machine.provider) + QLatin1Char(' ') + instanceTitle(machine);
}

QString layoutTitle(const core::Layout& layout)
{
    QStringList parts;
    if (layout.tensor > 1)
        parts += QStringLiteral("tensor %1").arg(layout.tensor);
    if (layout.context > 1)
        parts += QStringLiteral("context %1").arg(layout.context);
    if (layout.experts > 1)
        parts += QStringLiteral("experts %1").arg(layout.experts);
    if (layout.stages > 1)
        parts += QStringLiteral("pipeline %1").arg(layout.stages);
    if (parts.isEmpty() && layout.sharding != core::Sharding::None)
        parts += QStringLiteral("sharded");
    const QString text = parts.join(QStringLiteral(" x "));
    if (layout.offload == core::Offload::None)
        return text;
    return text.isEmpty() ? QStringLiteral("offloaded") : text + QStringLiteral(", offloaded");
}

QString serverText(const pricing::ServingReport& serving)
{
    return serving.by == pricing::ServedBy::Function ? QStringLiteral("a function")
                                                     : QStringLiteral("a hosted API");
}

QString timesText(double instances)
{
    return instances > 1 ? QString::number(instances, 'f', 0) + QStringLiteral(" x ") : QString();
}

QString machinesTitle(const pricing::OptionText& option)
{
    const bool isKnown = option.instances.isAvailable();
    return timesText(isKnown ? option.instances.value() : 1) + machineTitle(option.offer.machine);
}

std::optional<pricing::HoursRange> hoursTaken(const pricing::Report& report,
                                              const pricing::Option& option,
                                              core::Purchase purchase)
{
    if (option.forecast >= report.training.forecasts.size())
        return std::nullopt;
    const core::TrainingForecast& f = report.training.forecasts[option.forecast];
    if (!f.runSeconds.isAvailable())
        return std::nullopt;
    return report.training.runHours.range(f.runSeconds, purchase, f.machines);
}

QString startText(const pricing::Report& report, const DisplayLocale& locale)
{
    constexpr double LargePart = 0.2;
    const auto& option = report.training.recommended.option;
    const double startHours = report.training.runHours.startupHours();
    if (!option || !option->hours.isAvailable() || startHours < LargePart * option->hours.value())
        return {};
    return headlineText(startHours, core::Unit::Hours, locale) + QStringLiteral(" of it to start");
}

} // namespace outlay::gui
