// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A measurement as the probe page shows it: while it runs, and when it is done.
#pragma once

#include "core/experiment/experiment.h"
#include "core/probe/message.h"
#include "gui/view/chart_model.h"

namespace outlay::gui {

/// What a running worker has said so far.
struct LiveProbe {
    core::Progress progress;
    std::vector<double> stepSeconds; // of training
};

struct LiveProbeView {
    QString phase; // "Training, 42 steps, about 7 s left"
    int donePermille = 0;
    ChartModel throughput;

    bool operator==(const LiveProbeView&) const = default;
};

[[nodiscard]] LiveProbeView makeLiveProbeView(const LiveProbe& live,
                                              const core::Experiment& experiment,
                                              const QLocale& locale);

struct ProbeView {
    QString verdict;
    QString machine;
    TableData figures;
    TableData variants; // each against the plain way
    QString
        variantsNote; // what they are, or that they aren't measured; empty without a measurement
    ChartModel throughput; // over batch sizes
    std::vector<QString> findings;
    bool isCurrent = false; // the design hasn't changed since

    bool operator==(const ProbeView&) const = default;
};

/// The newest measurement that can be read, or what to do where there is none.
[[nodiscard]] ProbeView makeProbeView(const core::Experiment& experiment, const QLocale& locale);

} // namespace outlay::gui
