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

struct Job {
    Model model;
    Training training;
    Serving serving;
    double seconds = 10;
    ProbeDevice device = ProbeDevice::Cpu;
    std::vector<std::string> variants; // names; "all"; none if empty
    std::int64_t threads = 0;          // 0: the worker chooses
    std::int64_t processes = 1;        // that also train together, one thread each
    bool lengths = false;              // also sequences of other lengths, by the twin, too

    bool operator==(const Job&) const = default;
};

[[nodiscard]] std::string toLine(const Job& job);
[[nodiscard]] Result<Job> readJob(std::string_view line);

} // namespace outlay::core
