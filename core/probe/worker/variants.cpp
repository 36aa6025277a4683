// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/variants.h"

#include "core/base/text.h"
#include "core/probe/machine.h"
#include "core/probe/worker/checkpoint.h"
#include "core/probe/worker/compare.h"
#include "core/probe/worker/generation.h"
#include "core/probe/worker/process_memory.h"
#include "core/workload/serving_work.h"
#include "core/workload/training_work.h"

#include <algorithm>

namespace outlay::worker {
namespace {

using namespace outlay::core;
using torch::Tensor;

/// What the makers of rows share.
struct Context {
    const Bench& bench;
    Trainer& plain;
    Threads threads;
    double seconds; // for one row

    [[nodiscard]] const Job& job() const { return bench.job; }
    [[nodiscard]] Contestant training(Trainer& trainer) const
    {
        const Training& t = trainer.training();
        return {[&trainer] { trainer.step(); }, static_cast<double>(t.batch * t.accumulation)};
    }
};

using Rows = std::vector<VariantMeasurement>;

VariantMeasurement named(VariantMeasurement m, std::string_view variant, std::string name)
{
    m.variant = std::string(variant);
    m.name = std::move(name);
    return m;
}

VariantMeasurement missing(std::string why)
{
    VariantMeasurement m;
    m.unavailable = std::move(why);
    return m;
}

/// Runs what LibTorch may refuse.
template <typename Measure>
VariantMeasurement tried(const Measure& measure)
{
    try {
        return measure();
    } catch (const std::exception& error) {
        const std::string what(error.what());
        return missing("LibTorch can't: " + printable(what.substr(0, what.find('\n')), 200));
    }
}

bool fits(const Job& job, const Training& training)
{
    constexpr double Share = 0.9;
    return trainingMemory(expand(job.model), training).total.high() <= Share * availableBytes();
}

/// A variant that computes the same must; its row is worth nothing otherwise.
VariantMeasurement proven(VariantMeasurement m, double difference, double tolerance,
                          const std::string& what)
{
    m.difference = difference;
    m.proof = what + ", the same up to " + plainNumber(tolerance);
    if (!(difference <= tolerance))
        m.unavailable =
            "it doesn't compute the same: " + what + " differ by " + plainNumber(difference);
    return m;
}

void addBatches(const Context& c, Rows& rows)
{
    for (const double factor : {0.5, 2.0, 4.0}) {
        Training training = c.job().training;
        training.batch = static_cast<std::int64_t>(factor * static_cast<double>(training.batch));
        if (training.batch < 1)
            continue;
        VariantMeasurement m = tried([&] {
            if (!fits(c.job(), training))
                return missing("it needs more memory than is free");
            Trainer trainer(c.plain.sharedNetwork(), training, c.plain.device());
            VariantMeasurement row =
                compare(c.bench, c.training(c.plain), c.training(trainer), c.seconds);
            row.proof = "trains on other batches: the result differs, and the learning rate may "
                        "have to";
            return row;
        });
        m.pointer = "/training/batch";
        m.value = std::to_string(training.batch);
        rows.push_back(named(std::move(m), "batch", "batch " + m.value));
    }
}

void addThreads(const Context& c, Rows& rows)
{
    const std::int64_t cores = thisMachine().cores;
    for (const Threads& other : {Threads{1, 1}, Threads{1, cores}, Threads{cores, 1}}) {
        const bool isPlain = other.torch == c.threads.torch && other.blas == c.threads.blas;
        if (isPlain || (cores == 1 && other.torch * other.blas == 1))
            continue;
        const auto stepWith = [&](const Threads& threads) {
            return Contestant{[&c, threads] {
                                  setThreads(threads);
                                  c.plain.step();
                              },
                              1};
        };
        VariantMeasurement m = tried([&] {
            VariantMeasurement row =
                compare(c.bench, stepWith(c.threads), stepWith(other), c.seconds);
            row.proof = "the same steps";
            return row;
        });
        setThreads(c.threads);
        rows.push_back(named(std::move(m), "threads",
                             "threads " + std::to_string(other.torch) + " LibTorch, " +
                                 std::to_string(other.blas) + " matrix library"));
    }
}

/// A training whose settings differ, proven by the gradients of the same data.
VariantMeasurement otherTraining(const Context& c, const Training& training,
                                 std::optional<std::uint64_t> seed, std::optional<double> tolerance)
{
    if (!fits(c.job(), training))
        return missing("it needs more memory than is free");
    Trainer trainer(c.plain.sharedNetwork(), training, c.plain.device());
    trainer.takeDataOf(c.plain);
    const double difference = relativeDifference(c.plain.gradients(seed), trainer.gradients(seed));
    const std::string what = "gradients of the same batch";
    VariantMeasurement row =
        tolerance ? proven({}, difference, *tolerance, what)
                  : VariantMeasurement{.difference = difference, .proof = what + ", relative"};
    if (!row.isMeasured())
        return row;
    VariantMeasurement timed =
        compare(c.bench, c.training(c.plain), c.training(trainer), c.seconds);
    timed.difference = row.difference;
    timed.proof = row.proof;
    return timed;
}

constexpr double RoundingTolerance = 1e-4; // of gradients in fp32

void addAccumulation(const Context& c, Rows& rows)
{
    constexpr std::int64_t Parts = 4;
    Training training = c.job().training;
    if (training.batch % Parts != 0)
        return;
    training.batch /= Parts;
    training.accumulation *= Parts;
    VariantMeasurement m =
        tried([&] { return otherTraining(c, training, std::nullopt, RoundingTolerance); });
    m.pointer = "/training/accumulation";
    m.value = std::to_string(training.accumulation);
    rows.push_back(named(std::move(m), "accumulation",
                         "accumulation " + std::to_string(training.accumulation) + " x batch " +
                             std::to_string(training.batch)));
}

void addCheckpointing(const Context& c, Rows& rows)
{
    const std::vector<Layer> layers = expand(c.job().model);
    const bool hasBlocks = std::any_of(layers.begin(), layers.end(),
                                       [](const Layer& layer) { return layer.block > 0; });
    Training training = c.job().training;
    if (training.checkpointing)
        return;
    training.checkpointing = true;
    constexpr std::uint64_t Seed = 7; // the second forward pass must draw the same dropout
    VariantMeasurement m = tried([&] {
        if (!hasBlocks)
            return missing("this design has no repeated blocks to compute again");
        return otherTraining(c, training, Seed, RoundingTolerance);
    });
    m.pointer = "/training/checkpointing";
    m.value = "true";
    rows.push_back(named(std::move(m), "checkpointing", "checkpointing"));
}

void addBf16(const Context& c, Rows& rows)
{
    Training training = c.job().training;
    if (training.precision == Precision::Bf16)
        return;
    training.precision = Precision::Bf16;
    VariantMeasurement m =
        tried([&] { return otherTraining(c, training, std::nullopt, std::nullopt); });
    m.pointer = "/training/precision";
    m.value = "\"bf16\"";
    rows.push_back(named(std::move(m), "bf16", "bf16 training (autocast)"));
}

void addInt8(const Context& c, Rows& rows)
{
    Network& network = *c.plain.sharedNetwork();
    const torch::NoGradGuard guard;
    network.eval();
    const auto passIn = [&](std::shared_ptr<Int8Weights> int8) {
        PassForm form = network.form();
        form.int8 = std::move(int8);
        network.setForm(std::move(form));
    };
    VariantMeasurement m = tried([&] {
        if (!c.plain.device().is_cpu() || !Int8Weights::isAvailable())
            return missing("this LibTorch has no 8-bit kernels for the device");
        const Input input = network.randomInput(c.job().serving.batch, c.job().serving.inputTokens);
        const auto int8 = std::make_shared<Int8Weights>();
        const auto pass = [&](const std::shared_ptr<Int8Weights>& weights) {
            passIn(weights);
            return network.forward(input);
        };
        const Tensor expected = pass(nullptr);
        const Tensor actual = pass(int8);
        const auto work = static_cast<double>(c.job().serving.batch);
        VariantMeasurement row = compare(c.bench, {[&] { (void)pass(nullptr); }, work},
                                         {[&] { (void)pass(int8); }, work}, c.seconds);
        row.difference = relativeDifference({expected}, {actual});
        row.proof = "outputs of random weights, relative; recurrent matrices stay in fp32";
        return row;
    });
    passIn(nullptr);
    network.train();
    m.subject = VariantSubject::Request;
    m.pointer = "/serving/precision";
    m.value = "\"int8\"";
    rows.push_back(named(std::move(m), "int8", "int8 weights"));
}

void addFullPrefix(const Context& c, Rows& rows)
{
    if (!generates(c.job().model))
        return;
    Network& network = *c.plain.sharedNetwork();
    const torch::NoGradGuard guard;
    network.eval();
    std::int64_t tokens = 0;
    VariantMeasurement m = tried([&] {
        const Generation generation(network, c.job().serving, c.plain.device(), c.seconds);
        tokens = generation.tokens();
        const auto work = static_cast<double>(tokens);
        constexpr double Tolerance = 1e-3; // logits of random weights, sums in another order
        VariantMeasurement row =
            proven({}, relativeDifference({generation.stepwise()}, {generation.fullPrefix()}),
                   Tolerance, "the last token's output");
        if (!row.isMeasured())
            return row;
        VariantMeasurement timed =
            compare(c.bench, {[&] { (void)generation.stepwise(); }, work},
                    {[&] { (void)generation.fullPrefix(); }, work}, c.seconds);
        timed.difference = row.difference;
        timed.proof = row.proof;
        return timed;
    });
    network.train();
    m.subject = VariantSubject::Generation;
    rows.push_back(named(std::move(m), "full-prefix",
                         "full prefix for each of " + std::to_string(tokens) + " tokens"));
}

/// The steps of a gated RNN as one operation; other designs have no row.
void addFusedRecurrence(const Context& c, Rows& rows)
{
    const std::vector<Layer>& layers = c.plain.sharedNetwork()->layers();
    const bool isGated = std::any_of(layers.begin(), layers.end(), [](const Layer& layer) {
        return std::holds_alternative<GatedRecurrent>(layer.spec);
    });
    if (!isGated)
        return;
    const auto fuse = [&](bool isFused) {
        PassForm form = c.plain.sharedNetwork()->form();
        form.fusesRecurrence = isFused;
        c.plain.sharedNetwork()->setForm(std::move(form));
    };
    const auto stepWith = [&](bool isFused) {
        const Training& t = c.job().training;
        return Contestant{[&c, fuse, isFused] {
                              fuse(isFused);
                              c.plain.step();
                          },
                          static_cast<double>(t.batch * t.accumulation)};
    };
    VariantMeasurement m = tried([&] {
        if (!c.plain.device().is_cpu() || c.job().training.precision != Precision::Fp32)
            return missing("the fused steps run on a CPU in fp32");
        const auto plain = c.plain.gradients(std::nullopt);
        fuse(true);
        const double difference = relativeDifference(plain, c.plain.gradients(std::nullopt));
        const VariantMeasurement proof =
            proven({}, difference, RoundingTolerance, "gradients of the same batch");
        if (!proof.isMeasured())
            return proof;
        VariantMeasurement timed = compare(c.bench, stepWith(false), stepWith(true), c.seconds);
        timed.difference = proof.difference;
        timed.proof = proof.proof;
        return timed;
    });
    fuse(false);
    rows.push_back(named(std::move(m), "fused-recurrence", "all steps as one operation"));
}

struct Maker {
    std::string_view variant;
    void (*add)(const Context& context, Rows& rows);
    int rows; // at most
};

constexpr std::array<Maker, VariantNames.size()> Makers{{
    {"batch", addBatches, 3},
    {"threads", addThreads, 2},
    {"accumulation", addAccumulation, 1},
    {"checkpointing", addCheckpointing, 1},
    {"bf16", addBf16, 1},
    {"int8", addInt8, 1},
    {"full-prefix", addFullPrefix, 1},
    {"fused-recurrence", addFusedRecurrence, 1},
}};

double secondsOfRow(const Job& job)
{
    constexpr double Share = 0.2;
    return Share * job.seconds;
}

} // namespace

double variantSeconds(const Job& job)
{
    double seconds = 0;
    for (const Maker& maker : Makers)
        seconds += isWanted(job.variants, maker.variant) ? maker.rows * secondsOfRow(job) : 0;
    return seconds;
}

std::vector<VariantMeasurement> measureVariants(const Bench& bench, Trainer& plain,
                                                const Threads& threads)
{
    const Context context{bench, plain, threads, secondsOfRow(bench.job)};
    Rows rows;
    for (const Maker& maker : Makers) {
        if (!isWanted(bench.job.variants, maker.variant))
            continue;
        bench.tick("variants", static_cast<std::int64_t>(rows.size()));
        maker.add(context, rows);
    }
    return rows;
}

} // namespace outlay::worker
