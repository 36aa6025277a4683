// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a worker says of itself and of the machine that it is on, when it is asked for nothing else.
#pragma once

#include "core/probe/machine.h"

namespace outlay::core {

struct HostFacts {
    std::int64_t protocol = 0;
    std::string build;
    std::string device; // the best that it can measure on: "cpu", "cuda"
    HostMachine machine;
    std::vector<std::string> missingWalls; // what the worker isn't kept from there, a sentence each

    bool operator==(const HostFacts&) const = default;
};

[[nodiscard]] std::string toLine(const HostFacts& facts);
/// The last line of `text` that says them: a shell may have said something before.
[[nodiscard]] Result<HostFacts> readHostFacts(std::string_view text);

} // namespace outlay::core
