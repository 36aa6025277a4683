// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/blas.h"

#include "core/probe/machine.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <unistd.h>

namespace outlay::worker {
namespace {

/// A function of a library that is loaded already; null if none has it.
template <typename Function>
Function find(const char* name)
{
    return reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
}

/// Kernels without AVX2's: on a processor that has it OpenBLAS runs them where it doesn't know it.
bool isFallback(const std::string& core)
{
    constexpr std::array<std::string_view, 13> Older{
        "Katmai", "Coppermine", "Northwood", "Prescott",  "Banias", "Core2",      "Penryn",
        "Atom",   "Nehalem",    "Athlon",    "Barcelona", "Bobcat", "Sandybridge"};
    return std::find(Older.begin(), Older.end(), core) != Older.end();
}

constexpr const char* Chosen = "OPENBLAS_CORETYPE";
constexpr const char* Replaced = "OUTLAY_REPLACED_KERNELS"; // set beside it by `restart...`

} // namespace

Blas loadedBlas()
{
    if (const auto coreName = find<char* (*)()>("openblas_get_corename"))
        return {"OpenBLAS", coreName()};
    if (find<void (*)()>("bli_init") != nullptr)
        return {"BLIS", {}};
    if (find<void (*)()>("MKL_Get_Max_Threads") != nullptr)
        return {"MKL", {}};
    return {"unknown", {}};
}

void setBlasThreads(std::int64_t count)
{
    if (const auto set = find<void (*)(int)>("openblas_set_num_threads"))
        set(static_cast<int>(count));
}

std::int64_t blasThreads()
{
    const auto get = find<int (*)()>("openblas_get_num_threads");
    return get == nullptr ? 1 : get();
}

std::string_view betterKernels(const Blas& blas, const std::vector<std::string>& features)
{
    const std::string_view best = core::bestOpenBlasCore(features);
    // Between Haswell's and those for AVX-512 OpenBLAS knows better: on some processors these are slower.
    return blas.name == "OpenBLAS" && isFallback(blas.core) ? best : std::string_view();
}

void restartWithBetterKernels(char* argv[])
{
    // A program around this one (valgrind, an emulator) would lose it.
    std::error_code ignored;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored).filename();
    if (std::getenv(Chosen) != nullptr || std::getenv("OUTLAY_PROBE_WRAPPER") != nullptr ||
        program != std::filesystem::path(argv[0]).filename())
        return;
    const Blas blas = loadedBlas();
    const std::string better(betterKernels(blas, core::thisMachine().features));
    if (better.empty())
        return;
    ::setenv(Chosen, better.c_str(), 1);
    ::setenv(Replaced, blas.core.c_str(), 1);
    ::execv("/proc/self/exe", argv);
    // Where that can't be, these kernels do.
    ::unsetenv(Chosen);
    ::unsetenv(Replaced);
}

std::string blasFinding(const Blas& blas, const std::vector<std::string>& features)
{
    if (blas.name == "unknown")
        return "The matrix library is unknown, maybe the reference one, which is ten times slower; "
               "install libopenblas0-pthread.";
    const char* replaced = std::getenv(Replaced);
    if (replaced != nullptr && blas.core != replaced)
        return "OpenBLAS doesn't know this processor and would run its " + std::string(replaced) +
               " kernels; this was measured with OPENBLAS_CORETYPE=" + blas.core +
               ": set it for your own runs, too.";
    const std::string best(betterKernels(blas, features));
    if (best.empty())
        return {};
    return "OpenBLAS runs its " + blas.core + " kernels on a processor that can run " + best +
           "; set OPENBLAS_CORETYPE=" + best + " in the environment.";
}

} // namespace outlay::worker
