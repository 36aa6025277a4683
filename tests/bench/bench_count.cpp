// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How long it takes to expand a design and count it, and to make its whole Report.
#include "core/experiment/presets.h"
#include "core/workload/parameters.h"
#include "pricing/report/make_report.h"
#include "tests/bench/samples.h"
#include "tests/support/catalogs.h"

#include <cstdio>

using namespace outlay;

int main()
{
    constexpr int Repetitions = 2000;
    std::printf("%s\n%-16s %8s  %-24s %-24s\n%-16s %8s  %11s %11s  %11s %11s\n",
                bench::machineName().c_str(), "", "", "count, ms", "Report, ms", "preset", "layers",
                "median", "99 %", "median", "99 %");
    std::int64_t total = 0; // keeps the work from being left out
    for (const core::Preset& row : *core::presets()) {
        const auto counting = bench::timesOf(
            Repetitions, [&] { total += core::parametersOf(core::expand(row.experiment.model)); });
        const auto reporting = bench::timesOf(Repetitions, [&] {
            total +=
                pricing::makeReport(row.experiment, outlay::tests::catalogs()).model.parameters;
        });
        std::printf("%-16s %8zu  %11.4f %11.4f  %11.4f %11.4f\n", row.id.c_str(),
                    core::expand(row.experiment.model).size(), bench::percentile(counting, 0.5),
                    bench::percentile(counting, 0.99), bench::percentile(reporting, 0.5),
                    bench::percentile(reporting, 0.99));
    }
    return total > 0 ? 0 : 1;
}
