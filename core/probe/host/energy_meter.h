// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The machine's own counters of energy, where it has some that may be read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace outlay::worker {

class EnergyMeter {
public:
    virtual ~EnergyMeter() = default;

    [[nodiscard]] virtual std::string name() const = 0;
    /// Since the meter was made; nothing when the counter can no longer be read.
    [[nodiscard]] virtual std::optional<double> joules() = 0;

    /// RAPL's package counters under `folder`; null where there are none or they may not be read.
    [[nodiscard]] static std::unique_ptr<EnergyMeter> makeRapl(
        const std::string& folder = "/sys/class/powercap");
    /// NVML's counter of the first accelerator; null without its library.
    [[nodiscard]] static std::unique_ptr<EnergyMeter> makeNvml();
};

} // namespace outlay::worker
