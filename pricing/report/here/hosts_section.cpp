// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which of several machines: what was measured on each, side by side.
#include "core/base/units.h"
#include "pricing/report/here/here.h"
#include "pricing/report/sections.h"

#include <algorithm>
#include <array>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula HostCostFormula{"host.usd", "{0} h x {1} USD an hour"};

/// Each once, in the order of their first measurements; this machine has no name.
std::vector<std::string> hostsOf(const Subject& subject)
{
    std::vector<std::string> names;
    if (!subject.measured.isEmpty())
        names.emplace_back();
    for (const MeasurementPtr& m : subject.experiment.measurements.all().rows()) {
        if (!m->host.empty() && std::find(names.begin(), names.end(), m->host) == names.end())
            names.push_back(m->host);
    }
    return names;
}

Quantity costOn(const Quantity& run, const Measurement& m)
{
    if (m.host.empty())
        return Quantity::unavailable(Unit::Usd, "see /training/here_usd");
    if (!m.hostHourUsd)
        return Quantity::unavailable(Unit::Usd, "give hour_price_usd in the profile of " + m.host);
    if (!run.isAvailable())
        return Quantity::unavailable(Unit::Usd, run.how().sentence());
    const double perSecond = *m.hostHourUsd / SecondsPerHour;
    return Quantity::within(run.value() * perSecond, run.low() * perSecond, run.high() * perSecond,
                            Unit::Usd, run.basis(),
                            how(HostCostFormula, {run.value() / SecondsPerHour, *m.hostHourUsd},
                                "as the profile of " + m.host + " says"));
}

HostRow hostRowOf(const Subject& subject, const std::string& name)
{
    const Measured there =
        name.empty() ? subject.measured
                     : subject.experiment.measurements.onHosts(std::array<std::string, 1>{name});
    HostRow row{.name = name, .measurement = there.ofSteps(subject.asked())};
    row.isOfDesign = row.measurement != nullptr;
    if (row.isOfDesign) {
        row.step = measuredStep(row.measurement);
        row.run = trainingAsMeasured(subject, *row.measurement);
    } else {
        constexpr const char* OfAnother = "another design was measured there";
        row.measurement = there.newest();
        row.step = Quantity::unavailable(Unit::Seconds, OfAnother);
        row.run = Quantity::unavailable(Unit::Seconds, OfAnother);
    }
    row.usd = costOn(row.run, *row.measurement);
    return row;
}

bool isFaster(const HostRow& a, const HostRow& b)
{
    if (a.run.isAvailable() != b.run.isAvailable())
        return a.run.isAvailable();
    return a.run.isAvailable() && a.run.value() < b.run.value();
}

} // namespace

void addHosts(const Subject& subject, Report& report)
{
    const std::vector<std::string> names = hostsOf(subject);
    if (std::all_of(names.begin(), names.end(), [](const std::string& n) { return n.empty(); }))
        return;
    for (const std::string& name : names)
        report.hosts.push_back(hostRowOf(subject, name));
    std::stable_sort(report.hosts.begin(), report.hosts.end(), isFaster);
}

} // namespace outlay::pricing
