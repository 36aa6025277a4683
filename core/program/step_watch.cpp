// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/step_watch.h"

#include "core/base/file.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>

namespace outlay::core {
namespace {

namespace fs = std::filesystem;

/// Entries of the folder that are looked at, and folders in it one below the other.
constexpr std::size_t MostEntries = 10'000;
constexpr int Deepest = 8;
constexpr std::size_t MostAtOnce = 1U << 20U;

double unixSecondsOf(fs::file_time_type time)
{
    const auto system = std::chrono::file_clock::to_sys(time);
    return std::chrono::duration<double>(system.time_since_epoch()).count();
}

/// "metrics/train/loss": MLflow's, whose names may have slashes.
bool isMetric(const fs::path& path)
{
    return std::find(path.begin(), path.end(), "mlruns") != path.end() &&
           std::find(path.begin(), path.end(), "metrics") != path.end();
}

template <typename Steps>
std::vector<StepMark> mostOf(const Steps& byPath, double beginUnixS)
{
    std::vector<StepMark> most;
    for (const auto& [path, steps] : byPath) {
        std::vector<StepMark> its = marksOf(steps, beginUnixS);
        if (its.size() > most.size())
            most = std::move(its);
    }
    return most;
}

/// Trackers don't say how many steps there will be; a bar that counts the same ones does.
std::optional<double> totalFrom(const std::vector<StepMark>& bar, const StepMark& last)
{
    constexpr double Alike = 0.1;
    constexpr double Few = 2;
    const auto next = std::find_if(bar.begin(), bar.end(),
                                   [&](const StepMark& mark) { return mark.atS >= last.atS; });
    if (bar.empty())
        return std::nullopt;
    const StepMark& same = next == bar.end() ? bar.back() : *next;
    const bool isSame = std::abs(same.steps - last.steps) <= std::max(Few, Alike * last.steps);
    return isSame && same.of && *same.of >= last.steps ? same.of : std::nullopt;
}

bool isSilent(const std::vector<SeenSteps>& all)
{
    return std::all_of(all.begin(), all.end(),
                       [](const SeenSteps& steps) { return steps.marks.empty(); });
}

bool isEnough(const SeenSteps& steps)
{
    constexpr std::size_t AFew = 3;
    return steps.marks.size() > AFew;
}

} // namespace

StepWatch::StepWatch(fs::path folder, double beginUnixS)
    : m_folder(std::move(folder)), m_beginUnixS(beginUnixS)
{
}

void StepWatch::lookAtFiles(const std::vector<std::string>& open, bool isThorough)
{
    for (const std::string& path : open) {
        if (path.find(EventsPart) != std::string::npos)
            m_events.try_emplace(path);
    }
    if (isThorough && !m_folder.empty())
        findWritten();
    followEvents();
    readMetrics();
}

void StepWatch::findWritten()
{
    std::size_t entries = 0;
    std::error_code error;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator at(m_folder, options, error), end;
         !error && at != end && ++entries < MostEntries; at.increment(error)) {
        std::error_code unread;
        const fs::path& path = at->path();
        const std::string name = path.filename().string();
        if (name.starts_with('.') || at.depth() > Deepest)
            at.disable_recursion_pending();
        const bool isEvents = name.find(EventsPart) != std::string::npos;
        const bool isState = name == "trainer_state.json";
        if ((!isEvents && !isState && !isMetric(path)) || !at->is_regular_file(unread))
            continue;
        const double writtenS = unixSecondsOf(at->last_write_time(unread));
        if (writtenS < m_beginUnixS || unread)
            continue;
        if (isEvents)
            m_events.try_emplace(path.string());
        else if (isState)
            readState(path.string(), writtenS);
        else
            m_metrics.try_emplace(path.string());
    }
}

void StepWatch::followEvents()
{
    for (auto& [path, followed] : m_events) {
        std::ifstream file(path, std::ios::binary);
        file.seekg(static_cast<std::streamoff>(followed.read));
        std::string piece(MostAtOnce, '\0');
        while (file) {
            const auto count = static_cast<std::size_t>(
                file.read(piece.data(), static_cast<std::streamsize>(piece.size())).gcount());
            followed.events.feed(std::string_view(piece).substr(0, count));
            followed.read += count;
        }
    }
}

void StepWatch::readMetrics()
{
    for (auto& [path, steps] : m_metrics) {
        if (const auto lines = loadFile(path))
            steps = metricSteps(*lines);
    }
}

/// Each as often as it was written anew.
void StepWatch::readState(const std::string& path, double writtenS)
{
    double& known = m_states[path];
    if (known == writtenS)
        return;
    known = writtenS;
    const auto text = loadFile(path);
    const auto state = text ? trainerState(*text) : std::nullopt;
    if (!state)
        return;
    m_checkpoints.push_back({writtenS, state->step});
    if (state->of)
        m_checkpointsOf = state->of;
}

SeenSteps StepWatch::checkpoints() const
{
    SeenSteps seen{.source = StepSource::Checkpoints,
                   .marks = marksOf(m_checkpoints, m_beginUnixS)};
    if (!seen.marks.empty())
        seen.marks.back().of = m_checkpointsOf;
    return seen;
}

std::vector<SeenSteps> StepWatch::told() const
{
    std::map<std::string, std::vector<TimedStep>> events;
    for (const auto& [path, followed] : m_events)
        events[path] = followed.events.steps();
    return {
        {.source = StepSource::Lines, .marks = m_lines.marks()},
        {.source = StepSource::Events, .marks = mostOf(events, m_beginUnixS)},
        {.source = StepSource::Metrics, .marks = mostOf(m_metrics, m_beginUnixS)},
        {.source = StepSource::Bar, .marks = m_text.marks(), .isOfOneEpoch = m_text.isOfOneEpoch()},
        checkpoints()};
}

bool StepWatch::needsLoad() const
{
    return isSilent(told()) && !m_loads.back().isFull();
}

SeenSteps StepWatch::seen() const
{
    std::vector<SeenSteps> all = told();
    for (const LoadCycles& cycles : m_loads) {
        if (isSilent(all))
            all.push_back({.source = StepSource::Load, .marks = cycles.marks()});
    }
    const auto enough = std::find_if(all.begin(), all.end(), isEnough);
    SeenSteps best = enough != all.end()
                         ? std::move(*enough)
                         : std::move(*std::max_element(all.begin(), all.end(),
                                                       [](const SeenSteps& a, const SeenSteps& b) {
                                                           return a.marks.size() < b.marks.size();
                                                       }));
    if (!best.marks.empty() && !best.marks.back().of && best.source != StepSource::Load) {
        const StepMark& last = best.marks.back();
        auto of = totalFrom(m_text.marks(), last);
        if (!of && m_checkpointsOf.value_or(0) >= last.steps)
            of = m_checkpointsOf;
        best.marks.back().of = of;
    }
    best.leftOut = m_lines.leftOut();
    return best;
}

} // namespace outlay::core
