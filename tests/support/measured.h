// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A measurement of an experiment on the tests' machine, to be changed where a test wants it otherwise.
#pragma once

#include "core/experiment/experiment.h"
#include "tests/support/catalogs.h"

namespace outlay::tests {

inline core::Measurement measurementOf(const core::Experiment& e, double stepS = 0.5)
{
    core::Measurement m;
    m.created = "2026-11-20T10:00:00Z";
    m.machine = testMachine();
    m.training.step = core::timingOf(std::vector<double>(20, stepS), {});
    m.model = e.model;
    m.trainingSettings = m.askedTraining = e.training;
    m.servingSettings = m.askedServing = e.serving;
    return m;
}

inline void addTo(core::Experiment& e, const core::Measurement& m)
{
    e.measurements = e.measurements.with(core::toJson(m));
}

} // namespace outlay::tests
