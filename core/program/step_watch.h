// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// All that a running program lets see of its steps, from wherever it is seen.
#pragma once

#include "core/program/load_cycles.h"
#include "core/program/metric_files.h"
#include "core/program/progress_text.h"
#include "core/program/step_lines.h"

#include <filesystem>

namespace outlay::core {

/// The marks of one source.
struct SeenSteps {
    StepSource source = StepSource::Bar;
    std::vector<StepMark> marks;
    std::size_t leftOut = 0;   // lines of its own that were none
    bool isOfOneEpoch = false; // it begins again with each, and nobody says how many there are
};

/// What is in the names of TensorBoard's files.
inline constexpr std::string_view EventsPart = "tfevents";

enum class Load { Accelerators, Cores };

class StepWatch {
public:
    /// `folder`: where trackers of the program write, if they aren't told otherwise.
    StepWatch(std::filesystem::path folder, double beginUnixS);

    void toError(std::string_view bytes, double atS) { m_text.feed(bytes, atS); }
    void toSteps(std::string_view bytes, double atS) { m_lines.feed(bytes, atS); }
    void toLoad(Load load, LoadPoint point)
    {
        m_loads.at(static_cast<std::size_t>(load)).add(point);
    }
    /// Whether nothing else tells anything: load is a guess, and looking at it costs.
    [[nodiscard]] bool needsLoad() const;
    /// Those of the files that the program holds `open`, and with `isThorough` what was written since it began.
    void lookAtFiles(const std::vector<std::string>& open, bool isThorough);

    /// Of the first source, in the order of their names, that has more than a few.
    [[nodiscard]] SeenSteps seen() const;

private:
    /// What has come behind what was read already.
    struct Followed {
        std::uint64_t read = 0;
        EventFile events;
    };

    void findWritten();
    void followEvents();
    void readMetrics();
    void readState(const std::string& path, double writtenS);
    [[nodiscard]] SeenSteps checkpoints() const;
    [[nodiscard]] std::vector<SeenSteps> told() const;

    std::filesystem::path m_folder;
    double m_beginUnixS = 0;
    ProgressText m_text;
    StepLines m_lines;
    std::map<std::string, Followed> m_events;                // by path
    std::map<std::string, std::vector<TimedStep>> m_metrics; // by path
    std::map<std::string, double> m_states;                  // by path: when it was written
    std::vector<TimedStep> m_checkpoints;
    std::optional<double> m_checkpointsOf;
    std::array<LoadCycles, 2> m_loads;
};

} // namespace outlay::core
