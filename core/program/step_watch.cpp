// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/step_watch.h"

#include "core/base/file.h"
#include "core/program/process_tree.h"

#include <algorithm>
#include <chrono>
#include <fstream>

namespace outlay::core {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view EventsPart = "tfevents";
/// Runs and metrics that a folder of MLflow may hold before it is left alone.
constexpr std::size_t MostEntries = 10'000;
constexpr std::size_t MostAtOnce = 1U << 20U;

double unixSecondsOf(fs::file_time_type time)
{
    const auto system = std::chrono::file_clock::to_sys(time);
    return std::chrono::duration<double>(system.time_since_epoch()).count();
}

/// The metric that was written last.
std::optional<fs::path> newestMetric(const fs::path& folder, double sinceUnixS)
{
    std::optional<fs::path> newest;
    double newestS = sinceUnixS;
    std::size_t entries = 0;
    std::error_code error;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator at(folder, options, error), end;
         !error && at != end && ++entries < MostEntries; at.increment(error)) {
        std::error_code unread;
        if (at->path().parent_path().filename() != "metrics" || !at->is_regular_file(unread))
            continue;
        const double writtenS = unixSecondsOf(at->last_write_time(unread));
        if (unread || writtenS < newestS)
            continue;
        newest = at->path();
        newestS = writtenS;
    }
    return newest;
}

} // namespace

StepWatch::StepWatch(fs::path folder, double beginUnixS)
    : m_folder(std::move(folder)), m_beginUnixS(beginUnixS)
{
}

void StepWatch::lookAtFiles()
{
    for (const std::string& path : ProcessTree::openFiles(EventsPart))
        m_events.try_emplace(path);
    followEvents();
    readMetrics();
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
    const auto metric = newestMetric(m_folder / "mlruns", m_beginUnixS);
    if (!metric)
        return;
    if (const auto lines = loadFile(metric->string()))
        m_metrics = metricSteps(*lines);
}

SeenSteps StepWatch::seen() const
{
    constexpr std::size_t AFew = 3;
    std::vector<StepMark> events;
    for (const auto& [path, followed] : m_events) {
        std::vector<StepMark> its = marksOf(followed.events.steps(), m_beginUnixS);
        if (its.size() > events.size())
            events = std::move(its);
    }
    const std::vector<StepMark> bar = m_text.marks();
    std::vector<SeenSteps> all{{StepSource::Lines, m_lines.marks(), false},
                               {StepSource::Events, std::move(events), false},
                               {StepSource::Metrics, marksOf(m_metrics, m_beginUnixS), false},
                               {StepSource::Bar, bar, m_text.isOfOneEpoch()}};
    const auto enough = std::find_if(all.begin(), all.end(),
                                     [](const SeenSteps& s) { return s.marks.size() > AFew; });
    SeenSteps best = enough != all.end()
                         ? std::move(*enough)
                         : std::move(*std::max_element(all.begin(), all.end(),
                                                       [](const SeenSteps& a, const SeenSteps& b) {
                                                           return a.marks.size() < b.marks.size();
                                                       }));
    // Trackers don't say how many there will be; a bar beside them does.
    if (!best.marks.empty() && !best.marks.back().of && !bar.empty() && bar.back().of &&
        *bar.back().of >= best.marks.back().steps)
        best.marks.back().of = bar.back().of;
    return best;
}

} // namespace outlay::core
