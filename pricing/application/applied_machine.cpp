// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/application/applied_machine.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "pricing/report/growth/devices_on.h"
#include "pricing/report/offers/training_machines.h"
#include "pricing/report/sections.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr std::int64_t ThreadsPerCore = 2; // that processors are listed by

/// Its nodes as one kind of machine.
Result<MachineKind> kindAt(const Centre& centre, const HardwareCatalog& hardware)
{
    MachineKind kind{.count = centre.devicesPerNode};
    if (centre.hasAccelerators()) {
        auto device = hardware.device(centre.device);
        if (!device)
            return failureOf(device);
        kind.device = std::move(*device);
    } else {
        kind.device =
            hardware.processorsOf("", real(ThreadsPerCore * centre.coresPerNode), std::nullopt);
        kind.device.name = plainNumber(real(centre.coresPerNode)) + "-core node";
    }
    if (centre.memoryGb)
        kind.device.memoryGb = centre.memoryGb;
    if (centre.networkGbitPerS)
        kind.networkGbPerS = *centre.networkGbitPerS / BitsPerByte;
    return kind;
}

std::string sourceText(const CentreSource& source)
{
    return source.name + ", read " + source.read + ", " + source.url;
}

} // namespace

AppliedMachine::AppliedMachine(const Subject& subject, const Report& report)
    : m_subject(subject), m_report(report), m_machine(subject, report)
{
}

AppliedMachine::AppliedMachine(const Subject& subject, const Report& report, Centre centre,
                               std::shared_ptr<const MachineKind> kind)
    : m_subject(subject), m_report(report), m_centre(std::move(centre)), m_kind(std::move(kind)),
      m_machine(
          subject, report,
          GivenMachines{.kind = *m_kind, .name = m_centre->name + " (" + m_centre->runBy + ")"})
{
}

Result<AppliedMachine> AppliedMachine::create(const Subject& subject, const Report& report,
                                              const ApplicationRequest& request)
{
    if (request.centre.empty()) {
        AppliedMachine planned(subject, report);
        planned.ask(request);
        return planned;
    }
    const auto& known = centres();
    if (!known)
        return failureOf(known);
    const auto centre = known->centre(request.centre);
    if (!centre)
        return failureOf(centre);
    auto kind = kindAt(*centre, subject.catalogs.hardware());
    if (!kind)
        return failureOf(kind);
    AppliedMachine at(subject, report, *centre,
                      std::make_shared<const MachineKind>(std::move(*kind)));
    at.ask(request);
    return at;
}

void AppliedMachine::ask(const ApplicationRequest& request)
{
    if (!why().empty())
        return;
    const std::int64_t inNode = m_machine.kind().count;
    const std::int64_t planned = m_centre
                                     ? std::max(fewest(), m_subject.experiment.training.devices)
                                     : m_machine.machines() * inNode;
    m_wanted = request.devices.value_or(planned);
    m_asked = m_wanted > inNode ? (m_wanted + inNode - 1) / inNode * inNode : m_wanted;
}

/// In powers of two; a node where nothing holds it, which the page then says.
std::int64_t AppliedMachine::fewest() const
{
    constexpr std::int64_t Most = 1024;
    const MachineKind& kind = m_machine.kind();
    for (std::int64_t count = 1; count <= Most; count *= 2) {
        const std::int64_t machines = (count + kind.count - 1) / kind.count;
        if (machines > 1 && !kind.networkGbPerS)
            break; // nothing is known of what would join them
        Devices on = devicesOf(m_subject, kind, machines);
        on.count = machines > 1 ? on.count : count;
        if (fitsOn(m_subject.training, on) == Fits::Yes)
            return count;
    }
    return kind.count;
}

std::string AppliedMachine::deviceName() const
{
    return why().empty() ? m_machine.kind().device.name : std::string();
}

double AppliedMachine::memoryGb() const
{
    return why().empty() ? m_machine.kind().device.memoryGb.value_or(0) : 0;
}

bool AppliedMachine::isProcessor() const
{
    return why().empty() && m_machine.kind().device.kind == DeviceKind::Cpu;
}

