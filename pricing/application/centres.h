// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Computing centres that give time on application, and the units that each counts it in.
#pragma once

#include "core/base/fields.h"

#include <array>

namespace outlay::pricing {

enum class ChargedPer { Device, Node, Core };
inline constexpr std::array<std::string_view, 3> ChargedPerNames{"device", "node", "core"};

/// A worked example that the centre publishes, or what its table says of the smallest job.
struct ChargeExample {
    std::int64_t devices = 0;
    double hours = 0;
    double units = 0;

    bool operator==(const ChargeExample&) const = default;
};
void describe(core::FieldVisitor& v, ChargeExample& e);

/// One partition of a centre. Without accelerators a whole node is its device.
struct Centre {
    std::string id;   // "lumi-g"
    std::string name; // "LUMI-G"
    std::string runBy;
    std::string country; // ISO 3166
    std::string device;  // as the hardware catalog has it; empty: processors
    std::int64_t devicesPerNode = 1;
    std::int64_t coresPerNode = 0;  // of processors
    std::optional<double> memoryGb; // of a device, where it has another memory than the catalog's
    std::optional<double> networkGbitPerS; // of a node; nothing: not known
    std::string unit;                      // "SBU"
    double units = 1;                      // that an hour of one of these is
    ChargedPer per = ChargedPer::Device;
    std::string note;
    std::optional<ChargeExample> example;
    std::int64_t source = 0; // of the unit: index into the centres' sources
    std::int64_t hardwareSource = 0;

    [[nodiscard]] bool hasAccelerators() const { return !device.empty(); }
    [[nodiscard]] std::int64_t nodesOf(std::int64_t devices) const;
    /// Units that an hour of so many devices is charged.
    [[nodiscard]] double unitsPerHour(std::int64_t devices) const;

    bool operator==(const Centre&) const = default;
};
void describe(core::FieldVisitor& v, Centre& c);

struct CentreSource {
    std::string name;
    std::string url;
    std::string read; // the day on which somebody did

    bool operator==(const CentreSource&) const = default;
};

class Centres {
public:
    [[nodiscard]] static core::Result<Centres> create(std::string_view json);

    [[nodiscard]] const std::vector<Centre>& all() const { return m_centres; }
    /// Of its unit, and of what its nodes hold.
    [[nodiscard]] const CentreSource& source(const Centre& centre) const;
    [[nodiscard]] const CentreSource& hardwareSource(const Centre& centre) const;
    /// By its id; else an error with the nearest, or with all.
    [[nodiscard]] core::Result<Centre> centre(std::string_view id) const;

private:
    std::vector<Centre> m_centres;
    std::vector<CentreSource> m_sources;
};

/// Of resources/centres.json; read once, and part of the program, so a broken one is an internal fault.
[[nodiscard]] const core::Result<Centres>& centres();

} // namespace outlay::pricing
