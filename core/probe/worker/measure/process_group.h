// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Several processes that sum their tensors, by LibTorch's c10d with Gloo over the loopback interface.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace at {
class Tensor;
}

namespace outlay::worker {

class ProcessGroup {
public:
    virtual ~ProcessGroup() = default;

    /// Leaves in each process the sum over all; throws when another one is gone.
    virtual void sum(at::Tensor& tensor) = 0;
};

/// Whether this worker was built with it.
[[nodiscard]] bool hasProcessGroups();

struct Membership {
    std::string storeFile; // where they find each other; new for each group
    int rank = 0;
    int count = 1;
};
/// Waits for the others; throws when they don't come. Null where there are no process groups.
[[nodiscard]] std::unique_ptr<ProcessGroup> joinGroup(const Membership& membership);

} // namespace outlay::worker