std::string AppliedMachine::hoursName() const
{
    if (isProcessor())
        return m_centre ? "core-hours" : "vCPU-hours";
    const bool isGpu = !why().empty() || m_machine.kind().device.kind == DeviceKind::Gpu;
    const std::string name = isGpu ? "GPU-hours" : "device-hours";
    // A centre's hour of the same name may be one of two devices.
    const bool isOther = m_centre && m_centre->unit == name && unitsPerHour(1) != counted(1);
    return isOther ? "device-hours" : name;
}

std::string AppliedMachine::unit() const
{
    return m_centre ? m_centre->unit : hoursName();
}

std::int64_t AppliedMachine::nodes() const
{
    const std::int64_t inNode = why().empty() ? m_machine.kind().count : 1;
    return (m_asked + inNode - 1) / inNode;
}

std::vector<DevicesRow> AppliedMachine::rows() const
{
    const std::vector<DevicesRow>& known = m_report.scaling.devices.rows;
    const bool isKnown =
        !m_centre && std::any_of(known.begin(), known.end(),
                                 [&](const DevicesRow& row) { return row.devices == m_asked; });
    return isKnown ? known : devicesOn(m_subject, m_machine, m_asked).rows;
}

std::int64_t AppliedMachine::cores() const
{
    if (m_centre)
        return m_centre->coresPerNode;
    return std::llround(m_report.training.recommended.option->offer.machine.vcpus.value_or(1));
}

double AppliedMachine::counted(std::int64_t devices) const
{
    if (isProcessor())
        return real(devices * cores());
    const bool isWhole = m_centre && m_centre->per != ChargedPer::Device;
    return real(isWhole ? m_centre->nodesOf(devices) * m_centre->devicesPerNode : devices);
}

double AppliedMachine::unitsPerHour(std::int64_t devices) const
{
    return m_centre ? m_centre->unitsPerHour(devices) : counted(devices);
}

TrainingForecast AppliedMachine::forecast() const
{
    const MachineKind& kind = m_machine.kind();
    return nodes() > 1 && kind.networkGbPerS
               ? m_machine.forecastOn(m_subject.training, nodes())
               : m_machine.forecast(m_subject.training, std::min(m_asked, kind.count));
}

Quantity AppliedMachine::watts(const TrainingForecast& forecast) const
{
    // Without a network each node was forecast by itself.
    return m_machine.kind().networkGbPerS ? forecast.watts : forecast.watts * real(nodes());
}

Site AppliedMachine::site() const
{
    if (!m_centre)
        return placeOf(m_report.training.recommended.option->offer);
    Site there;
    there.country = m_centre->country;
    there.pue = m_subject.experiment.site.pue;
    return there;
}

std::vector<ApplicationTerm> AppliedMachine::terms() const
{
    std::vector<ApplicationTerm> terms;
    if (!m_centre || !why().empty())
        return terms;
    const Centres& known = *centres();
    const Centre& c = *m_centre;
    const std::string of = c.per == ChargedPer::Device ? "a device"
                           : c.per == ChargedPer::Node ? "a node"
                                                       : "a core";
    terms.push_back({"charged", plainNumber(c.units) + " for an hour of " + of,
                     c.note + "; " + sourceText(known.source(c))});
    if (isProcessor())
        terms.push_back({"processors", plainNumber(real(c.coresPerNode)) + " cores a node",
                         "assumed: forecast as two threads a core of a typical processor of those "
                         "that are listed"});
    if (!c.networkGbitPerS)
        terms.push_back({"network of a node", "not listed",
                         "/assumptions/network_gb_per_s stands for it; a training that one node "
                         "doesn't hold isn't forecast without it"});
    else
        terms.push_back({"network of a node", plainNumber(*c.networkGbitPerS) + " Gbit/s",
                         sourceText(known.hardwareSource(c))});
    if (!m_subject.experiment.site.pue)
        terms.push_back(
            {"overhead (PUE)", "1",
             "not known of the centre: energy is of the devices alone; /site/pue sets it"});
    if (m_asked != m_wanted)
        terms.push_back({"devices", plainNumber(real(m_asked)),
                         "whole nodes; " + plainNumber(real(m_wanted)) + " were asked for"});
    return terms;
}

} // namespace outlay::pricing
