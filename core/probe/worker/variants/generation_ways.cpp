// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Other ways to generate the same tokens.
#include "core/probe/worker/network/generation.h"
#include "core/probe/worker/variants/makers.h"

namespace outlay::worker {
namespace {

using namespace outlay::core;
using torch::Tensor;

constexpr double OutputTolerance = 1e-3; // logits of random weights, sums in another order

VariantMeasurement proofOf(const Generation& generation, const Network& network,
                           const Tensor& outputs)
{
    std::string what = "outputs for every token against stepwise ones in ";
    what += generation.expected().scalar_type() == torch::kDouble ? "fp64" : "fp32";
    if (network.saysTokens())
        what = std::to_string(generation.sameTokens(outputs)) + " of " +
               std::to_string(generation.tokens()) + " tokens chosen the same; " + what;
    return proven(relativeDifference({generation.expected()}, {outputs}), OutputTolerance, what);
}

/// While it lives, the network generates: no dropout, no gradients.
class Generating {
public:
    explicit Generating(Network& network) : m_network(network), m_form(network.form())
    {
        m_network.eval();
    }
    ~Generating()
    {
        m_network.setForm(m_form);
        m_network.train();
    }

    Generating(const Generating&) = delete;
    Generating& operator=(const Generating&) = delete;

private:
    torch::NoGradGuard m_guard;
    Network& m_network;
    PassForm m_form;
};

} // namespace

void addFullPrefix(const Context& c, Rows& rows)
{
    const Generating generating(c.network());
    std::int64_t tokens = 0;
    VariantMeasurement m = tried([&] {
        const Serving& serving = c.job().serving;
        if (serving.outputTokens < 1)
            return missing("no tokens are generated");
        tokens = Generation::affordable(c.network(), serving, c.plain.device(), c.seconds);
        const Generation generation(c.network(), serving, c.plain.device(), tokens);
        tokens = generation.tokens();
        const auto work = static_cast<double>(tokens);
        return timed(c, proofOf(generation, c.network(), generation.fullPrefix()),
                     {[&] { (void)generation.stepwise(); }, work},
                     {[&] { (void)generation.fullPrefix(); }, work});
    });
    m.subject = VariantSubject::Generation;
    rows.add(named(std::move(m), "full prefix for each of " + std::to_string(tokens) + " tokens"));
}

void addStepwiseFused(const Context& c, Rows& rows)
{
    const Generating generating(c.network());
    VariantMeasurement m = tried([&] {
        if (!c.plain.device().is_cpu())
            return missing("the fused steps run on a CPU");
        if (c.job().serving.outputTokens < 1)
            return missing("no tokens are generated");
        constexpr std::int64_t Most = 100;
        const Generation generation(c.network(), c.job().serving, c.plain.device(), Most);
        const auto in = [&](const PassForm& form) {
            c.network().setForm(form);
            return generation.stepwise();
        };
        const PassForm fused{.projections = Projections::One, .recurrence = Recurrence::Fused};
        const auto work = static_cast<double>(generation.tokens());
        return timed(c, proofOf(generation, c.network(), in(fused)), {[&] { (void)in({}); }, work},
                     {[&] { (void)in(fused); }, work});
    });
    m.subject = VariantSubject::Generation;
    rows.add(named(std::move(m), "stepwise, all steps of a prompt as one operation"));
}

} // namespace outlay::worker
