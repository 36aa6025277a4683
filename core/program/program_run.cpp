// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/program_run.h"

#include "core/probe/host/energy_meter.h"
#include "core/program/launched.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <sys/resource.h>
#include <thread>

namespace outlay::core {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

double unixSeconds()
{
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

/// User and system time of all that was started here and has ended.
double processorOfEnded()
{
    constexpr double PerMicro = 1e-6;
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           PerMicro * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

std::unique_ptr<worker::EnergyMeter> meterOf()
{
    auto meter = worker::EnergyMeter::makeNvml();
    return meter != nullptr ? std::move(meter) : worker::EnergyMeter::makeRapl();
}

/// The first accelerator's name, where the program has opened one.
std::string acceleratorInUse()
{
    const std::vector<std::string> open = ProcessTree::openFiles("nvidia");
    const bool isInUse = std::any_of(open.begin(), open.end(), [](const std::string& path) {
        return path.starts_with("/dev/nvidia") && path != "/dev/nvidiactl";
    });
    if (!isInUse)
        return {};
    std::error_code error;
    for (std::filesystem::directory_iterator at("/proc/driver/nvidia/gpus", error), end;
         !error && at != end; at.increment(error)) {
        std::ifstream file(at->path() / "information");
        for (std::string line; std::getline(file, line);) {
            if (line.starts_with("Model:"))
                return line.substr(line.find_first_not_of(" \t", std::string("Model:").size()));
        }
    }
    return "an NVIDIA accelerator";
}

/// Something is done when as much time has gone by since it was last done.
class Every {
public:
    explicit Every(double seconds) : m_everyS(seconds) {}
    [[nodiscard]] bool isDue(double nowS)
    {
        if (nowS < m_dueS)
            return false;
        m_dueS = nowS + m_everyS;
        return true;
    }

private:
    double m_everyS;
    double m_dueS = 0;
};

class Run {
public:
    Run(const ProgramJob& job, Patience patience, Launched launched, double beforeS)
        : m_job(job), m_patience(patience), m_launched(std::move(launched)), m_beforeS(beforeS),
          m_watch(std::filesystem::current_path(), unixSeconds())
    {
    }

    ProgramOutcome toTheEnd()
    {
        constexpr int Milliseconds = 100;
        bool isGoingOn = true;
        while (isGoingOn) {
            isGoingOn = m_launched.wait(
                Milliseconds,
                [&](std::string_view bytes) { m_watch.toError(bytes, secondsSince(m_begin)); },
                [&](std::string_view bytes) { m_watch.toSteps(bytes, secondsSince(m_begin)); });
            if (!m_launched.status())
                look();
        }
        if (!m_outcome.wasEnded)
            m_outcome.seconds = secondsSince(m_begin);
        clearAway();
        finish();
        return std::move(m_outcome);
    }

private:
    void look()
    {
        const double nowS = secondsSince(m_begin);
        for (const int signal : Launched::signalsReceived())
            ::kill(m_launched.process(), signal);
        if (m_lookAtTree.isDue(nowS))
            m_tree.look();
        if (m_outcome.wasEnded)
            return insist(nowS);
        if (m_lookAtFiles.isDue(nowS)) {
            m_watch.lookAtFiles();
            if (m_outcome.accelerator.empty())
                m_outcome.accelerator = acceleratorInUse();
        }
        if (m_lookAtSteps.isDue(nowS)) {
            m_outcome.steps = m_watch.seen();
            if (m_job.tell)
                m_job.tell(nowS, forecastNow());
        }
        const bool isDone = m_job.steps && !m_outcome.steps.marks.empty() &&
                            m_outcome.steps.marks.back().steps >= *m_job.steps;
        if (!m_job.isWhole && (isDone || (!m_job.steps && nowS >= m_job.seconds)))
            end(nowS);
    }

    [[nodiscard]] std::optional<ProgramForecast> forecastNow() const
    {
        const TreeUsage usage = m_tree.usage();
        const double waiting = usage.processorS > 0 ? usage.delayedS / usage.processorS : 0;
        return forecastOf(m_outcome.steps.marks, m_job.ofSteps, waiting);
    }

    void end(double nowS)
    {
        m_watch.lookAtFiles();
        m_tree.look();
        m_outcome.wasEnded = true;
        m_outcome.seconds = nowS;
        m_outcome.steps = m_watch.seen();
        ::kill(m_launched.process(), SIGINT);
        m_endedS = nowS;
    }

    void insist(double nowS)
    {
        const double sinceS = nowS - m_endedS;
        if (m_insisted == 0 && sinceS > m_patience.interruptS) {
            Launched::signalAll(SIGTERM);
            m_insisted = 1;
        } else if (m_insisted == 1 && sinceS > m_patience.interruptS + m_patience.terminateS) {
            Launched::signalAll(SIGKILL);
            m_insisted = 2;
        }
    }

    /// What the program has left behind.
    void clearAway()
    {
        m_outcome.leftBehind = static_cast<std::int64_t>(ProcessTree::members().size());
        if (m_outcome.leftBehind == 0)
            return;
        const auto begin = Clock::now();
        Launched::signalAll(SIGTERM);
        bool isKilled = false;
        while (!ProcessTree::members().empty()) {
            static_cast<void>(m_launched.wait(
                20, [](auto) {}, [](auto) {}));
            if (secondsSince(begin) > 1) {
                Launched::signalAll(SIGKILL);
                isKilled = true;
            }
            constexpr double Longest = 5; // what the system doesn't let go of
            if (isKilled && secondsSince(begin) > Longest)
                break;
        }
    }

    void finish()
    {
        if (!m_outcome.wasEnded) {
            m_watch.lookAtFiles();
            m_outcome.steps = m_watch.seen();
        }
        m_outcome.status = m_launched.status().value_or(0);
        m_outcome.usage = m_tree.usage();
        if (!m_outcome.wasEnded)
            m_outcome.usage.processorS = processorOfEnded() - m_beforeS;
        m_outcome.forecast = forecastNow();
    }

    const ProgramJob& m_job;
    Patience m_patience;
    Launched m_launched;
    double m_beforeS;
    Clock::time_point m_begin = Clock::now();
    StepWatch m_watch;
    ProcessTree m_tree;
    ProgramOutcome m_outcome;
    Every m_lookAtTree{0.5};
    Every m_lookAtFiles{1};
    Every m_lookAtSteps{1};
    double m_endedS = 0;
    int m_insisted = 0;
};

} // namespace

Result<ProgramOutcome> runProgram(const ProgramJob& job, Patience patience)
{
    const auto meter = meterOf();
    std::optional<double> idleJoules;
    constexpr double IdleS = 2;
    if (meter != nullptr) {
        std::this_thread::sleep_for(std::chrono::duration<double>(IdleS));
        idleJoules = meter->joules();
    }
    const double beforeS = processorOfEnded();
    auto launched = Launched::start(job.command);
    if (!launched)
        return failureOf(launched);
    ProgramOutcome outcome = Run(job, patience, std::move(*launched), beforeS).toTheEnd();
    if (const auto all = meter != nullptr ? meter->joules() : std::nullopt; all && idleJoules) {
        outcome.energySource = meter->name();
        outcome.joules = *all - *idleJoules;
        outcome.idleWatts = *idleJoules / IdleS;
    }
    return outcome;
}

} // namespace outlay::core
