// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the makers of variants share: a row that is proven and timed, or says why it can't be.
#pragma once

#include "core/base/text.h"
#include "core/probe/worker/measure/compare.h"

namespace outlay::worker {

/// Takes rows as they are made: each is told and kept at once, so that none is lost with those behind it.
class Rows {
public:
    Rows(const Bench& bench, std::vector<core::VariantMeasurement>& all)
        : m_bench(bench), m_all(all)
    {
    }

    /// The rows from now on are of that kind.
    void begin(std::string_view variant);
    void add(core::VariantMeasurement row);
    /// Of the kind.
    [[nodiscard]] int timed() const { return m_timed; }

private:
    const Bench& m_bench;
    std::vector<core::VariantMeasurement>& m_all;
    std::string m_variant;
    int m_timed = 0;
};

constexpr double RoundingTolerance = 1e-4; // of gradients in fp32

/// While it lives, passes have another form.
class InForm {
public:
    InForm(Network& network, const PassForm& form) : m_network(network), m_before(network.form())
    {
        m_network.setForm(form);
    }
    ~InForm() { m_network.setForm(m_before); }

    InForm(const InForm&) = delete;
    InForm& operator=(const InForm&) = delete;

private:
    Network& m_network;
    PassForm m_before;
};

/// What the plain way gives in fp64 for some samples, computed when it is first needed, and the weights
/// that it is of: those that are timed learn.
class Reference {
public:
    explicit Reference(Trainer& plain) : m_plain(plain) {}

    /// Outputs and gradients of the same samples by the same weights, in another form: of which of the
    /// two differ more.
    [[nodiscard]] double differenceIn(const PassForm& form);
    /// "outputs and gradients of 6 samples against fp64 (the plain way: 4e-07)"
    [[nodiscard]] std::string sentence();

private:
    [[nodiscard]] std::int64_t samples() const;
    void compute();

    Trainer& m_plain;
    std::vector<torch::Tensor> m_weights;
    std::vector<torch::Tensor> m_exact;
    double m_plainDifference = 0;
};

struct Context {
    const Bench& bench;
    Trainer& plain;
    Threads threads;
    double seconds; // for one row
    Reference& reference;
    std::string_view variant; // that is being made

    [[nodiscard]] const core::Job& job() const { return bench.job; }
    [[nodiscard]] Network& network() const { return *plain.sharedNetwork(); }
    /// Steps of a trainer.
    [[nodiscard]] static Contestant training(Trainer& trainer);
};

[[nodiscard]] core::VariantMeasurement named(core::VariantMeasurement m, std::string name);
[[nodiscard]] core::VariantMeasurement missing(std::string why);

/// A variant that computes the same must; its row is worth nothing otherwise.
[[nodiscard]] core::VariantMeasurement proven(double difference, double tolerance,
                                              const std::string& what);

/// What was proven, timed; if it wasn't, as it is.
[[nodiscard]] core::VariantMeasurement timed(const Context& c,
                                             const core::VariantMeasurement& proof,
                                             const Contestant& plain, const Contestant& variant);

[[nodiscard]] bool fits(const core::Job& job, const core::Training& training);

constexpr std::int64_t ProofSamples = 6; // of the first data, or fewer in a smaller batch

/// Why so many samples can't be computed in fp64 beside what is there; empty where they can.
[[nodiscard]] std::string proofObstacle(const Context& c, std::int64_t samples = ProofSamples);

/// Runs what LibTorch may refuse.
template <typename Measure>
core::VariantMeasurement tried(const Measure& measure)
{
    try {
        return measure();
    } catch (const std::exception& error) {
        const std::string what(error.what());
        return missing("LibTorch can't: " + core::printable(what.substr(0, what.find('\n')), 200));
    }
}

} // namespace outlay::worker
