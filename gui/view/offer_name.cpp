// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/offer_name.h"

#include "gui/view/format.h"

#include <algorithm>

namespace outlay::gui {
namespace {

struct ProviderRow {
    std::string_view id;
    const char16_t* title;
};

constexpr std::array Providers{
    ProviderRow{"aws", u"AWS"},       ProviderRow{"gcp", u"Google"},
    ProviderRow{"azure", u"Azure"},   ProviderRow{"digitalocean", u"DigitalOcean"},
    ProviderRow{"lambda", u"Lambda"}, ProviderRow{"runpod", u"RunPod"}};

} // namespace

QString providerTitle(std::string_view provider)
{
    const auto* found = std::find_if(Providers.begin(), Providers.end(),
                                     [&](const ProviderRow& row) { return row.id == provider; });
    return found == Providers.end() ? toQString(provider) : QString::fromUtf16(found->title);
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
    const QString standard = QStringLiteral("Standard_");
    return instance.startsWith(standard) ? instance.mid(standard.size()) : instance;
}

QString machineTitle(const pricing::Machine& machine)
{
    return providerTitle(machine.provider) + QLatin1Char(' ') + instanceTitle(machine);
}

std::optional<double> paidHoursOf(const pricing::Report& report, const pricing::Option& option,
                                  core::Purchase purchase)
{
    if (option.forecast >= report.training.forecasts.size())
        return std::nullopt;
    const core::Quantity& run = report.training.forecasts[option.forecast].runSeconds;
    if (!run.isAvailable())
        return std::nullopt;
    return report.training.runHours.range(run, purchase).value;
}

} // namespace outlay::gui
