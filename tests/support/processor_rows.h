// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Our own timings of whole training steps on a processor, by the worker: 2026-11-29, two cores of an AMD EPYC in a virtual
// machine, LibTorch 1.13, OpenBLAS 0.3.21 with its kernels for Haswell, glibc 2.36, fp32, Adam.
#pragma once

#include "core/base/result.h"
#include "core/hardware/demand.h"
#include "core/hardware/roofline.h"

namespace outlay::tests {

struct ProcessorRow {
    core::Model model;
    core::Training training; // `keepMemory` says whether freed memory was kept
    double stepS = 0;
    double forwardShare = 0;
    double peakBytes = 0; // over the process before
    double flopsPerS = 0; // that all threads reached in a large product before
    double bytesPerS = 0; // that one reached in a long copy
    core::TrainingDemand demand;

    /// About a third of the designs, which no constant was fitted to.
    [[nodiscard]] bool isSetAside() const;
    [[nodiscard]] std::string_view family() const { return core::familyOf(model); }
};

[[nodiscard]] core::Result<std::vector<ProcessorRow>> processorRowsIn(const std::string& path);

[[nodiscard]] core::Attainable ratesOf(const ProcessorRow& row,
                                       const core::Calibration& calibration);
/// Of a step.
[[nodiscard]] double secondsOf(const ProcessorRow& row, const core::Calibration& calibration);

} // namespace outlay::tests
