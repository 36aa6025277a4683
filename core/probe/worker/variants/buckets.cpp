// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences of different lengths, padded to the longest beside them or sorted first.
#include "core/probe/worker/network/exactly.h"
#include "core/probe/worker/variants/makers.h"

#include <algorithm>
#include <random>

namespace outlay::worker {
namespace {

using namespace outlay::core;
using torch::Tensor;

constexpr std::int64_t Parts = 4; // of a batch: what is padded together

/// Some sequences, each as long as the longest of them; positions behind a sequence's end have no target.
struct Padded {
    Input input;
    Tensor target;
    double share = 1; // of all targets
};

class Lengths {
public:
    Lengths(Network& network, const Training& training) : m_network(network)
    {
        m_input = network.randomInput(training.batch, training.sequence);
        std::mt19937_64 random(11); // the same in every run
        std::uniform_int_distribution<std::int64_t> any(1, training.sequence);
        for (std::int64_t i = 0; i < training.batch; ++i)
            m_lengths.push_back(any(random));
        const torch::NoGradGuard guard;
        m_target = network.randomTarget(network.forward(m_input));
        m_targets = 0;
        for (const std::int64_t length : m_lengths)
            m_targets += static_cast<double>(length);
    }

    enum class Order { Drawn, Sorted };

    /// In parts of `atOnce`, each as long as its longest or as `least`.
    [[nodiscard]] std::vector<Padded> parts(Order order, std::int64_t atOnce,
                                            std::int64_t least) const
    {
        std::vector<std::size_t> places(m_lengths.size());
        for (std::size_t i = 0; i < places.size(); ++i)
            places[i] = i;
        if (order == Order::Sorted)
            std::sort(places.begin(), places.end(),
                      [&](std::size_t a, std::size_t b) { return m_lengths[a] < m_lengths[b]; });
        std::vector<Padded> parts;
        const auto apart = static_cast<std::size_t>(atOnce);
        for (std::size_t first = 0; first < places.size(); first += apart) {
            const std::size_t end = std::min(first + apart, places.size());
            parts.push_back(part({places.begin() + static_cast<std::ptrdiff_t>(first),
                                  places.begin() + static_cast<std::ptrdiff_t>(end)},
                                 least));
        }
        return parts;
    }

    /// Forward and backward over all parts.
    void pass(const std::vector<Padded>& parts) const
    {
        m_network.zero_grad();
        for (const Padded& part : parts) {
            const Tensor loss = m_network.loss(m_network.forward(part.input), part.target);
            (loss * part.share).backward();
        }
    }

    [[nodiscard]] std::vector<Tensor> gradients(const std::vector<Padded>& parts) const
    {
        pass(parts);
        std::vector<Tensor> gradients;
        for (Tensor& parameter : m_network.parameters()) {
            gradients.push_back(parameter.grad());
            parameter.mutable_grad() = Tensor();
        }
        return gradients;
    }

    /// Each sequence by itself, in fp64.
    [[nodiscard]] std::vector<Tensor> exactGradients() const
    {
        const Exactly exactly(m_network);
        return gradients(parts(Order::Drawn, 1, 1));
    }

private:
    [[nodiscard]] Padded part(const std::vector<std::size_t>& places, std::int64_t least) const
    {
        std::int64_t longest = least;
        double targets = 0;
        for (const std::size_t place : places) {
            longest = std::max(longest, m_lengths[place]);
            targets += static_cast<double>(m_lengths[place]);
        }
        constexpr std::int64_t NoTarget = -100; // which the loss passes over
        std::vector<Tensor> inputs;
        std::vector<Tensor> target;
        for (const std::size_t place : places) {
            const auto at = static_cast<std::int64_t>(place);
            inputs.push_back(m_input.values[at].narrow(0, 0, longest));
            target.push_back(m_target[at].narrow(0, 0, longest).clone());
            target.back().narrow(0, m_lengths[place], longest - m_lengths[place]).fill_(NoTarget);
        }
        return {{torch::stack(inputs), {}}, torch::stack(target), targets / m_targets};
    }

    Network& m_network;
    Input m_input;
    Tensor m_target;
    std::vector<std::int64_t> m_lengths;
    double m_targets = 0;
};

/// Whether what follows the end of a sequence has no influence on what came before it.
bool canBePadded(const Network& network)
{
    const auto hinders = [](const Layer& layer) {
        const auto* recurrent = std::get_if<Recurrent>(&layer.spec);
        const auto* norm = std::get_if<Norm>(&layer.spec);
        return (recurrent != nullptr &&
                (recurrent->bidirectional || !recurrent->returnsSequence)) ||
               (norm != nullptr && norm->kind == NormKind::Batch) || layer.stream == Stream::Sample;
    };
    return network.isClassifier() &&
           std::none_of(network.layers().begin(), network.layers().end(), hinders);
}

/// Of the gradients of some sequences from those of each by itself in fp64, without dropout.
double differenceIn(const Context& c, Lengths::Order order)
{
    constexpr std::int64_t Enough = 2 * Parts;
    Training few = c.plain.training();
    few.batch = std::min(few.batch, Enough);
    const Lengths lengths(c.network(), few);
    c.network().eval();
    const double difference = relativeDifference(
        lengths.exactGradients(), lengths.gradients(lengths.parts(order, few.batch / Parts, 1)));
    c.network().train();
    return difference;
}

} // namespace

void addBuckets(const Context& c, Rows& rows)
{
    const Training& t = c.plain.training();
    const auto measured = [&](Lengths::Order order) {
        if (!canBePadded(c.network()))
            return missing("this design can't be padded without changing what it computes");
        if (t.batch < Parts || t.precision != Precision::Fp32 || !c.plain.device().is_cpu())
            return missing("it takes a batch of four at least, in fp32, on a CPU");
        if (const std::string why = proofObstacle(c, 1); !why.empty())
            return missing(why);
        const std::int64_t atOnce = t.batch / Parts;
        const Lengths lengths(c.network(), t);
        const std::vector<Padded> plain = lengths.parts(Lengths::Order::Drawn, atOnce, t.sequence);
        const std::vector<Padded> variant = lengths.parts(order, atOnce, 1);
        const double difference = differenceIn(c, order);
        const auto work = static_cast<double>(t.batch);
        return timed(c,
                     proven(difference, RoundingTolerance,
                            "gradients against each sequence by itself in fp64"),
                     {[&] { lengths.pass(plain); }, work}, {[&] { lengths.pass(variant); }, work});
    };
    // No experiment says how long its sequences are: an assumption, named with the row.
    const std::string assumption =
        " (lengths assumed even, 1 to " + std::to_string(t.sequence) + ")";
    rows.add(named(tried([&] { return measured(Lengths::Order::Drawn); }),
                   "padded to the longest of each part" + assumption));
    rows.add(named(tried([&] { return measured(Lengths::Order::Sorted); }),
                   "buckets by length" + assumption));
}

} // namespace outlay::worker
