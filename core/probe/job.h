// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a worker is asked to measure: one JSON line.
#pragma once

#include "core/model/model.h"
#include "core/settings/settings.h"

namespace outlay::core {

/// Raised whenever one side would misunderstand the other.
inline constexpr std::int64_t ProtocolVersion = 1;

enum class ProbeDevice { Cpu, Cuda };
inline constexpr std::array<std::string_view, 2> ProbeDeviceNames{"cpu", "cuda"};

/// Of several machines that train together, one process each.
struct Together {
    std::int64_t rank = 0;          // of this one
    std::vector<std::string> hosts; // as a person calls them, by rank
    std::string address;            // of this one for the others; empty: it finds out

    bool operator==(const Together&) const = default;
};

struct Job {
    Model model;
    Training training;
    Serving serving;
    double seconds = 10;
    ProbeDevice device = ProbeDevice::Cpu;
    std::vector<std::string> variants; // names; "all"; none if empty
    std::int64_t threads = 0;          // 0: the worker chooses
    std::int64_t processes = 1;        // that also train together, one thread each
    std::optional<Together> together;  // with other machines, as soon as it has been measured alone
    bool lengths = false;              // also sequences of other lengths, by the twin, too

    bool operator==(const Job&) const = default;
};

void describe(FieldVisitor& v, Together& t);

[[nodiscard]] std::string toLine(const Job& job);
[[nodiscard]] Result<Job> readJob(std::string_view line);

} // namespace outlay::core
