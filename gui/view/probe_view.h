// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A measurement as the probe page shows it: while it runs, and when it is done.
#pragma once

#include "core/probe/message.h"
#include "core/probe/run_forecast.h"
#include "gui/view/chart_model.h"
#include "pricing/report/report.h"

namespace outlay::gui {

/// What a running worker has said so far.
struct LiveProbe {
    core::Progress progress;
    core::RunForecast run; // of its training steps
    double samplesPerStep = 1;
    std::vector<core::VariantMeasurement> variants; // as they come
    bool isStopping = false;
};

/// "Training, 42 steps, about 7 s left".
[[nodiscard]] QString phaseText(const core::Progress& progress, const QLocale& locale);
/// "the whole training takes about 2.3 h here (forecast)".
[[nodiscard]] QString runForecastText(double seconds, const QLocale& locale);

struct LiveProbeView {
    QString phase;
    int donePermille = 0;
    ChartModel throughput;
    std::optional<ChartModel> league; // once a variant is timed

    bool operator==(const LiveProbeView&) const = default;
};

[[nodiscard]] LiveProbeView makeLiveProbeView(const LiveProbe& live, const QLocale& locale);

struct ProbeView {
    QString verdict;
    QString machine;
    TableData figures;
    TableData variants; // each against the plain way
    std::optional<ChartModel> league;
    QString
        variantsNote; // what they are, or that they aren't measured; empty without a measurement
    ChartModel steps; // how long they took, sorted
    ChartModel throughput;              // over batch sizes
    std::optional<ChartModel> together; // tokens over requests at once; of what generates
    std::vector<QString> findings;
    bool isCurrent = false; // a probe would measure just this again

    bool operator==(const ProbeView&) const = default;
};

/// What is measured, or what to do where nothing is.
[[nodiscard]] ProbeView makeProbeView(const pricing::ProbeReport& probe, const QLocale& locale);

} // namespace outlay::gui
