// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a measurement, each with the time that it may take.
#pragma once

#include "core/probe/host/channel.h"
#include "core/probe/host/thread_choice.h"
#include "core/probe/job.h"
#include "core/probe/measurement.h"
#include "core/probe/worker/network/trainer.h"

#include <functional>

namespace outlay::worker {

/// Thrown between two steps when the job is cancelled, in that phase; caught by `runJob`.
struct Stopped {
    std::string phase;
};

/// What the parts share.
struct Bench {
    const core::Job& job;
    Channel& channel;
    torch::Device device;
    double startS = 0;               // wall clock
    double endS = 0;                 // at which the plain measurement should be over
    double restS = 0;                // that what is asked for beside it may take
    std::string_view part = {};      // of the phase, where it has several
    std::function<void()> keep = {}; // what is measured so far, should a step outlast who cancels

    /// Reports the phase, and throws when the job is cancelled.
    void tick(std::string_view phase, std::int64_t steps) const;
    /// The plain measurement is over, and the rest takes so long from now on.
    [[nodiscard]] Bench withLeft(double seconds) const;
};

/// As the libraries set themselves up at the start of this process.
[[nodiscard]] Threads usualThreads();
void setThreads(const Threads& threads);

/// The matrix-product rate and the memory bandwidth that this process reaches.
void measureMachine(const Bench& bench, core::HostMachine& machine);

struct ThreadChoice {
    Threads threads;
    std::string finding; // why it is a guess; empty where it was tried
};
/// Of `threadChoices`, found by trying each in turns. The trainer has made a step, which took `firstS`.
[[nodiscard]] ThreadChoice chooseThreads(const Bench& bench, Trainer& trainer, double firstS,
                                         double seconds);

/// Those that a job may use at most.
[[nodiscard]] std::int64_t mostThreads(const core::Job& job);

[[nodiscard]] core::InferenceMeasurement measureInference(const Bench& bench, Network& network,
                                                          double seconds);

} // namespace outlay::worker
