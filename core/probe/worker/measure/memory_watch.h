// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Memory where a job computes: the machine's, or the accelerator's.
#pragma once

#include "core/probe/job.h"

#include <optional>
#include <torch/types.h>

namespace outlay::worker {

/// Bytes that are free there.
[[nodiscard]] double freeBytes(core::ProbeDevice device);
/// "this machine", "the accelerator".
[[nodiscard]] std::string_view placeOf(core::ProbeDevice device);

/// The highest mark of this process, or of its tensors on an accelerator, since the watch began.
class MemoryWatch {
public:
    explicit MemoryWatch(torch::Device device);

    /// Nothing where the worker was built without CUDA's headers, which it takes to ask LibTorch.
    [[nodiscard]] std::optional<double> peakBytes() const;
    /// Over what was held when the watch began.
    [[nodiscard]] std::optional<double> growthBytes() const;

private:
    torch::Device m_device;
    std::optional<double> m_before;
};

} // namespace outlay::worker
