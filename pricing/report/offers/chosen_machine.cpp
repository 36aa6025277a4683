// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/chosen_machine.h"

#include "core/base/units.h"
#include "pricing/report/offers/cheapest.h"
#include "pricing/report/offers/training_machines.h"

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula CostFormula{"scaling.usd", "{0} h x {1} USD an hour x {2} machines"};

} // namespace

ChosenMachine::ChosenMachine(const Subject& subject, const Report& report)
    : m_subject(subject), m_report(report)
{
    const Recommendation& recommended = report.training.recommended;
    if (!recommended.chosen) {
        m_why = recommended.reasons.empty() ? "no offer is chosen" : recommended.reasons.front();
        return;
    }
    const TrainingForecast& forecast = report.training.forecasts[recommended.chosen->forecast];
    if (!forecast.runSeconds.isAvailable()) {
        m_why = forecast.runSeconds.how().note.text();
        return;
    }
    m_price = subject.catalogs.prices().price(recommended.chosen->row);
}

ChosenMachine::ChosenMachine(const Subject& subject, const Report& report, GivenMachines given)
    : m_subject(subject), m_report(report), m_given(std::move(given)),
      m_price(Quantity::unavailable(Unit::UsdPerHour, "no offer is of this machine"))
{
}

std::string ChosenMachine::name() const
{
    if (m_given)
        return m_given->name;
    const auto& option = m_report.training.recommended.option;
    if (!option)
        return {};
    const Machine& machine = option->offer.machine;
    return timesInstances(*option) + machine.provider + " " + machine.instance + " in " +
           option->offer.region;
}

const MachineKind& ChosenMachine::kind() const
{
    if (m_given)
        return m_given->kind;
    return m_subject.catalogs.devices().kinds()[m_report.training.recommended.chosen->forecast];
}

std::int64_t ChosenMachine::machines() const
{
    if (m_given)
        return m_given->count;
    return m_report.training.forecasts[m_report.training.recommended.chosen->forecast].machines;
}

TrainingForecast ChosenMachine::forecast(const TrainingDemand& demand, std::int64_t devices) const
{
    Devices on = devicesOf(m_subject, kind(), 1);
    on.count = devices;
    return corrected(demand, on);
}

TrainingForecast ChosenMachine::forecastOn(const TrainingDemand& demand,
                                           std::int64_t machines) const
{
    return corrected(demand, devicesOf(m_subject, kind(), machines));
}

TrainingForecast ChosenMachine::forecast(const Holding& holding) const
{
    return corrected(trainingForecast(holding, devices()));
}

Devices ChosenMachine::devices() const
{
    Devices devices = devicesOf(m_subject, kind(), machines());
    if (!m_given) { // of all as fast the one that is rented
        const PriceBook& book = m_subject.catalogs.book();
        const OfferRow& row = book.rows()[m_report.training.recommended.chosen->row];
        devices.hostGb = book.machine(row).memoryGb;
    }
    return devices;
}

TrainingForecast ChosenMachine::corrected(const TrainingDemand& demand, const Devices& on) const
{
    return corrected(trainingForecast(demand, on));
}

TrainingForecast ChosenMachine::corrected(TrainingForecast f) const
{
    correct(f, m_report.training.corrections, kind().device);
    return f;
}

Purchase ChosenMachine::purchase() const
{
    return m_given ? Purchase::OnDemand : m_report.training.recommended.option->offer.purchase;
}

Quantity ChosenMachine::hours(const Quantity& runSeconds, std::int64_t machines) const
{
    return m_report.training.runHours.hours(runSeconds, purchase(), machines);
}

Quantity ChosenMachine::usd(const Quantity& hours, std::int64_t machines) const
{
    const Quantity paid = m_report.training.runHours.paid(hours, purchase(), machines);
    return product(paid, m_price, Unit::Usd)
        .because(how(CostFormula, {paid.value() / real(machines), m_price.value(), real(machines)},
                     m_price.how().note));
}

} // namespace outlay::pricing
