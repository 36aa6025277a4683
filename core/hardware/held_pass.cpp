// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/held_pass.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {
namespace {

double usableBytes(const Devices& on)
{
    return on.device.memoryGb.value_or(HUGE_VAL) * Giga * on.calibration.usableMemory -
           on.runtimeBytes;
}

/// Where weights are gathered some runs keep what goes from block to block in twice the bytes.
bool mayKeepTwice(const Training& training, const Layout& layout, Sharding sharding)
{
    return gathersWeights(sharding) && layout.ofWeights() == 1 && recomputesAll(training);
}

/// With adapters most do.
double keptTwice(const TrainingDemand& pass, const Layout& layout, Sharding sharding,
                 const HeldActivations& held)
{
    const bool isUsual = pass.training.method == Method::Lora;
    return isUsual && mayKeepTwice(pass.training, layout, sharding)
               ? held.kept / real(layout.context)
               : 0;
}

const Note UnevenRows = "the upper end is 1.7 times that: where experts were apart, two devices "
                        "needed 1.2 times as much and four 1.6";

/// Rows come unevenly to experts, and wait in buffers.
Quantity withUnevenRows(const Quantity& even)
{
    constexpr double Uneven = 1.7;
    How why = even.how();
    if (why.note.empty())
        why.note = UnevenRows;
    return Quantity::within(even.value(), even.low(), std::max(even.high(), Uneven * even.value()),
                            Unit::Bytes, even.basis(), why);
}

} // namespace

HoldingPlace::HoldingPlace(const Devices& devices, const Training& training)
    : on(devices), isFused(fusesAttention(devices.device, training, devices.calibration)),
      offload(devices.device.kind == DeviceKind::Cpu ? Offload::None : training.offload),
      usable(usableBytes(devices))
{
}

const StatesOnEach& Divided::with(Sharding sharding)
{
    std::optional<StatesOnEach>& states = m_states.at(static_cast<std::size_t>(sharding));
    if (!states) {
        Layout layout = m_layout;
        layout.sharding = sharding;
        states = statesOnEach(m_demand, layout, copiesOf(layout, m_on).devices);
    }
    return *states;
}

Unsharded::Unsharded(const TrainingDemand& pass, Divided& divided, const HoldingPlace& place)
    : m_pass(pass), m_divided(divided), m_place(place)
{
    const Layout& layout = divided.layout();
    const HeldActivations& held = place.heldOf(pass);
    m_isKnown = held.total.isAvailable();
    if (!m_isKnown || layout.ofCopy() == 1)
        m_activationBytes = m_isKnown ? held.total.value() : 0;
    else
        m_activationBytes = activationBytes(held, pass.blocks, layout,
                                            passesOf(pass.training, layout, place.on.count));
}

bool Unsharded::fitsWith(Sharding sharding) const
{
    const Devices& on = m_place.on;
    if (on.device.kind == DeviceKind::Cpu) {
        Layout layout = m_divided.layout();
        layout.sharding = sharding;
        return fitsOn(memoryWith(m_pass, layout, on), on) != Fits::No;
    }
    const double activations =
        m_activationBytes + keptTwice(m_pass, m_divided.layout(), sharding, m_place.heldOf(m_pass));
    const StatesOnEach& states = m_divided.with(sharding);
    if (states.host > 0 &&
        fitsBeside(hostBytes(states, devicesInMachine(on)), on.hostGb, on.calibration) == Fits::No)
        return false;
    return !m_isKnown || states.with(activations) <= m_place.usable;
}

Quantity memoryWith(const TrainingDemand& pass, const Layout& layout, const Devices& on)
{
    const std::int64_t sharers = copiesOf(layout, on).devices;
    if (on.device.kind == DeviceKind::Cpu)
        return memoryOnEach(pass, pass.memory.activations, layout, sharers);
    const std::int64_t passes = passesOf(pass.training, layout, on.count);
    const HeldActivations& held = HoldingPlace(on, pass.training).heldOf(pass);
    Quantity activations = activationsWith(held, pass.blocks, layout, passes);
    if (activations.isAvailable() && mayKeepTwice(pass.training, layout, layout.sharding)) {
        const double usual = keptTwice(pass, layout, layout.sharding, held);
        activations = Quantity::within(activations.value() + usual, activations.low(),
                                       activations.high() + held.kept / real(layout.context),
                                       Unit::Bytes, Basis::Forecast, activations.how());
    }
    const Quantity even = memoryOnEach(pass, activations, layout, sharers);
    return layout.experts == 1 || !even.isAvailable() ? even : withUnevenRows(even);
}

bool fits(const TrainingDemand& pass, const Layout& layout, const HoldingPlace& place)
{
    Divided divided(pass, layout, place.on);
    return Unsharded(pass, divided, place).fitsWith(layout.sharding);
}

bool mayFit(const TrainingDemand& demand, const HoldingPlace& place)
{
    const TrainingMemory& m = demand.memory;
    const double all = m.parameters.value() + m.gradients.value() + m.optimizer.value();
    return place.offload != Offload::None || all <= place.usable * real(place.on.count);
}

Fits fitsOn(const Quantity& memory, const Devices& on)
{
    if (!memory.isAvailable() || !on.device.memoryGb)
        return Fits::Unknown;
    return memory.value() <= usableBytes(on) ? Fits::Yes : Fits::No;
}

Fits fitsBeside(double hostBytes, const std::optional<double>& hostGb,
                const Calibration& calibration)
{
    if (!hostGb)
        return Fits::Unknown;
    const double usable = *hostGb * BytesPerGb * calibration.host.usableMemory;
    return hostBytes <= usable ? Fits::Yes : Fits::No;
}

} // namespace outlay::core
