// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Times training steps in bursts: a disturbance of some seconds colours one burst and shows, instead of
// colouring them all.
#pragma once

#include "core/probe/worker/measure/measure.h"

namespace outlay::worker {

/// Steps that were timed in one go, and what they say.
struct StepRecord {
    std::vector<StepTime> steps;
    double queuedS = 0; // of all threads: ready to run, and another program ran

    [[nodiscard]] std::vector<double> wallS() const;
    [[nodiscard]] std::vector<double> processorS() const;
    [[nodiscard]] core::TrainingMeasurement summary(const core::Job& job, double drift = 0) const;
};

class StepMeter {
public:
    StepMeter(const Bench& bench, Trainer& trainer) : m_bench(bench), m_trainer(trainer) {}

    /// Steps until the time is over: two at least, four where they aren't long.
    void burst(double seconds);

    [[nodiscard]] std::size_t stepCount() const;

    /// What all bursts say together; peaks, layers and the time to build are the caller's.
    [[nodiscard]] core::TrainingMeasurement result() const;

private:
    const Bench& m_bench;
    Trainer& m_trainer;
    std::vector<StepRecord> m_bursts;
};

} // namespace outlay::worker
