// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The engine against the modules step by step in float64: loss, every parameter's gradient, greedy tokens.
#include "core/probe/worker/gated_engine.h"
#include "core/probe/worker/network.h"

// QtTest after LibTorch, which uses `slots` as a name.
#include <QTest>

using namespace outlay::core;
using namespace outlay::worker;
using torch::Tensor;

namespace {

struct Case {
    GatedRnnDesign design;
    std::int64_t sequences = 1;
    std::int64_t steps = 1;
};

std::shared_ptr<Network> networkOf(const GatedRnnDesign& design)
{
    Model model;
    model.design = design;
    const auto network = *Network::create(model);
    const torch::NoGradGuard guard;
    for (auto& row : network->named_parameters()) {
        if (row.value().dim() == 1) // biases of some modules begin at 0
            row.value().uniform_(-0.3, 0.3);
    }
    return network;
}

struct Tokens {
    Tensor in;
    Tensor out;

    Tokens(const Case& c)
        : in(torch::randint(c.design.vocabulary, {c.sequences, c.steps}, torch::kLong)),
          out(torch::randint(c.design.vocabulary, {c.sequences, c.steps}, torch::kLong))
    {
    }
    [[nodiscard]] TokenRows rows() const
    {
        const auto span = [](const Tensor& t) {
            return std::span<const std::int64_t>(t.data_ptr<std::int64_t>(),
                                                 static_cast<std::size_t>(t.numel()));
        };
        return {in.size(0), in.size(1), span(in), span(out)};
    }
};

/// What both should give: the loss, and the gradients in the order of the parameters.
struct Pass {
    double loss = 0;
    std::vector<Tensor> gradients; // in float64
};

/// By LibTorch, step by step, in the number type of the network.
Pass moduleOf(Network& network, const Tokens& tokens)
{
    const Tensor loss = network.loss(network.forward({tokens.in, {}}), tokens.out);
    Pass pass{loss.item<double>(), {}};
    for (const Tensor& gradient : torch::autograd::grad({loss}, network.parameters()))
        pass.gradients.push_back(gradient.to(torch::kDouble));
    return pass;
}

template <typename Real>
Pass engineOf(const GatedRnnDesign& design, Network& network, const Tokens& tokens, int threads)
{
    const auto parameters = network.parameters();
    GatedEngine<Real> engine(design, spansOf<Real>(parameters));
    const GatedPass<Real> pass = engine.trainingPass(tokens.rows(), threads);
    Pass result{pass.loss, {}};
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Tensor gradient = torch::empty(parameters[i].sizes(), parameters[i].options());
        std::copy(pass.gradients[i].begin(), pass.gradients[i].end(), gradient.data_ptr<Real>());
        result.gradients.push_back(gradient.to(torch::kDouble));
    }
    return result;
}

/// The largest relative difference of one parameter's gradients, of the loss, and of them all.
struct Difference {
    double loss = 0;
    double worst = 0;
    double all = 0;
    std::size_t worstAt = 0;
};

Difference differenceOf(const Pass& expected, const Pass& actual)
{
    Difference d{std::abs(actual.loss / expected.loss - 1)};
    double squares = 0;
    double sum = 0;
    for (const Tensor& gradient : expected.gradients)
        sum += gradient.square().sum().item<double>();
    for (std::size_t i = 0; i < expected.gradients.size(); ++i) {
        const double apart =
            (actual.gradients[i] - expected.gradients[i]).square().sum().item<double>();
        squares += apart;
        // One that is next to nothing (of the gates in sequences of one token) is held to the whole.
        const double own = expected.gradients[i].square().sum().item<double>();
        const double relative = std::sqrt(apart / std::max(own, 1e-8 * sum));
        if (relative > d.worst)
            d.worstAt = i;
        d.worst = std::max(d.worst, relative);
    }
    d.all = std::sqrt(squares / sum);
    return d;
}

std::string textOf(const Case& c, const Difference& d)
{
    const GatedRnnDesign& g = c.design;
    std::ostringstream out;
    out << g.vocabulary << " x " << g.hidden << " x " << g.key << " x " << g.value << " x "
        << g.output << " x " << g.layers << ", " << c.sequences << " of " << c.steps << ": loss "
        << d.loss << ", gradients " << d.all << ", worst " << d.worst << " of " << d.worstAt;
    return out.str();
}

std::vector<Case> cases()
{
    return {{{512, 128, 32, 64, 128, 2}, 2, 512}, {{11, 8, 5, 7, 6, 2}, 3, 13},
            {{2, 1, 1, 1, 1, 1}, 1, 1},           {{40, 16, 8, 24, 12, 3}, 130, 1},
            {{100, 30, 17, 33, 20, 1}, 5, 100},   {{64, 16, 16, 16, 16, 4}, 9, 33},
            {{700, 20, 12, 130, 24, 2}, 2, 70},   {{50, 12, 40, 20, 12, 2}, 1, 2048},
            {{33, 24, 36, 48, 20, 2}, 3, 600},    {{1000, 64, 4, 100, 64, 2}, 17, 31}};
}

} // namespace

class TestGatedEngine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { torch::set_num_threads(1); }

    void givesTheModulesGradients()
    {
        torch::manual_seed(20261121);
        for (const Case& c : cases()) {
            const auto network = networkOf(c.design);
            const Tokens tokens(c);
            const Pass singleStep = moduleOf(*network, tokens);
            const Pass single = engineOf<float>(c.design, *network, tokens, 1);
            network->to(torch::kDouble);
            const Pass expected = moduleOf(*network, tokens);
            const Pass twice = engineOf<double>(c.design, *network, tokens, 2);
            const Difference plain = differenceOf(expected, singleStep);
            const Difference inFloat = differenceOf(expected, single);
            const Difference inDouble = differenceOf(expected, twice);
            qInfo("%s\n   plain %s\n   double %s", textOf(c, inFloat).c_str(),
                  textOf(c, plain).c_str(), textOf(c, inDouble).c_str());
            QVERIFY2(inFloat.loss <= 1e-6 && inFloat.all <= 1e-6, textOf(c, inFloat).c_str());
            QVERIFY2(inDouble.loss <= 1e-13 && inDouble.worst <= 1e-13,
                     textOf(c, inDouble).c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestGatedEngine)
#include "tst_gated_engine.moc"
