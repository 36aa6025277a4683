// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The engine against the modules step by step in float64: loss, every parameter's gradient, greedy tokens.
#include "core/probe/engine/gated_engine.h"
#include "core/probe/engine/simd.h"
#include "core/probe/worker/network/network.h"
#include "tests/support/test_class.h"

#include <random>
#include <sstream>

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

/// Relative differences: of the loss, of all gradients together and of each parameter's.
struct Difference {
    double loss = 0;
    double all = 0;
    std::vector<double> each;
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
        d.each.push_back(std::sqrt(apart / std::max(own, 1e-8 * sum)));
    }
    d.all = std::sqrt(squares / sum);
    return d;
}

std::string textOf(const GatedRnnDesign& g)
{
    std::ostringstream out;
    out << g.vocabulary << " x " << g.hidden << " x " << g.key << " x " << g.value << " x "
        << g.output << " x " << g.layers;
    return out.str();
}

/// With the parameters that are off by more than `most`, and by how much `plain` is there.
std::string textOf(const Difference& d, const Difference& plain, double most)
{
    std::ostringstream out;
    out << "loss " << d.loss << " (" << plain.loss << "), gradients " << d.all << " (" << plain.all
        << ")";
    for (std::size_t i = 0; i < d.each.size(); ++i) {
        if (d.each[i] > most)
            out << ", " << i << ": " << d.each[i] << " (" << plain.each[i] << ")";
    }
    return out.str();
}

std::vector<Case> someCases()
{
    std::vector<Case> cases{
        {{512, 128, 32, 64, 128, 2}, 2, 256}, {{2, 1, 1, 1, 1, 1}, 1, 1},
        {{40, 16, 8, 24, 12, 3}, 130, 1},     {{100, 30, 17, 33, 20, 1}, 5, 100},
        {{700, 20, 12, 130, 24, 2}, 2, 70},   {{50, 12, 40, 20, 12, 2}, 1, 2048},
        {{33, 24, 36, 48, 20, 2}, 3, 300},    {{1000, 64, 4, 100, 64, 2}, 17, 31}};
    std::mt19937_64 random(5);
    const auto upTo = [&](std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(1, most)(random);
    };
    for (int i = 0; i < 24; ++i)
        cases.push_back(
            {{1 + upTo(200), upTo(40), upTo(70), upTo(140), upTo(40), upTo(4)}, upTo(9), upTo(60)});
    return cases;
}

/// Both number types at each width of vectors against the modules in float64. In float32 all gradients
/// together may not be further off than 1e-6, or than plain steps in float32 where those are; `luck` is
/// that of rounding errors, where nothing but them is between the two.
void compareWithModules(const Case& c, Network& network, double luck)
{
    const Tokens tokens(c);
    const std::array<Vectors, 3> widths{Vectors::Bytes16, Vectors::Bytes32, Vectors::Bytes64};
    const Pass plain = moduleOf(network, tokens);
    std::vector<Pass> passes;
    for (const Vectors width : widths) {
        limitVectors(width);
        passes.push_back(engineOf<float>(c.design, network, tokens, 1));
    }
    network.to(torch::kDouble);
    const Pass expected = moduleOf(network, tokens);
    const Difference off = differenceOf(expected, plain);
    constexpr double Single = 1e-6;
    constexpr double Double = 1e-13;
    constexpr double ManyTimes = 10; // of small gradients, whose sums nearly cancel
    // What the expected ones are off by themselves, where gates are almost 1.
    constexpr double Finer = 0x1p-29;
    for (const Pass& pass : passes) {
        const Difference d = differenceOf(expected, pass);
        const std::string text = textOf(d, off, Single);
        QVERIFY2(d.loss <= 2 * std::max(Single, off.loss), text.c_str());
        QVERIFY2(d.all <= std::max(Single, luck * off.all), text.c_str());
        for (std::size_t i = 0; i < d.each.size(); ++i)
            QVERIFY2(d.each[i] <= std::max(2 * Single, ManyTimes * off.each[i]), text.c_str());
    }
    for (const Vectors width : widths) {
        limitVectors(width);
        const Difference d = differenceOf(expected, engineOf<double>(c.design, network, tokens, 2));
        const std::string text = textOf(d, off, Double);
        QVERIFY2(d.loss <= Double && d.all <= Double, text.c_str());
        for (std::size_t i = 0; i < d.each.size(); ++i)
            QVERIFY2(d.each[i] <= ManyTimes * std::max(Double, off.each[i] * Finer), text.c_str());
    }
}

/// Greedy tokens from the whole prefix each time.
std::vector<std::int64_t> generated(Network& network, std::vector<std::int64_t> tokens,
                                    std::int64_t count)
{
    const torch::NoGradGuard guard;
    network.setForm({.recurrence = Recurrence::Fused}); // proven by its own test, and not this slow
    const std::size_t prefix = tokens.size();
    for (std::int64_t i = 0; i < count; ++i) {
        const Tensor logits = network.forward({torch::tensor(tokens).unsqueeze(0), {}});
        tokens.push_back(logits[0][-1].argmax().item<std::int64_t>());
    }
    return {tokens.begin() + static_cast<std::ptrdiff_t>(prefix), tokens.end()};
}

} // namespace

