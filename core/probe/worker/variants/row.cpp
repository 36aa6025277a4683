// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/variants/row.h"

#include "core/base/units.h"
#include "core/probe/worker/measure/memory_watch.h"
#include "core/workload/training_work.h"

namespace outlay::worker {

using namespace outlay::core;
using torch::Tensor;

void Rows::begin(std::string_view variant)
{
    m_variant = variant;
    m_timed = 0;
}

void Rows::add(VariantMeasurement row)
{
    row.variant = m_variant;
    m_timed += row.isMeasured() ? 1 : 0;
    m_bench.channel.send(TriedVariant{row});
    m_all.push_back(std::move(row));
    if (m_bench.keep)
        m_bench.keep();
}

double Reference::differenceIn(const PassForm& form)
{
    compute();
    const std::vector<Tensor> parameters = m_plain.sharedNetwork()->parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const torch::NoGradGuard guard;
        Tensor parameter = parameters[i];
        parameter.copy_(m_weights[i]);
    }
    const InForm inForm(*m_plain.sharedNetwork(), form);
    const std::vector<Tensor> results = m_plain.results(samples());
    return std::max(relativeDifference({m_exact.front()}, {results.front()}),
                    relativeDifference({m_exact.begin() + 1, m_exact.end()},
                                       {results.begin() + 1, results.end()}));
}

std::int64_t Reference::samples() const
{
    return std::min(ProofSamples, m_plain.training().batch);
}

std::string Reference::sentence()
{
    compute();
    return "outputs and gradients of " + std::to_string(samples()) +
           " samples against fp64 (the plain way: " + plainNumber(m_plainDifference) + ")";
}

void Reference::compute()
{
    if (!m_exact.empty())
        return;
    for (const Tensor& parameter : m_plain.sharedNetwork()->parameters())
        m_weights.push_back(parameter.detach().clone());
    m_exact = m_plain.exactResults(samples());
    m_plainDifference = differenceIn({});
}

Contestant Context::training(Trainer& trainer)
{
    const Training& t = trainer.training();
    return {[&trainer] { trainer.step(); }, static_cast<double>(t.batch * t.accumulation)};
}

VariantMeasurement named(VariantMeasurement m, std::string name)
{
    m.name = std::move(name);
    return m;
}

VariantMeasurement missing(std::string why)
{
    VariantMeasurement m;
    m.unavailable = std::move(why);
    return m;
}

VariantMeasurement proven(double difference, double tolerance, const std::string& what)
{
    VariantMeasurement m;
    m.difference = difference;
    m.proof = what + ", the same up to " + plainNumber(tolerance);
    if (!(difference <= tolerance))
        m.unavailable =
            "it doesn't compute the same: " + what + " differ by " + plainNumber(difference);
    return m;
}

VariantMeasurement timed(const Context& c, const VariantMeasurement& proof, const Contestant& plain,
                         const Contestant& variant)
{
    if (!proof.isMeasured())
        return proof;
    VariantMeasurement m = compare(c.bench, plain, variant, c.seconds);
    m.difference = proof.difference;
    m.proof = proof.proof;
    return m;
}

std::string proofObstacle(const Context& c, std::int64_t samples)
{
    constexpr double Share = 0.9;
    constexpr double Wider = 2; // than fp32
    Training few = c.plain.training();
    few.batch = std::min(samples, few.batch);
    few.optimizer = Optimizer::Sgd; // no step is made
    const double bytes = Wider * mostBytesHere(expand(c.job().model), few);
    const double free = freeBytes(c.job().device);
    if (bytes <= Share * free)
        return {};
    return "its proof in fp64 may need " + plainNumber(bytes / BytesPerGb) + " GB, and " +
           plainNumber(free / BytesPerGb) + " GB are free";
}

bool fits(const Job& job, const Training& training)
{
    constexpr double Share = 0.9;
    return mostBytesHere(expand(job.model), training) <= Share * freeBytes(job.device);
}

} // namespace outlay::worker
