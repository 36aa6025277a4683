// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fit/scoring.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace outlay::tests {
namespace {

using namespace outlay::core;

Group groupOf(const TruthCase& truth)
{
    switch (truth.kind) {
    case TruthKind::Training: return Group::Training;
    case TruthKind::Recurrent: return Group::Recurrent;
    case TruthKind::Latency: return Group::Pass;
    case TruthKind::Decode:
    case TruthKind::Request: return Group::Token;
    case TruthKind::Run: break;
    }
    return Group::Run;
}

/// |miss|, rounded off where it is small: nothing is gained by hitting one row exactly.
double lossOf(double miss)
{
    constexpr double Smooth = 0.1;
    return std::sqrt(miss * miss + Smooth * Smooth) - Smooth;
}

class Fitting {
public:
    Fitting(Calibration& calibration, const std::vector<const Sample*>& samples)
        : m_calibration(calibration), m_samples(samples), m_knobs(knobsOf(calibration)),
          m_misses(samples.size()), m_touched(m_knobs.size())
    {
        for (std::size_t i = 0; i < samples.size(); ++i)
            m_misses[i] = missOf(*samples[i], calibration);
        for (std::size_t k = 0; k < m_knobs.size(); ++k)
            findTouched(k);
    }

    void sweep(double step)
    {
        for (std::size_t k = 0; k < m_knobs.size(); ++k) {
            if (!tryAt(k, std::exp(step)))
                tryAt(k, std::exp(-step));
        }
    }

private:
    /// The samples that a knob moves at all, near or far.
    void findTouched(std::size_t k)
    {
        constexpr double Far = 3;
        constexpr double Least = 1e-9;
        double& value = *m_knobs[k].value;
        const double before = value;
        for (std::size_t i = 0; i < m_samples.size(); ++i) {
            bool isMoved = false;
            for (const double moved : {before * Far, before / Far}) {
                value = moved;
                isMoved =
                    isMoved || std::abs(missOf(*m_samples[i], m_calibration) - m_misses[i]) > Least;
            }
            if (isMoved)
                m_touched[k].push_back(i);
        }
        value = before;
    }

    [[nodiscard]] double lossOfPrior(const Knob& knob) const
    {
        const double away = std::log(*knob.value / knob.prior) / knob.width;
        return 0.5 * away * away;
    }

    bool tryAt(std::size_t k, double factor)
    {
        const Knob& knob = m_knobs[k];
        const double before = *knob.value;
        const double priorBefore = lossOfPrior(knob);
        *knob.value = std::clamp(before * factor, knob.low, knob.high);
        std::vector<double> misses;
        misses.reserve(m_touched[k].size());
        double change = lossOfPrior(knob) - priorBefore;
        for (const std::size_t i : m_touched[k]) {
            misses.push_back(missOf(*m_samples[i], m_calibration));
            change +=
                Sharpness * m_samples[i]->weight * (lossOf(misses.back()) - lossOf(m_misses[i]));
        }
        if (change >= 0) {
            *knob.value = before;
            return false;
        }
        for (std::size_t t = 0; t < misses.size(); ++t)
            m_misses[m_touched[k][t]] = misses[t];
        return true;
    }

    static constexpr double Sharpness =
        10; // a miss of a tenth in one whole pair weighs as one prior's width

    Calibration& m_calibration;
    const std::vector<const Sample*>& m_samples;
    std::vector<Knob> m_knobs;
    std::vector<double> m_misses;
    std::vector<std::vector<std::size_t>> m_touched;
};

} // namespace

std::vector<Sample> samplesOf(std::vector<TruthCase> cases, const HardwareCatalog& catalog,
                              const Calibration& calibration)
{
    std::vector<Sample> samples;
    for (TruthCase& truth : cases) {
        Sample sample{.device = catalog.find(truth.device), .group = groupOf(truth)};
        if (sample.device == nullptr)
            continue;
        sample.demand = tests::demandOf(truth);
        sample.truth = std::move(truth);
        const Devices on{*sample.device, sample.truth.count, calibration};
        if (forecastOf(sample.truth, sample.demand, on).isAvailable())
            samples.push_back(std::move(sample));
    }
    std::map<std::string, double> rows;
    for (const Sample& sample : samples)
        rows[sample.truth.group + "/" + sample.device->name] += 1;
    for (Sample& sample : samples)
        sample.weight = 1 / std::sqrt(rows[sample.truth.group + "/" + sample.device->name]);
    return samples;
}

double missOf(const Sample& sample, const Calibration& calibration)
{
    const Devices on{*sample.device, sample.truth.count, calibration};
    return std::log(forecastOf(sample.truth, sample.demand, on).value() / sample.truth.seconds);
}

void fit(Calibration& calibration, const std::vector<const Sample*>& samples, int sweeps)
{
    constexpr double First = 0.2;
    constexpr double Last = 0.01;
    Fitting fitting(calibration, samples);
    for (int i = 0; i < sweeps; ++i)
        fitting.sweep(First * std::pow(Last / First, i / std::max(1.0, sweeps - 1.0)));
}

void reset(Calibration& calibration)
{
    for (const Knob& knob : knobsOf(calibration))
        *knob.value = knob.prior;
}

} // namespace outlay::tests
