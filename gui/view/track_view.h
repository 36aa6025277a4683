// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Forecasts beside what runs took, over a folder of experiments.
#pragma once

#include "gui/view/chart_model.h"
#include "gui/view/track_text.h"
#include "pricing/report/own_factor.h"

namespace outlay::gui {

/// What was read of a folder.
struct TrackFolder {
    QString path; // empty: none is chosen
    bool isReading = false;
    QString problem;              // why nothing of it can be read
    std::vector<TrackedRun> runs; // of all experiments, the oldest first
    std::size_t experiments = 0;
    std::size_t others = 0; // files that are no experiments
};

/// A factor that may be taken into the open experiment, or is in it.
struct FactorOffer {
    QString text;
    QString button; // what it does; empty where there is nothing to do
    QString hint;
    core::Json patch;
    QString undoName;

    bool operator==(const FactorOffer&) const = default;
};

struct TrackView {
    QString summary;
    QString folder;
    QString empty; // what to do where there is nothing to show; empty: there is
    std::vector<QString> things;
    ChartModel chart;
    TableData kinds; // how each kind of forecast did
    TableData runs;
    std::vector<FactorOffer> offers; // for planned machines and for this one

    bool operator==(const TrackView&) const = default;
};

/// `thing`: what the chart and the table of runs show; the factors in force are the open experiment's.
[[nodiscard]] TrackView makeTrackView(const TrackFolder& folder, std::size_t thing,
                                      const core::Experiment& open, const DisplayLocale& locale);

} // namespace outlay::gui
