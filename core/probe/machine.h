// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The machine that a measurement is made on.
#pragma once

#include "core/base/fields.h"
#include "core/settings/settings.h"

namespace outlay::core {

struct HostMachine {
    std::string id; // tells machines apart, and nothing else; none of older measurements
    std::string processor;
    std::int64_t cores = 0;            // that this process may use
    std::vector<std::string> features; // of the instruction set, those that matter for matrices
    double memoryBytes = 0;
    // How it was set up and how busy it was when the measurement began; none of older measurements.
    std::string system;   // kernel and its release
    std::string governor; // of the clock, where it can be seen
    std::optional<double> clockHz;
    std::optional<double> cacheBytes; // of the last level
    std::optional<double> load;       // processes that wanted to run, mean of a minute
    std::string blas;                 // library, and the kernels that it picked
    std::string torch;                // version of LibTorch
    std::string device; // "cpu", or the accelerator's name ("cuda" where the driver doesn't say)
    std::optional<double> matrixFlopsPerSecond; // of a large product, reached here
    std::optional<Precision> matrixPrecision;   // of that product; none: fp32
    // By all threads that a job may use, not one; none of older measurements.
    std::optional<double> wholeFlopsPerSecond;
    std::optional<double> memoryBytesPerSecond; // of a long copy, reached here

    bool operator==(const HostMachine&) const = default;
};

void describe(FieldVisitor& v, HostMachine& m);

/// What the operating system tells; the libraries' part is left empty.
[[nodiscard]] HostMachine thisMachine();
/// How it is set up and how busy it is now; slow where the system samples clocks to tell.
void addState(HostMachine& machine);

/// Whether its processor is what was measured, not an accelerator.
[[nodiscard]] bool isProcessor(const HostMachine& machine);

/// Whether what was measured on the one holds for the other: they are the same, as far as both say, and
/// offer the same cores.
[[nodiscard]] bool isSameMachine(const HostMachine& a, const HostMachine& b);

/// OpenBLAS's name for the kernels that a processor with these features should get; empty if its
/// choice can't be judged.
[[nodiscard]] std::string_view bestOpenBlasCore(const std::vector<std::string>& features);

} // namespace outlay::core
