// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The matrix library that LibTorch found when it was loaded, and its threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace outlay::worker {

struct Blas {
    std::string name; // "OpenBLAS"; "unknown" where it can't be told
    std::string core; // the kernels that it picked; may be empty
};

[[nodiscard]] Blas loadedBlas();

/// Has no effect on a library that can't be told.
void setBlasThreads(std::int64_t count);
/// 1 where the library doesn't say.
[[nodiscard]] std::int64_t blasThreads();

/// What OpenBLAS should run where it doesn't know the processor and fell back to kernels for any of its
/// kind; empty where its own choice may stay.
[[nodiscard]] std::string_view betterKernels(const Blas& blas,
                                             const std::vector<std::string>& features);

/// Starts this program again with those, which are chosen when it is loaded. Returns where there is nothing
/// to do, or where the environment names some already.
void restartWithBetterKernels(char* argv[]);

/// A sentence with its remedy when the library or its kernels waste the processor, here or in the user's own
/// runs; else empty.
[[nodiscard]] std::string blasFinding(const Blas& blas, const std::vector<std::string>& features);

} // namespace outlay::worker
