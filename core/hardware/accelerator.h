// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// An accelerator or the processors of an instance: what it can do at most, and what it lacks.
#pragma once

#include "core/base/fields.h"
#include "core/base/quantity.h"
#include "core/settings/settings.h"

#include <array>

namespace outlay::core {

enum class DeviceKind { Gpu, Tpu, Npu, Cpu };
inline constexpr std::array<std::string_view, 4> DeviceKindNames{"gpu", "tpu", "npu", "cpu"};

/// Rates are dense peaks; what isn't known is not set.
struct Device {
    std::string name;
    std::vector<std::string> aliases; // words by which offers and people call it
    DeviceKind kind = DeviceKind::Gpu;
    std::string vendor;
    std::string generation; // devices of one generation share a calibration
    std::optional<std::int64_t> year;
    std::optional<double> fp32Tflops;
    std::optional<double> tf32Tflops;
    std::optional<double> halfTflops; // 16-bit products, summed in fp32 where there is a choice
    bool sumsAtHalfRate = false;      // in fp32: where sums have 16 bits, twice that
    std::optional<double> int8Tops;
    bool hasBf16 = false;
    bool hasFp8 = false;            // at the rate of int8
    bool servesOnly = false;        // made for serving: it can't train
    std::optional<double> memoryGb; // 10^9 bytes
    std::optional<double> memoryGbPerS;
    std::optional<double> clockGhz;   // the highest that is listed
    std::optional<double> units;      // that compute
    std::optional<double> cacheMb;    // of its last cache
    std::optional<double> linkGbPerS; // to its neighbours, one direction
    std::optional<double> hostGbPerS; // to its machine's memory, where that is another link
    std::optional<double> tdpWatts;
    std::optional<double> idleWatts;
    std::optional<double> maxWatts;
    std::string source;
    std::string asOf;

    bool operator==(const Device&) const = default;
};

/// The widest of PCIe 5: what is wider joins accelerators alone.
inline constexpr double WidestBusGbPerS = 64;

/// To and from its machine's memory, one direction; nothing where nobody lists it.
[[nodiscard]] std::optional<double> hostLinkGbPerS(const Device& device);

/// The units that a product of some precision runs on.
enum class Arithmetic { Fp32, Tf32, Half, Fp8 };
inline constexpr std::array<std::string_view, 4> ArithmeticNames{"fp32", "tf32", "half", "fp8"};

struct PeakRate {
    double flopsPerS = 0; // 0: not known
    Arithmetic arithmetic = Arithmetic::Fp32;
    Note note; // what the device lacks, and what it does instead; may be empty
};

[[nodiscard]] PeakRate peakRate(const Device& device, Precision precision);
/// Of served weights: int8 and int4, and fp8 where there are no units for it, are widened to 16 bits before they
/// multiply.
[[nodiscard]] PeakRate peakRate(const Device& device, ServingPrecision precision);

/// Watts at no load and at full load; modelled where no figure is listed, with the note that says so.
struct PowerRange {
    double idleWatts = 0;
    double maxWatts = 0; // 0: not known
    Note note;
};

/// `idleShare` of the TDP is the idle power of a device for which none is listed.
[[nodiscard]] PowerRange powerRange(const Device& device, double idleShare);

/// The processors of a cloud instance, per vCPU.
struct Processor {
    std::string name;
    std::string vendor;
    std::string microarchitecture;
    double gflopsPerVcpu = 0;
    std::optional<double> gbPerSPerVcpu;
    std::int64_t vcpus = 0; // of a whole socket
    std::optional<double> idleWattsPerVcpu;
    std::optional<double> maxWattsPerVcpu;
    std::vector<std::string> usedBy; // instance families
    std::string source;
    std::string asOf;

    bool operator==(const Processor&) const = default;
};

/// What a machine that has a part of a socket reads of its memory: more than its even share, for others don't read all
/// the time, and a core alone reads more; never more than the whole socket.
struct PartOfSocket {
    double ofEvenShare = 1;
    std::string source;
    std::string asOf;
};

/// `vcpus` of a processor as one device with its part of the socket.
[[nodiscard]] Device deviceOf(const Processor& processor, double vcpus,
                              std::optional<double> memoryGb, const PartOfSocket& part);

/// What joins machines of these kinds, as it is sold with each of them.
struct Network {
    std::vector<std::string> instances;
    double gbitPerS = 0; // one direction
    std::string source;
    std::string asOf;

    bool operator==(const Network&) const = default;
};

/// Machines that are sold with their full speed for a while, and a share of it for as long as one wants.
struct Burstable {
    std::vector<std::string> instances;
    double sustained = 1; // the share
    std::string source;
    std::string asOf;

    bool operator==(const Burstable&) const = default;
};

void describe(FieldVisitor& v, Device& d);
void describe(FieldVisitor& v, Processor& p);
void describe(FieldVisitor& v, PartOfSocket& p);
void describe(FieldVisitor& v, Network& n);
void describe(FieldVisitor& v, Burstable& b);

} // namespace outlay::core
