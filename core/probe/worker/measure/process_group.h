// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Several processes that sum their tensors, by LibTorch's c10d with Gloo: over the loopback interface, or between machines.
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

class Meeting;

struct Membership {
    int rank = 0;
    int count = 1;
    std::string storeFile = {}; // where they find each other on one machine; new for each group
    Meeting* meeting = nullptr; // or between machines,
    std::string address = {};   // where the others reach this one
};
/// Waits for the others; throws when they don't come. Null where there are no process groups.
[[nodiscard]] std::unique_ptr<ProcessGroup> joinGroup(const Membership& membership);

} // namespace outlay::worker
