// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Published timings of single kernels, read from a folder of tables.
#pragma once

#include "core/base/result.h"
#include "tests/fit/neighbours.h"
#include "tests/support/kernel_laws.h"

#include <variant>

namespace outlay::tests {

/// What has constants of its own.
enum class KernelKind {
    Full,
    Half,
    Fp8,
    Fp8Tiles,
    Fp4,
    Prompt,
    Cache,
    Experts,
    Chunks,
    States,
    Link,
    Pair,
    Bus
};
inline constexpr std::array<std::string_view, 13> KernelKindNames{
    "products fp32",          "products bf16",   "products fp8, as forecast",
    "products fp8, in tiles", "products nvfp4",  "attention, prompt",
    "attention, cache",       "experts",         "recurrence, chunks",
    "recurrence, a position", "exchange, links", "exchange, PCIe, two",
    "exchange, PCIe, more"};

struct KernelRow {
    KernelKind kind = KernelKind::Half;
    std::string system;
    int engine = 0; // that timed its own kernels
    Peaks peaks;
    double linkBytesPerS = 0;
    std::variant<ProductShape, AttentionCall, ExpertsShape, core::GatedShape, core::ExchangeShape>
        shape;
    double seconds = 0;
};

/// Rows that ran until the power limit held them are left out, and caches of 8 bits.
[[nodiscard]] core::Result<std::vector<KernelRow>> kernelRowsIn(const std::string& folder);

[[nodiscard]] Place placeOf(const KernelRow& row);

} // namespace outlay::tests
