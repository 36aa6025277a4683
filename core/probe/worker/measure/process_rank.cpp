// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure/process_rank.h"

#include "core/base/file.h"
#include "core/probe/host/freed_memory.h"
#include "core/probe/host/rank_starter.h"
#include "core/probe/host/walls.h"
#include "core/probe/job.h"
#include "core/probe/processes.h"
#include "core/probe/worker/measure/group_member.h"
#include "core/probe/worker/measure/measure.h"

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace outlay::worker {
namespace {

using namespace outlay::core;

int fail(const std::string& why)
{
    std::fprintf(stderr, "outlay-probe: %s\n", why.c_str());
    return exitStatus(ErrorCode::Measurement);
}

int measured(const Rank& rank, const Job& job)
{
    const auto group = joinGroup(
        {.rank = rank.rank, .count = rank.count, .storeFile = rank.folder + RankStoreFile});
    if (group == nullptr)
        return fail("this worker was built without process groups");
    const ProcessesMeasurement m =
        measureMember(job, {.rank = rank.rank, .count = rank.count}, *group);
    if (rank.rank != 0)
        return 0;
    const auto saved = saveFile(rank.folder + RankResultFile, writeJson(fieldsOf(m)));
    return saved ? 0 : fail(saved.error().sentence());
}

} // namespace

int runRank(const Rank& rank)
{
    // Where the parent ended before, nobody would tell.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != rank.parent)
        return exitStatus(ErrorCode::Cancelled);
    raiseCallWallOfRank();
    setThreads({1, 1});
    const auto text = loadFile(rank.folder + RankJobFile);
    if (!text)
        return fail(text.error().sentence());
    const auto job = readJob(*text);
    if (!job)
        return fail(job.error().sentence());
    limitTo(*job);
    if (job->training.keepMemory)
        keepFreed();
    try {
        return measured(rank, *job);
    } catch (const std::exception& error) {
        return fail(error.what());
    }
}

} // namespace outlay::worker
