// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Our own timings of PyTorch's recurrent layers: 2026-11-26, NVIDIA H100 80GB HBM3, PyTorch 2.11.0 with CUDA 13.0 and
// cuDNN 9.19, inputs as wide as the state, CUDA events around single passes, medians of 5 to 50.
#pragma once

#include "core/base/result.h"
#include "core/hardware/roofline.h"
#include "core/model/layer.h"

namespace outlay::tests {

inline constexpr std::string_view TimedDevice = "H100-80GB-SXM5";

struct RecurrentSeconds {
    double forward = 0;
    double backward = 0;

    [[nodiscard]] double both() const { return forward + backward; }
};

struct RecurrentRow {
    core::Recurrent layer;
    core::Precision precision = core::Precision::Fp32;
    std::int64_t batch = 1;
    std::int64_t steps = 1;
    RecurrentSeconds seconds;
    std::vector<core::KernelGroup> groups;

    /// About a third of all, which no constant was fitted to.
    [[nodiscard]] bool isSetAside() const;
};

[[nodiscard]] core::Result<std::vector<RecurrentRow>> recurrentRowsIn(const std::string& path);

[[nodiscard]] RecurrentSeconds forecastOf(const RecurrentRow& row, const core::Device& device,
                                          const core::Calibration& calibration);

} // namespace outlay::tests
