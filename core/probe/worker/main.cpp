// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// outlay-probe: one job in, messages out. See docs/worker.md.
#include "core/base/file.h"
#include "core/base/manual_page.h"
#include "core/probe/host/blas.h"
#include "core/probe/worker/measure/process_rank.h"
#include "core/probe/worker/run_job.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace {

using namespace outlay;

/// The first line of standard input, byte by byte: what follows is for the listener.
std::string readFirstLine()
{
    std::string line;
    char byte = 0;
    while (line.size() < core::LongestLine && ::read(STDIN_FILENO, &byte, 1) == 1 && byte != '\n')
        line += byte;
    return line;
}

int fail(worker::Channel& channel, const core::Error& error)
{
    channel.send(core::ProbeError{(error.place.empty() ? "" : error.place + ": ") + error.what,
                                  error.remedy});
    return core::exitStatus(error.code);
}

/// "--process FOLDER RANK COUNT PARENT": what the worker starts itself with; nothing for other arguments.
std::optional<worker::Rank> rankOf(int argc, char* argv[])
{
    if (argc != 6 || std::strcmp(argv[1], "--process") != 0)
        return std::nullopt;
    const auto number = [&](int i) { return std::atoi(argv[i]); };
    return worker::Rank{argv[2], number(3), number(4), number(5)};
}

constexpr const char* About =
    "Measures one job of Outlay: a JSON line on standard input, or in FILE. Writes JSON lines to "
    "standard output. `outlay probe` and the window start it; on a machine of its own it needs "
    "nothing else of Outlay.";

core::ManualPage manual()
{
    return {.name = "outlay-probe",
            .purpose = "measures the training and serving of a design for Outlay",
            .sections = {{.title = "SYNOPSIS", .text = "outlay-probe [--job FILE]"},
                         {.title = "DESCRIPTION", .text = About},
                         {.title = "OPTIONS",
                          .terms = {{"--job FILE", "the job, instead of standard input"},
                                    {"--help", "says what it does"},
                                    {"--manual", "prints this page"}}},
                         {.title = "SEE ALSO", .text = "outlay(1)"}}};
}

} // namespace

int main(int argc, char* argv[])
{
    if (const auto rank = rankOf(argc, argv))
        ::_exit(worker::runRank(*rank));
    const bool hasFile = argc == 3 && std::strcmp(argv[1], "--job") == 0;
    const std::string_view asked = argc == 2 ? argv[1] : "";
    if (asked == "--manual") {
        std::fputs(core::manualText(manual()).c_str(), stdout);
        return 0;
    }
    if (argc != 1 && !hasFile) {
        const bool isHelp = asked == "--help";
        std::fprintf(isHelp ? stdout : stderr, "Usage: outlay-probe [--job FILE]\n\n%s\n", About);
        return isHelp ? 0 : 2;
    }
    worker::restartWithBetterKernels(argv);
    const core::Hello hello = worker::makeHello(); // a driver may take seconds: no beat before it
    worker::Channel channel(stdout);
    channel.send(hello);
    const auto text =
        hasFile ? core::loadFile(argv[2]) : core::Result<std::string>(readFirstLine());
    if (!text)
        return fail(channel, text.error());
    const auto job = core::readJob(*text);
    if (!job)
        return fail(channel, job.error());
    if (!hasFile) {
        // Ctrl+C reaches every program of the terminal; who started this one says "cancel" then.
        std::signal(SIGINT, SIG_IGN);
        channel.listen(STDIN_FILENO);
    }
    const int status = worker::runJob(*job, channel);
    std::fflush(stdout);
    // LibTorch's and the listener's threads are not waited for.
    ::_exit(status);
}
