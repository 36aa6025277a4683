// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How long `outlay estimate` takes for each preset, from the start of the process to its end.
#include "core/experiment/presets.h"
#include "tests/bench/samples.h"

#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

using namespace outlay;

namespace {

int runEstimate(const std::string& file)
{
    const pid_t child = ::fork();
    if (child == 0) {
        // Not through stdio: what is still in its buffer is the parent's to print.
        if (::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO) >= 0)
            ::execl(OUTLAY_PROGRAM, "outlay", "estimate", file.c_str(), nullptr);
        ::_exit(127);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

int main()
{
    constexpr int Repetitions = 50;
    std::printf("%s\n%-16s %10s %10s   wall time of `outlay estimate`, ms\n",
                bench::machineName().c_str(), "preset", "median", "99 %");
    const std::string file =
        (std::filesystem::temp_directory_path() / ("outlay-bench-" + std::to_string(::getpid())))
            .string();
    int failures = 0;
    for (const core::Preset& row : *core::presets()) {
        if (!core::saveExperiment(row.experiment, file))
            return 1;
        const auto times =
            bench::timesOf(Repetitions, [&] { failures += runEstimate(file) == 0 ? 0 : 1; });
        std::printf("%-16s %10.2f %10.2f\n", row.id.c_str(), bench::percentile(times, 0.5),
                    bench::percentile(times, 0.99));
    }
    std::filesystem::remove(file);
    return failures == 0 ? 0 : 1;
}