class TestGatedEngine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { torch::set_num_threads(1); }
    void init() { torch::manual_seed(20261121); }
    void cleanup() { limitVectors(Vectors::Bytes64); }

    void takesTheModulesParameters()
    {
        for (const Case& c : someCases()) {
            std::vector<std::int64_t> sizes;
            for (const Tensor& parameter : networkOf(c.design)->parameters())
                sizes.push_back(parameter.numel());
            QCOMPARE(parameterSizes(c.design), sizes);
        }
    }

    void givesTheModulesGradients_data()
    {
        QTest::addColumn<int>("number");
        const std::vector<Case> all = someCases();
        for (int i = 0; i < static_cast<int>(all.size()); ++i) {
            const Case& c = all[static_cast<std::size_t>(i)];
            QTest::addRow("%s, %d of %d", textOf(c.design).c_str(), static_cast<int>(c.sequences),
                          static_cast<int>(c.steps))
                << i;
        }
    }
    void givesTheModulesGradients()
    {
        QFETCH(int, number);
        const Case c = someCases()[static_cast<std::size_t>(number)];
        compareWithModules(c, *networkOf(c.design), 1.5);
    }

    // Gates from 2e-9 to 1 - 1e-6.
    void holdsWithGatesShutAndOpen_data()
    {
        QTest::addColumn<double>("bias");
        QTest::addColumn<int>("steps");
        for (const double bias : {-20.0, -10.0, -4.0, 0.0, 4.0, 10.0, 14.0}) {
            for (const int steps : {1, 40, 160})
                QTest::addRow("bias %g, %d steps", bias, steps) << bias << steps;
        }
        QTest::addRow("bias 14, 2048 steps") << 14.0 << 2048;
        QTest::addRow("bias 1000, 9 steps") << 1000.0 << 9;
        QTest::addRow("bias -1000, 9 steps") << -1000.0 << 9;
    }
    void holdsWithGatesShutAndOpen()
    {
        QFETCH(double, bias);
        QFETCH(int, steps);
        const Case c{{48, 16, 16, 32, 16, 2}, 2, steps};
        const auto network = networkOf(c.design);
        for (auto& row : network->named_parameters()) {
            const torch::NoGradGuard guard;
            if (row.key().find("gate.bias") != std::string::npos)
                row.value().add_(bias);
        }
        compareWithModules(c, *network, 1);
    }

    void agreesWithAnyThreads()
    {
        const Case c{{64, 24, 16, 40, 24, 2}, 11, 37};
        const auto network = networkOf(c.design);
        const Tokens tokens(c);
        const Pass one = engineOf<float>(c.design, *network, tokens, 1);
        for (const int threads : {2, 3, 64}) {
            const Difference d =
                differenceOf(one, engineOf<float>(c.design, *network, tokens, threads));
            QVERIFY2(d.all < 1e-6 && d.loss < 1e-7, textOf(d, d, 1e-6).c_str());
            // So many threads add up in the same order each time.
            const Pass again = engineOf<float>(c.design, *network, tokens, threads);
            const Pass same = engineOf<float>(c.design, *network, tokens, threads);
            QCOMPARE(differenceOf(again, same).all, 0.0);
        }
    }

    // One engine for other lengths and changed weights.
    void startsAnewEachPass()
    {
        const Case c{{64, 24, 16, 40, 24, 2}, 5, 20};
        const auto network = networkOf(c.design);
        const auto parameters = network->parameters();
        GatedEngine<float> engine(c.design, spansOf<float>(parameters));
        const Tokens longer({c.design, 3, 60});
        const Tokens tokens(c);
        (void)engine.trainingPass(longer.rows(), 2);
        for (const Tensor& parameter : parameters) {
            const torch::NoGradGuard guard;
            parameter.mul_(1.5);
        }
        (void)engine.trainingPass(longer.rows(), 1);
        const GatedPass<float> used = engine.trainingPass(tokens.rows(), 1);
        GatedEngine<float> fresh(c.design, spansOf<float>(parameters));
        const GatedPass<float> expected = fresh.trainingPass(tokens.rows(), 1);
        QCOMPARE(used.loss, expected.loss);
        QCOMPARE(used.gradients, expected.gradients);
    }

    void makesTheSameTokens_data()
    {
        QTest::addColumn<int>("prefix");
        for (const int prefix : {1, 2, 257, 520})
            QTest::addRow("after %d", prefix) << prefix;
    }
    void makesTheSameTokens()
    {
        QFETCH(int, prefix);
        const GatedRnnDesign design{512, 128, 32, 64, 128, 2};
        const auto network = networkOf(design);
        const Tokens tokens({design, 1, prefix});
        const std::span<const std::int64_t> begin = tokens.rows().tokens;
        std::vector<std::vector<std::int64_t>> made;
        for (const Vectors width : {Vectors::Bytes16, Vectors::Bytes32, Vectors::Bytes64}) {
            limitVectors(width);
            GatedEngine<float> engine(design, spansOf<float>(network->parameters()));
            made.push_back(engine.generate(begin, 100));
            QCOMPARE(engine.generate(begin, 100), made.back()); // and again
        }
        network->to(torch::kDouble);
        const auto expected = generated(*network, {begin.begin(), begin.end()}, 100);
        for (const auto& tokensOfWidth : made)
            QCOMPARE(tokensOfWidth, expected);
    }
};

OUTLAY_TEST(TestGatedEngine)
#include "tst_gated_engine.moc"
