// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/program_run.h"

#include "core/probe/host/energy_meter.h"
#include "core/program/launched.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <random>
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

/// A counter that is looked at often enough not to run over unseen.
class Energy {
public:
    explicit Energy(std::unique_ptr<worker::EnergyMeter> meter) : m_meter(std::move(meter)) {}

    [[nodiscard]] bool isThere() const { return m_meter != nullptr; }
    [[nodiscard]] std::string name() const { return m_meter->name(); }
    void look()
    {
        if (m_meter != nullptr)
            m_joules = m_meter->joules();
    }
    /// Up to the last look.
    [[nodiscard]] std::optional<double> joules() const { return m_joules; }

private:
    std::unique_ptr<worker::EnergyMeter> m_meter;
    std::optional<double> m_joules;
};

/// The first accelerator's name, where the program has opened one.
std::string acceleratorOf(const std::vector<std::string>& open)
{
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

/// Looked at so often that it costs nothing to speak of, however many processes there are; and not evenly, or what
/// repeats faster would look as if it repeated slowly.
class Seldom {
public:
    [[nodiscard]] bool isDue(double nowS) const { return nowS >= m_dueS; }
    void took(double beginS, double endS)
    {
        constexpr double Share = 0.005;
        constexpr double LongestS = 1;
        const double tookS = endS - beginS;
        const double usualS = std::min(tookS, m_tookS); // one of two may have been disturbed
        m_tookS = tookS;
        m_dueS =
            beginS + std::clamp(usualS / Share, LoadCycles::GridS, LongestS) * m_uneven(m_random);
    }

private:
    double m_dueS = 0;
    double m_tookS = 0; // the last time
    std::minstd_rand m_random;
    std::uniform_real_distribution<double> m_uneven{0.6, 1.4};
};

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
    Run(const ProgramJob& job, Patience patience, Launched launched, std::filesystem::path folder,
        Energy& processors, Energy& accelerators)
        : m_job(job), m_patience(patience), m_launched(std::move(launched)),
          m_processors(processors), m_accelerators(accelerators),
          m_watch(std::move(folder), unixSeconds()), m_tellDueS(job.tellFirstS)
    {
    }

    ProgramOutcome toTheEnd()
    {
        constexpr int Milliseconds = 100;
        constexpr int ForLoad = 20;
        while (!m_launched.status()) {
            pass(m_isLoadWanted ? ForLoad : Milliseconds);
            look();
        }
        if (!m_outcome.wasEnded)
            stopWatching(nowS());
        m_outcome.status = *m_launched.status();
        m_outcome.wasInterrupted = Launched::wasAskedToEnd();
        clearAway();
        while (pass(0) &&
               nowS() < m_outcome.seconds + Patience::LongestS) { // what is on its way yet
        }
        if (!m_outcome.wasEnded) // a bar's last state has no line's end
            m_watch.toError("\n", m_outcome.seconds);
        lookAtFiles(true);
        finish();
        return std::move(m_outcome);
    }

private:
    static constexpr double EverMoreSeldom = 3; // the program writes there, too

    [[nodiscard]] double nowS() const { return secondsSince(m_begin); }

    bool pass(int milliseconds)
    {
        return m_launched.wait(
            milliseconds, [&](std::string_view bytes) { m_watch.toError(bytes, nowS()); },
            [&](std::string_view bytes) { m_watch.toSteps(bytes, nowS()); });
    }

    void look()
    {
        const double now = nowS();
        for (const int signal : m_launched.signalsReceived())
            ::kill(m_launched.process(), signal);
        if (m_outcome.wasEnded)
            return insist(now);
        if (m_lookAtTree.isDue(now))
            m_tree.look(now);
        if (m_lookAtFiles.isDue(now)) {
            lookAtFiles(m_lookThoroughly.isDue(now));
            m_isLoadWanted = m_watch.needsLoad();
        }
        if (m_isLoadWanted && m_lookAtLoad.isDue(now))
            lookAtLoad(now);
        if (m_lookAtEnergy.isDue(now))
            lookAtEnergy();
        if (m_job.tell && now >= m_tellDueS) {
            m_tellDueS = m_job.tellEveryS ? now + *m_job.tellEveryS : m_tellDueS * EverMoreSeldom;
            tell(now);
        }
        if (isOver(now)) {
            stopWatching(now);
            m_outcome.wasEnded = true;
            m_launched.signalAll(Launched::isInterruptIgnored() ? SIGTERM : SIGINT);
            if (m_job.tellEveryS) // that it is being ended
                tell(now);
        }
    }

    void tell(double now)
    {
        m_outcome.seconds = now;
        m_outcome.usage = m_tree.usage();
        m_outcome.steps = m_watch.seen();
        m_outcome.forecast = forecastUntil(now);
        m_job.tell(m_outcome);
    }

    [[nodiscard]] bool isOver(double now)
    {
        if (m_job.isAskedToEnd && m_job.isAskedToEnd())
            return true;
        if (m_job.isWhole)
            return false;
        return m_job.steps ? areDone(now) : now >= m_job.seconds;
    }

    [[nodiscard]] bool areDone(double now)
    {
        if (!m_lookAtSteps.isDue(now))
            return false;
        const SeenSteps seen = m_watch.seen();
        return !seen.marks.empty() && seen.source != StepSource::Load && // a guess ends nothing
               seen.marks.back().steps >= *m_job.steps;
    }

    void lookAtFiles(bool isThorough)
    {
        const std::vector<std::string> open = ProcessTree::openFiles({EventsPart, "nvidia"});
        m_watch.lookAtFiles(open, isThorough);
        if (m_outcome.accelerator.empty())
            m_outcome.accelerator = acceleratorOf(open);
    }

    void lookAtLoad(double now)
    {
        m_watch.toLoad(Load::Cores, {now, m_tree.workS()});
        if (!m_outcome.accelerator.empty() && m_accelerators.isThere()) {
            m_accelerators.look();
            if (const auto joules = m_accelerators.joules())
                m_watch.toLoad(Load::Accelerators, {now, *joules});
        }
        m_lookAtLoad.took(now, nowS());
    }

    void lookAtEnergy()
    {
        m_processors.look();
        m_accelerators.look();
    }

    /// What comes later is the ending.
    void stopWatching(double now)
    {
        lookAtEnergy();
        m_tree.look(now);
        m_outcome.seconds = now;
        m_outcome.usage = m_tree.usage();
    }

    [[nodiscard]] std::optional<ProgramForecast> forecastUntil(double now) const
    {
        const TreeUsage usage = m_tree.usage();
        // Of what mostly sleeps it is the time that counts, not the little that it works.
        const double most = std::max(usage.processorS, now);
        const double waiting = most > 0 ? usage.delayedS / most : 0;
        // Trackers write behind: that nothing has come is no pause there.
        const StepSource source = m_outcome.steps.source;
        const bool isAtOnce = source == StepSource::Lines || source == StepSource::Bar;
        auto forecast =
            forecastOf(m_outcome.steps.marks, m_job.ofSteps, waiting, isAtOnce ? now : 0);
        return forecast && source == StepSource::Load ? asGuess(*forecast) : forecast;
    }

    /// After its time was up.
    void insist(double now)
    {
        const double sinceS = now - m_outcome.seconds;
        if (m_insisted == 0 && sinceS > m_patience.interruptS) {
            m_launched.signalAll(SIGTERM);
            m_insisted = 1;
        } else if (m_insisted == 1 && sinceS > m_patience.interruptS + m_patience.terminateS) {
            m_launched.signalAll(SIGKILL);
            m_insisted = 2;
        }
    }

    /// What the first process has left behind: it may end by itself, as helpers do, and is ended then.
    void clearAway()
    {
        constexpr int Milliseconds = 20;
        const double begin = nowS();
        while (!ProcessTree::members().empty()) {
            pass(Milliseconds);
            const double sinceS = nowS() - begin;
            for (const int signal : m_launched.signalsReceived())
                m_launched.signalAll(signal);
            if (m_outcome.wasEnded) {
                insist(nowS());
            } else if (m_insisted == 0 && sinceS > m_patience.byItselfS) {
                m_outcome.leftBehind = static_cast<std::int64_t>(ProcessTree::members().size());
                m_launched.signalAll(SIGTERM);
                m_insisted = 1;
            } else if (m_insisted == 1 && sinceS > m_patience.byItselfS + m_patience.terminateS) {
                m_launched.signalAll(SIGKILL);
                m_insisted = 2;
            }
            const double most = m_patience.interruptS + m_patience.terminateS + Patience::LongestS;
            if (m_insisted == 2 && sinceS > most) // what the system doesn't let go of
                return;
        }
    }

    void finish()
    {
        m_outcome.steps = m_watch.seen();
        std::erase_if(m_outcome.steps.marks,
                      [&](const StepMark& mark) { return mark.atS > m_outcome.seconds; });
        m_outcome.forecast = forecastUntil(m_outcome.seconds);
    }

    const ProgramJob& m_job;
    Patience m_patience;
    Launched m_launched;
    Energy& m_processors;
    Energy& m_accelerators;
    Clock::time_point m_begin = Clock::now();
    StepWatch m_watch;
    ProcessTree m_tree;
    ProgramOutcome m_outcome;
    Every m_lookAtTree{0.5};
    Every m_lookAtFiles{2};
    Every m_lookThoroughly{10};
    Every m_lookAtEnergy{30};
    Every m_lookAtSteps{0.5};
    Seldom m_lookAtLoad;
    bool m_isLoadWanted = true;
    double m_tellDueS;
    int m_insisted = 0;
};

} // namespace

