// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Training and generating by the engine that is written for the gated RNN, without LibTorch.
#include "core/probe/engine/gated_engine.h"
#include "core/probe/machine.h"
#include "core/probe/worker/network/exactly.h"
#include "core/probe/worker/network/generation.h"
#include "core/probe/worker/variants/makers.h"

namespace outlay::worker {
namespace {

using namespace outlay::core;
using torch::Tensor;

std::span<const std::int64_t> numbersOf(const Tensor& tensor)
{
    return {tensor.data_ptr<std::int64_t>(), static_cast<std::size_t>(tensor.numel())};
}

/// The network's weights in an engine, made when it is first needed.
class Composed {
public:
    explicit Composed(Network& network, const GatedRnnDesign& design)
        : m_network(network), m_design(design)
    {
    }

    GatedEngine<float>& engine()
    {
        if (!m_engine)
            m_engine.emplace(m_design, spansOf<float>(m_network.parameters()));
        return *m_engine;
    }
    void forget() { m_engine.reset(); }

    /// Of the first `samples`, as LibTorch shapes them.
    std::vector<Tensor> gradients(const Tensor& input, const Tensor& target, std::int64_t samples,
                                  int threads)
    {
        const Tensor in = input.narrow(0, 0, samples);
        const Tensor out = target.narrow(0, 0, samples);
        const auto pass =
            engine().trainingPass({samples, in.size(1), numbersOf(in), numbersOf(out)}, threads);
        std::vector<Tensor> gradients;
        const std::vector<Tensor> parameters = m_network.parameters();
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            gradients.push_back(torch::empty_like(parameters[i]));
            std::copy(pass.gradients[i].begin(), pass.gradients[i].end(),
                      gradients.back().data_ptr<float>());
        }
        return gradients;
    }

private:
    Network& m_network;
    const GatedRnnDesign& m_design;
    std::optional<GatedEngine<float>> m_engine;
};

const GatedRnnDesign& designOf(const Context& c)
{
    return std::get<GatedRnnDesign>(c.job().model.design);
}

VariantMeasurement training(const Context& c, int threads)
{
    const Training& t = c.plain.training();
    if (t.precision != Precision::Fp32 || !c.plain.device().is_cpu())
        return missing("the engine computes in fp32 on a CPU");
    if (const std::string why = proofObstacle(c); !why.empty())
        return missing(why);
    Network& network = c.network();
    const Tensor input = network.randomInput(t.batch, t.sequence).values;
    const Tensor target =
        torch::randint(designOf(c).vocabulary, {t.batch, t.sequence}, torch::kLong);
    const std::int64_t few = std::min(ProofSamples, t.batch);
    std::vector<Tensor> exact;
    {
        const Exactly exactly(network);
        const Tensor output = network.forward({input.narrow(0, 0, few), {}});
        exact = torch::autograd::grad({network.loss(output, target.narrow(0, 0, few))},
                                      network.parameters());
    }
    Composed composed(network, designOf(c));
    const double difference =
        relativeDifference(exact, composed.gradients(input, target, few, threads));
    const auto step = [&] {
        std::vector<Tensor> sum = composed.gradients(input, target, t.batch, threads);
        for (std::int64_t i = 1; i < t.accumulation; ++i) {
            const auto more = composed.gradients(input, target, t.batch, threads);
            for (std::size_t j = 0; j < sum.size(); ++j)
                sum[j] += more[j];
        }
        for (Tensor& gradient : sum)
            gradient /= static_cast<double>(t.accumulation);
        c.plain.learn(sum);
    };
    return timed(c,
                 proven(difference, RoundingTolerance,
                        "gradients of " + std::to_string(few) + " samples against fp64"),
                 Context::training(c.plain),
                 {step, static_cast<double>(t.batch * t.accumulation), [&] { composed.forget(); }});
}

VariantMeasurement generation(const Context& c)
{
    if (!c.plain.device().is_cpu())
        return missing("the engine computes in fp32 on a CPU");
    if (c.job().serving.outputTokens < 1)
        return missing("no tokens are generated");
    constexpr std::int64_t Most = 100;
    const Generation generation(c.network(), c.job().serving, c.plain.device(), Most);
    Composed composed(c.network(), designOf(c));
    const auto generate = [&] {
        return composed.engine().generate(
            numbersOf(generation.input().values.narrow(1, 0, generation.prompt())),
            generation.tokens());
    };
    const char* exactly = generation.expected().scalar_type() == torch::kDouble ? "fp64" : "fp32";
    const Tensor expected = generation.expected().argmax(-1);
    const std::vector<std::int64_t> made = generate();
    std::int64_t same = 0;
    for (std::size_t i = 0; i < made.size(); ++i)
        same += made[i] == expected[static_cast<std::int64_t>(i)].item<std::int64_t>() ? 1 : 0;
    VariantMeasurement proof;
    proof.proof = std::to_string(same) + " of " + std::to_string(generation.tokens()) +
                  " tokens chosen the same as stepwise in " + exactly;
    if (same < generation.tokens())
        proof.unavailable = "it doesn't generate the same: " + proof.proof;
    const auto work = static_cast<double>(generation.tokens());
    return timed(c, proof, {[&] { (void)generation.stepwise(); }, work},
                 {[&] { (void)generate(); }, work, [&] { composed.forget(); }});
}

} // namespace

void addComposedEngine(const Context& c, Rows& rows)
{
    const auto most = static_cast<int>(mostThreads(c.job()));
    for (const int threads : {1, most}) {
        rows.add(named(tried([&] { return training(c, threads); }),
                       "composed engine, " + std::to_string(threads) +
                           (threads == 1 ? " thread" : " threads")));
        if (most == 1)
            break;
    }
    const torch::NoGradGuard guard;
    c.network().eval();
    VariantMeasurement m = tried([&] { return generation(c); });
    c.network().train();
    m.subject = VariantSubject::Generation;
    rows.add(named(std::move(m), "composed engine, stepwise"));
}

} // namespace outlay::worker
