// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A person's program while it is measured, as the probe page shows it.
#pragma once

#include "core/program/program_message.h"
#include "gui/view/chart_model.h"

namespace outlay::gui {

/// What is to be run, and until when: some seconds, some steps, or to its end.
struct ProgramRequest {
    std::vector<QString> command;
    QString host;   // the name of its profile; empty: this machine
    QString folder; // there
    double seconds = 90;
    std::optional<double> steps;
    bool isWhole = false;
    std::optional<double> ofSteps; // of the whole run, where a person knows it

    bool operator==(const ProgramRequest&) const = default;
};

/// What a running program has let see so far.
class LiveProgram {
public:
    explicit LiveProgram(ProgramRequest request) : m_request(std::move(request)) {}

    void add(const core::ProgramMoment& moment);
    /// What it printed; the last of it is kept.
    void print(const QString& text);
    void stop() { m_isStopping = true; }

    [[nodiscard]] const ProgramRequest& request() const { return m_request; }
    /// Nothing before the first one.
    [[nodiscard]] const core::ProgramMoment* now() const { return m_now ? &*m_now : nullptr; }
    /// In time, the fewer a second the longer it runs.
    [[nodiscard]] const std::vector<core::ProgramMoment>& moments() const { return m_moments; }
    [[nodiscard]] const QString& output() const { return m_output; }
    [[nodiscard]] bool isStopping() const { return m_isStopping; }

private:
    ProgramRequest m_request;
    std::optional<core::ProgramMoment> m_now;
    std::vector<core::ProgramMoment> m_moments;
    double m_everyS = 0; // between two that are kept
    QString m_output;
    bool m_isStopping = false;
};

struct LiveProgramView {
    QString phase;                   // "42 s, 212 of 12,000 steps"
    std::optional<int> donePermille; // nothing where nobody knows
    TableData figures;
    ChartModel steps; // the time of a step over time
    ChartModel whole; // the forecast of the whole run, with its interval, as it grows surer
    QString output;   // its last lines

    bool operator==(const LiveProgramView&) const = default;
};

[[nodiscard]] LiveProgramView makeLiveProgramView(const LiveProgram& live,
                                                  const DisplayLocale& locale);

/// "python3 train.py", in one line.
[[nodiscard]] QString commandText(const ProgramRequest& request);

} // namespace outlay::gui
