// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// outlay-probe: measures with LibTorch. See docs/worker.md.
#include "core/probe/host/blas.h"
#include "core/probe/host/rank_starter.h"
#include "core/probe/host/worker_main.h"
#include "core/probe/worker/measure/process_rank.h"
#include "core/probe/worker/run_job.h"
#include "core/program/program_order.h"

#include <cstdlib>
#include <cstring>
#include <optional>
#include <unistd.h>

namespace {

using namespace outlay;

/// "--process FOLDER RANK COUNT PARENT": what the worker starts itself with; nothing for other arguments.
std::optional<worker::Rank> rankOf(int argc, char* argv[])
{
    if (argc != 6 || std::strcmp(argv[1], worker::RankOption) != 0)
        return std::nullopt;
    const auto number = [&](int i) { return std::atoi(argv[i]); };
    return worker::Rank{argv[2], number(3), number(4), number(5)};
}

} // namespace

int main(int argc, char* argv[])
{
    if (const auto rank = rankOf(argc, argv))
        ::_exit(worker::runRank(*rank));
    const int status = worker::workerMain(argc, argv,
                                          {.build = worker::buildName(),
                                           .hello = worker::makeHello,
                                           .run = worker::runJob,
                                           .prepare = worker::restartWithBetterKernels,
                                           .runProgram = core::carryOutOrder,
                                           .isWalled = true});
    // LibTorch's and the listener's threads are not waited for.
    ::_exit(status);
}
