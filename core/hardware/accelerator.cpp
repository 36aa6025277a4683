// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/accelerator.h"

#include "core/base/text.h"
#include "core/base/units.h"

namespace outlay::core {
namespace {

constexpr double MostTflops = 1e6;
constexpr double MostWatts = 1e5;

PeakRate fp32Rate(const Device& device, std::string note)
{
    // A TPU or NPU without an fp32 figure computes in its 16-bit units, several times as often.
    constexpr double PassesOfHalf = 6;
    if (device.fp32Tflops)
        return {*device.fp32Tflops * Tera, Arithmetic::Fp32, std::move(note)};
    if (device.halfTflops)
        return {*device.halfTflops * Tera / PassesOfHalf, Arithmetic::Fp32,
                device.name + " lists no fp32 rate: a sixth of its 16-bit rate is taken"};
    return {};
}

PeakRate halfRate(const Device& device, const char* precision)
{
    if (device.halfTflops)
        return {*device.halfTflops * Tera, Arithmetic::Half, {}};
    return fp32Rate(device, device.name + " has no fast units for " + precision +
                                ": it is computed at the fp32 rate");
}

/// Or what it takes instead.
PeakRate fp8Rate(const Device& device, Precision otherwise, std::string_view lack)
{
    if (device.hasFp8 && device.int8Tops)
        return {*device.int8Tops * Tera, Arithmetic::Fp8, {}};
    PeakRate widened = peakRate(device, otherwise);
    if (widened.note.empty())
        widened.note = device.name + std::string(lack);
    return widened;
}

} // namespace

PeakRate peakRate(const Device& device, Precision precision)
{
    switch (precision) {
    case Precision::Fp32: return fp32Rate(device, {});
    case Precision::Tf32:
        if (device.tf32Tflops)
            return {*device.tf32Tflops * Tera, Arithmetic::Tf32, {}};
        return fp32Rate(device, device.name + " has no tf32: it is computed in fp32");
    case Precision::Fp16: return halfRate(device, "fp16");
    case Precision::Bf16:
        if (!device.hasBf16)
            return fp32Rate(device, device.name +
                                        " has no bf16 units: it is computed at the fp32 rate" +
                                        (device.halfTflops ? "; fp16 is faster there" : ""));
        return halfRate(device, "bf16");
    case Precision::Fp8:
        return fp8Rate(device, Precision::Bf16,
                       ": no fp8 rate is listed, so it is computed in bf16");
    }
    return {};
}

PeakRate peakRate(const Device& device, ServingPrecision precision)
{
    switch (precision) {
    case ServingPrecision::Fp32: return peakRate(device, Precision::Fp32);
    case ServingPrecision::Bf16: return peakRate(device, Precision::Bf16);
    case ServingPrecision::Fp8:
        return fp8Rate(device, Precision::Fp16,
                       ": no fp8 rate is listed, so weights are widened to 16 bits");
    case ServingPrecision::Fp16:
    case ServingPrecision::Int8:
    case ServingPrecision::Int4: return peakRate(device, Precision::Fp16);
    }
    return {};
}

PowerRange powerRange(const Device& device, double idleShare)
{
    PowerRange power;
    power.maxWatts = device.maxWatts.value_or(device.tdpWatts.value_or(0));
    power.idleWatts = device.idleWatts.value_or(power.maxWatts * idleShare);
    if (power.maxWatts <= 0)
        power.note = "no power is listed for " + device.name;
    else if (!device.maxWatts || !device.idleWatts)
        power.note = std::string(device.maxWatts ? "idle" : "idle and full") + " power of " +
                     device.name + " modelled from its TDP";
    else
        power.note = "power of " + device.name + ": " + device.source;
    return power;
}

Device deviceOf(const Processor& processor, double vcpus, std::optional<double> memoryGb,
                const PartOfSocket& part)
{
    const auto scaled = [&](const std::optional<double>& perVcpu) {
        return perVcpu ? std::optional(*perVcpu * vcpus) : std::nullopt;
    };
    Device device;
    device.name = plainNumber(vcpus) + " vCPUs of " + processor.name;
    device.kind = DeviceKind::Cpu;
    device.vendor = processor.vendor;
    device.generation = "cpu";
    device.fp32Tflops = processor.gflopsPerVcpu * vcpus / 1000;
    device.memoryGb = memoryGb;
    if (processor.gbPerSPerVcpu) {
        const double socket = std::max(vcpus, static_cast<double>(processor.vcpus));
        device.memoryGbPerS = *processor.gbPerSPerVcpu * std::min(vcpus * part.ofEvenShare, socket);
    }
    device.idleWatts = scaled(processor.idleWattsPerVcpu);
    device.maxWatts = scaled(processor.maxWattsPerVcpu);
    device.source = processor.source;
    device.asOf = processor.asOf;
    return device;
}

std::optional<double> hostLinkGbPerS(const Device& device)
{
    if (device.hostGbPerS || !device.linkGbPerS || *device.linkGbPerS > WidestBusGbPerS)
        return device.hostGbPerS;
    return device.linkGbPerS;
}

void describe(FieldVisitor& v, Device& d)
{
    v.text({.key = "name", .what = "name", .presence = Presence::Required}, d.name);
    v.texts({.key = "aliases", .what = "other names"}, d.aliases);
    v.choice({.key = "kind", .what = "kind of device"}, d.kind, DeviceKindNames);
    v.text({.key = "vendor", .what = "vendor"}, d.vendor);
    v.text({.key = "generation", .what = "generation"}, d.generation);
    v.integer({"year", "year of release", 2000, 2100}, d.year);
    v.number({"fp32_tflops", "fp32 rate", 0, MostTflops}, d.fp32Tflops);
    v.number({"tf32_tflops", "tf32 rate", 0, MostTflops}, d.tf32Tflops);
    v.number({"half_tflops", "16-bit rate", 0, MostTflops}, d.halfTflops);
    v.flag({.key = "sums_at_half_rate", .what = "sums in fp32 at half of the rate"},
           d.sumsAtHalfRate);
    v.number({"int8_tops", "int8 rate", 0, MostTflops}, d.int8Tops);
    v.flag({.key = "bf16", .what = "has bf16 units"}, d.hasBf16);
    v.flag({.key = "fp8", .what = "has fp8 units"}, d.hasFp8);
    v.flag({.key = "serves_only", .what = "can't train"}, d.servesOnly);
    v.number({"memory_gb", "memory", 0, MostTflops}, d.memoryGb);
    v.number({"memory_gb_per_s", "memory bandwidth", 0, MostTflops}, d.memoryGbPerS);
    v.number({"clock_ghz", "clock", 0.1, 10}, d.clockGhz);
    v.number({"units", "units that compute", 1, 1e5}, d.units);
    v.number({"cache_mb", "last cache", 0.1, 1e5}, d.cacheMb);
    v.number({"link_gb_per_s", "link bandwidth, one direction", 0, MostTflops}, d.linkGbPerS);
    v.number({"host_gb_per_s", "bandwidth to the machine's memory, one direction", 0.1, MostTflops},
             d.hostGbPerS);
    v.number({"tdp_w", "thermal design power", 0, MostWatts}, d.tdpWatts);
    v.number({"idle_w", "idle power", 0, MostWatts}, d.idleWatts);
    v.number({"max_w", "power at full load", 0, MostWatts}, d.maxWatts);
    v.text({.key = "as_of", .what = "date of the source"}, d.asOf);
}

void describe(FieldVisitor& v, Processor& p)
{
    v.text({.key = "name", .what = "name", .presence = Presence::Required}, p.name);
    v.text({.key = "vendor", .what = "vendor"}, p.vendor);
    v.text({.key = "microarchitecture", .what = "microarchitecture"}, p.microarchitecture);
    v.number({"gflops_per_vcpu", "fp32 rate of a vCPU", 0, MostTflops}, p.gflopsPerVcpu);
    v.number({"gb_per_s_per_vcpu", "memory bandwidth of a vCPU", 0, MostTflops}, p.gbPerSPerVcpu);
    v.integer({"vcpus", "vCPUs of a socket", 1, 1024}, p.vcpus);
    v.number({"idle_w_per_vcpu", "idle power of a vCPU", 0, MostWatts}, p.idleWattsPerVcpu);
    v.number({"max_w_per_vcpu", "power of a vCPU at full load", 0, MostWatts}, p.maxWattsPerVcpu);
    v.texts({.key = "used_by", .what = "instance families"}, p.usedBy);
    v.text({.key = "as_of", .what = "date of the source"}, p.asOf);
}

void describe(FieldVisitor& v, PartOfSocket& p)
{
    v.number({"of_even_share", "bandwidth of a part of a socket over its even share", 1, 100},
             p.ofEvenShare);
    v.text({.key = "as_of", .what = "date of the source"}, p.asOf);
}

void describe(FieldVisitor& v, Network& n)
{
    v.texts({.key = "instances", .what = "instances"}, n.instances);
    v.number({"gbit_per_s", "rate of a machine's network", 0.001, MostTflops}, n.gbitPerS);
    v.text({.key = "as_of", .what = "date of the source"}, n.asOf);
}

void describe(FieldVisitor& v, Burstable& b)
{
    v.texts({.key = "instances", .what = "instances"}, b.instances);
    v.number({"sustained", "share of its speed that a machine keeps up", 0.01, 1}, b.sustained);
    v.text({.key = "as_of", .what = "date of the source"}, b.asOf);
}

} // namespace outlay::core
