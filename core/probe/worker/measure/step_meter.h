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
    double queuedS = 0;  // of all threads: ready to run, and another program ran
    bool isOver = false; // not cancelled midway
    bool areLong = false;

    [[nodiscard]] std::vector<double> wallS() const;
    [[nodiscard]] std::vector<double> processorS() const;
    [[nodiscard]] core::TrainingMeasurement summary(const core::Job& job, double drift = 0) const;
};

class StepMeter {
public:
    StepMeter(const Bench& bench, Trainer& trainer) : m_bench(bench), m_trainer(trainer) {}

    /// Whether a burst of so many seconds has no room for as many as say how they vary.
    [[nodiscard]] static bool areLong(double stepS, double seconds)
    {
        return static_cast<double>(Least) * stepS > seconds;
    }
    /// How many a burst makes at least: four, two where four don't fit, one where it outlasts the whole measurement.
    [[nodiscard]] std::size_t leastSteps(double stepS, double seconds) const;

    /// Steps until the time is over, those at least.
    void burst(double seconds);

    [[nodiscard]] std::size_t stepCount() const;

    /// What all bursts say together; peaks, layers and the time to build are the caller's.
    [[nodiscard]] core::TrainingMeasurement result() const;

private:
    static constexpr std::size_t Least = 4;

    const Bench& m_bench;
    Trainer& m_trainer;
    std::vector<StepRecord> m_bursts;
    double m_usualS = 0; // of the first burst: a later one may have less left
};

} // namespace outlay::worker
