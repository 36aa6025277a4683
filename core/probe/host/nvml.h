// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What NVIDIA's driver says of the accelerator that LibTorch takes first. Its library is found at run time.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace outlay::worker {

class Nvml {
public:
    /// Nothing where there is no driver, no accelerator that may be used, or several unlike ones of which LibTorch's
    /// first isn't known.
    [[nodiscard]] static std::optional<Nvml> open();

    /// As "NVIDIA H100 80GB HBM3"; empty where the driver doesn't say.
    [[nodiscard]] std::string name() const;
    /// Of its memory, whoever has the rest.
    [[nodiscard]] std::optional<double> freeBytes() const;
    /// Since the driver was loaded.
    [[nodiscard]] std::optional<double> joules() const;

private:
    Nvml(void* library, void* device) : m_library(library), m_device(device) {}

    void* m_library; // stays loaded
    void* m_device;
};

/// Of a device as jobs name it ("cpu", "cuda"): the accelerator's name, or what was given.
[[nodiscard]] std::string deviceNameOf(std::string_view device);

} // namespace outlay::worker