int exitStatusOf(const ProgramOutcome& outcome)
{
    constexpr int BySignal = 128;
    if (outcome.wasEnded)
        return 0;
    return WIFSIGNALED(outcome.status) ? BySignal + WTERMSIG(outcome.status)
                                       : WEXITSTATUS(outcome.status);
}

Result<ProgramOutcome> runProgram(const ProgramJob& job, Patience patience)
{
    std::error_code gone; // a folder that was deleted is none to look into
    const std::filesystem::path folder = std::filesystem::current_path(gone);
    Energy processors(worker::EnergyMeter::makeRapl());
    Energy accelerators(worker::EnergyMeter::makeNvml());
    constexpr double IdleS = 2;
    if (processors.isThere() || accelerators.isThere())
        std::this_thread::sleep_for(std::chrono::duration<double>(IdleS));
    processors.look();
    accelerators.look();
    const std::optional<double> processorsBefore = processors.joules();
    const std::optional<double> acceleratorsBefore = accelerators.joules();
    auto launched = Launched::start(job.command);
    if (!launched)
        return failureOf(launched);
    launched->setGivenUp(job.isAskedToEnd);
    ProgramOutcome outcome =
        Run(job, patience, std::move(*launched), folder, processors, accelerators).toTheEnd();
    // Of what it worked on.
    const bool isAccelerated = !outcome.accelerator.empty() && accelerators.isThere();
    const Energy& energy = isAccelerated ? accelerators : processors;
    const auto before = isAccelerated ? acceleratorsBefore : processorsBefore;
    if (energy.isThere() && energy.joules() && before) {
        outcome.energySource = energy.name();
        outcome.joules = *energy.joules() - *before;
        outcome.idleWatts = *before / IdleS;
    }
    return outcome;
}

} // namespace outlay::core
