// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What each step of making the gated RNN fast brings, in time and in memory: each way in a process of its
// own, all ways in each round. Processor time is that of all threads, which other programs disturb less.
// bench_gated_rnn [ROUNDS [WAY...]], 5 of all ways if not said.
#include "core/probe/engine/gated_engine.h"
#include "core/probe/host/blas.h"
#include "core/probe/host/process_memory.h"
#include "core/probe/machine.h"
#include "core/probe/statistics.h"
#include "core/probe/worker/measure/measure.h"
#include "tests/bench/gated_rnn_ways.h"
#include "tests/bench/samples.h"

#include <cstdio>
#include <functional>
#include <malloc.h>
#include <map>
#include <set>

using namespace outlay;
using bench::GatedModel;
using bench::Projections;
using torch::Tensor;

namespace {

const core::GatedRnnDesign Design{512, 128, 32, 64, 128, 2};
constexpr std::int64_t Sequences = 256;
constexpr std::int64_t Steps = 512;
constexpr std::int64_t Prefix = 256;
constexpr std::int64_t Made = 100;

std::span<const std::int64_t> spanOf(const Tensor& tokens)
{
    return {tokens.data_ptr<std::int64_t>(), static_cast<std::size_t>(tokens.numel())};
}

std::shared_ptr<worker::Network> networkOf(const core::GatedRnnDesign& design)
{
    core::Model model;
    model.design = design;
    return *worker::Network::create(model);
}

/// The model and its tokens, the same in every process.
struct Data {
    explicit Data(const core::GatedRnnDesign& d, std::int64_t sequences, std::int64_t steps)
        : design(d)
    {
        torch::manual_seed(20261121);
        network = networkOf(design);
        tokens = torch::randint(design.vocabulary, {sequences, steps}, torch::kLong);
        targets = torch::randint(design.vocabulary, {sequences, steps}, torch::kLong);
    }

    core::GatedRnnDesign design;
    std::shared_ptr<worker::Network> network;
    Tensor tokens;
    Tensor targets;

    [[nodiscard]] GatedModel model() const { return GatedModel(network->parameters()); }
    [[nodiscard]] Tensor prefix() const
    {
        return tokens.narrow(0, 0, 1).narrow(1, 0, std::min(Prefix, tokens.size(1)));
    }
};

/// Runs the way once; what it builds lives until it ends.
using Turn = std::function<void()>;

Turn engineTurn(const Data& data, int threads)
{
    const auto engine = std::make_shared<worker::GatedEngine<float>>(
        data.design, worker::spansOf<float>(data.network->parameters()));
    return [engine, &data, threads] {
        (void)engine->trainingPass(
            {data.tokens.size(0), data.tokens.size(1), spanOf(data.tokens), spanOf(data.targets)},
            threads);
    };
}

Turn generationTurn(const Data& data)
{
    const auto engine = std::make_shared<worker::GatedEngine<float>>(
        data.design, worker::spansOf<float>(data.network->parameters()));
    return [engine, prefix = data.prefix().contiguous()] {
        (void)engine->generate(spanOf(prefix), Made);
    };
}

enum class Kind { Training, Generation };

struct Way {
    const char* id;
    const char* text;
    Kind kind;
    std::int64_t sequences; // that are run; the time is that of all
    int turns;              // of which the median is taken
    Turn (*make)(const Data& data);
};

Turn steps(const Data& data, Projections projections, std::int64_t batch)
{
    return [&data, projections, batch, model = data.model()] {
        (void)bench::trainStepByStep(model, projections, data.tokens, data.targets, batch);
    };
}

const Way Ways[] = {
    {"simple", "simple: batch 1, four projections a step (8 sequences, times 32)", Kind::Training,
     8, 1, [](const Data& d) { return steps(d, Projections::Separate, 1); }},
    {"batched", "batched: 32 sequences", Kind::Training, Sequences, 1,
     [](const Data& d) { return steps(d, Projections::Separate, 32); }},
    {"fused-projections", "fused projections, batch 32", Kind::Training, Sequences, 1,
     [](const Data& d) { return steps(d, Projections::Fused, 32); }},
    {"fused-recurrence", "fused recurrence (one autograd function), batch 4", Kind::Training,
     Sequences, 1,
     [](const Data& d) {
         return Turn(
             [&d, model = d.model()] { (void)bench::trainFused(model, d.tokens, d.targets, 4); });
     }},
    {"in-blocks", "the same, head and loss in blocks of rows", Kind::Training, Sequences, 1,
     [](const Data& d) {
         return Turn([&d, model = d.model()] {
             (void)bench::trainInBlocks(model, d.tokens, d.targets, 4);
         });
     }},
    {"composed", "the same, adjacent maps composed", Kind::Training, Sequences, 1,
     [](const Data& d) {
         return Turn([&d, model = d.model()] {
             (void)bench::trainComposed(model, d.tokens, d.targets, 4);
         });
     }},
    {"engine", "engine, one thread", Kind::Training, Sequences, 3,
     [](const Data& d) { return engineTurn(d, 1); }},
    {"engine-2", "engine, two threads", Kind::Training, Sequences, 3,
     [](const Data& d) { return engineTurn(d, 2); }},
    {"full-prefix", "full prefix for each token", Kind::Generation, 1, 1,
     [](const Data& d) {
         return Turn([prefix = d.prefix(), model = d.model()] {
             (void)bench::generateFromPrefix(model, prefix, Made);
         });
     }},
    {"stepwise", "stepwise, the state kept", Kind::Generation, 1, 5,
     [](const Data& d) {
         return Turn([prefix = d.prefix(), model = d.model()] {
             (void)bench::generateStepwise(model, Projections::Separate, prefix, Made);
         });
     }},
    {"stepwise-fused", "stepwise, fused projections", Kind::Generation, 1, 5,
     [](const Data& d) {
         return Turn([prefix = d.prefix(), model = d.model()] {
             (void)bench::generateStepwise(model, Projections::Fused, prefix, Made);
         });
     }},
    {"stepwise-engine", "stepwise by the engine", Kind::Generation, 1, 51,
     [](const Data& d) { return generationTurn(d); }},
};

/// The child's part: growth over the loaded model in the first turn, then the time of the others.
int measure(const std::string& id)
{
    worker::setThreads({1, 1});
    for (const Way& way : Ways) {
        if (id != way.id)
            continue;
        {
            // What the libraries take when they first compute belongs to them.
            const Data tiny({16, 16, 16, 16, 16, 2}, 2, 4);
            way.make(tiny)();
        }
        const Data data(Design, way.sequences, Steps);
        for (const Tensor& parameter : data.network->parameters())
            parameter.mutable_grad() = Tensor();
        ::malloc_trim(0);
        worker::resetPeak();
        const double before = worker::residentBytes();
        const Turn turn = way.make(data);
        turn();
        const double peak = worker::peakBytes() - before;
        std::vector<double> times;
        std::vector<double> processor;
        for (int i = 0; i < way.turns; ++i) {
            const double start = worker::wallClock();
            const double processorStart = worker::processorClock();
            turn();
            processor.push_back(worker::processorClock() - processorStart);
            times.push_back(worker::wallClock() - start);
        }
        const auto share = way.kind == Kind::Training
                               ? static_cast<double>(Sequences) / static_cast<double>(way.sequences)
                               : 1.0;
        std::printf("%.9f %.9f %.0f\n", share * core::median(times),
                    share * core::median(processor), peak);
        return 0;
    }
    return 2;
}

double relative(const std::vector<Tensor>& expected, const std::vector<std::vector<double>>& actual)
{
    double apart = 0;
    double all = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const Tensor other = torch::tensor(actual[i], torch::kDouble).reshape(expected[i].sizes());
        apart += (expected[i] - other).square().sum().item<double>();
        all += expected[i].square().sum().item<double>();
    }
    return std::sqrt(apart / all);
}

template <typename Real>
std::vector<std::vector<double>> engineGradients(const Data& data)
{
    worker::GatedEngine<Real> engine(data.design,
                                     worker::spansOf<Real>(data.network->parameters()));
    const auto pass = engine.trainingPass(
        {data.tokens.size(0), data.tokens.size(1), spanOf(data.tokens), spanOf(data.targets)});
    std::vector<std::vector<double>> gradients;
    for (const auto& gradient : pass.gradients)
        gradients.emplace_back(gradient.begin(), gradient.end());
    return gradients;
}

/// The child's part: gradients and tokens of the engine against steps in float64.
int prove()
{
    worker::setThreads({1, 1});
    for (const std::int64_t sequences : {std::int64_t{8}, Sequences}) {
        Data data(Design, sequences, Steps);
        const auto single = engineGradients<float>(data);
        data.network->to(torch::kDouble);
        const auto twice = engineGradients<double>(data);
        for (const Tensor& parameter : data.network->parameters())
            parameter.mutable_grad() = Tensor();
        // All of them step by step would take minutes: there the steps are one function, in float64.
        if (sequences == Sequences)
            (void)bench::trainFused(data.model(), data.tokens, data.targets, 8);
        else
            (void)bench::trainStepByStep(data.model(), Projections::Separate, data.tokens,
                                         data.targets, 8);
        std::vector<Tensor> expected;
        for (const Tensor& parameter : data.network->parameters())
            expected.push_back(parameter.grad());
        if (sequences != Sequences) { // every way computes the same
            for (const auto train :
                 {bench::trainFused, bench::trainInBlocks, bench::trainComposed}) {
                for (const Tensor& parameter : data.network->parameters())
                    parameter.mutable_grad() = Tensor();
                (void)train(data.model(), data.tokens, data.targets, 4);
                double apart = 0;
                for (std::size_t i = 0; i < expected.size(); ++i)
                    apart = std::max(apart, (data.network->parameters()[i].grad() - expected[i])
                                                .abs()
                                                .max()
                                                .item<double>());
                std::printf(
                    "largest difference of a gradient of LibTorch's ways in float64: %.1e\n",
                    apart);
            }
        }
        std::printf("gradients of %lld sequences against float64, relative: float32 %.1e, float64 "
                    "%.1e\n",
                    static_cast<long long>(sequences), relative(expected, single),
                    relative(expected, twice));
    }
    const Data data(Design, 1, Steps);
    const Tensor prefix = data.prefix().contiguous();
    worker::GatedEngine<float> engine(Design, worker::spansOf<float>(data.network->parameters()));
    const auto made = engine.generate(spanOf(prefix), Made);
    data.network->to(torch::kDouble);
    const auto expected = bench::generateFromPrefix(data.model(), prefix, Made);
    std::int64_t same = 0;
    for (std::size_t i = 0; i < made.size(); ++i)
        same += made[i] == expected[i] ? 1 : 0;
    std::printf("generated tokens equal to those in float64: %lld of %lld\n",
                static_cast<long long>(same), static_cast<long long>(Made));
    return 0;
}

struct Row {
    std::vector<double> seconds;
    std::vector<double> processorS; // of all threads
    std::vector<double> bytes;
};

using Rows = std::map<std::string, Row>;

void measureAll(const std::string& self, int rounds, const std::set<std::string>& wanted,
                Rows& rows)
{
    for (int round = 0; round < rounds; ++round) {
        for (const Way& way : Ways) {
            if (!wanted.empty() && !wanted.contains(way.id))
                continue;
            std::FILE* pipe = ::popen((self + " --way " + way.id).c_str(), "r");
            double seconds = 0;
            double processorS = 0;
            double bytes = 0;
            const bool hasAnswered = pipe != nullptr && std::fscanf(pipe, "%lf %lf %lf", &seconds,
                                                                    &processorS, &bytes) == 3;
            if (pipe != nullptr)
                ::pclose(pipe);
            if (!hasAnswered) {
                std::fprintf(stderr, "no answer from %s\n", way.id);
                continue;
            }
            rows[way.id].seconds.push_back(seconds);
            rows[way.id].processorS.push_back(processorS);
            rows[way.id].bytes.push_back(bytes);
        }
    }
}

void printTable(Kind kind, const Rows& rows)
{
    const bool isTraining = kind == Kind::Training;
    const char* title = isTraining ? "training, forward and backward, 256 sequences of 512 tokens"
                                   : "100 tokens after 256";
    std::printf("\n%-68s %10s %9s %12s %9s %9s\n", title, "ms", "times", "processor ms", "times",
                "peak MB");
    const auto first = rows.find(isTraining ? "simple" : "full-prefix");
    for (const Way& way : Ways) {
        const auto found = rows.find(way.id);
        if (way.kind != kind || found == rows.end())
            continue;
        const Row& row = found->second;
        const Row& plain = first == rows.end() ? row : first->second;
        std::printf(
            "%-68s %10.2f %9.1f %12.2f %9.1f %9.1f\n", way.text, 1e3 * core::median(row.seconds),
            core::ratioOf(plain.seconds, row.seconds).value, 1e3 * core::median(row.processorS),
            core::ratioOf(plain.processorS, row.processorS).value, core::median(row.bytes) / 1e6);
    }
}

/// Of the rounds' ratios the median, and where it would lie again.
void printRatio(const char* text, const Rows& rows, const char* slow, const char* fast,
                const std::vector<double> Row::*figure)
{
    const auto a = rows.find(slow);
    const auto b = rows.find(fast);
    if (a == rows.end() || b == rows.end())
        return;
    const core::Ratio ratio = core::ratioOf(a->second.*figure, b->second.*figure);
    std::printf("%-78s %7.1f x (%.1f to %.1f)\n", text, ratio.value, ratio.interval.low,
                ratio.interval.high);
}

int report(const std::string& self, int rounds, const std::set<std::string>& wanted)
{
    const std::string core(
        worker::betterKernels(worker::loadedBlas(), core::thisMachine().features));
    if (!core.empty())
        ::setenv("OPENBLAS_CORETYPE", core.c_str(), 0);
    ::setenv("OMP_NUM_THREADS", "1", 0);
    const char* used = std::getenv("OPENBLAS_CORETYPE");
    std::printf("%s, OPENBLAS_CORETYPE=%s, %d rounds\n", bench::machineName().c_str(),
                used == nullptr ? "(unset)" : used, rounds);
    std::fflush(stdout);
    Rows rows;
    measureAll(self, rounds, wanted, rows);
    printTable(Kind::Training, rows);
    printTable(Kind::Generation, rows);
    std::printf("\n");
    printRatio("training, engine on two threads over simple", rows, "simple", "engine-2",
               &Row::seconds);
    printRatio("training, engine on one thread over simple", rows, "simple", "engine",
               &Row::seconds);
    printRatio("training, LibTorch's operations and one autograd function over simple", rows,
               "simple", "composed", &Row::seconds);
    printRatio("peak memory, fused projections over the engine on one thread", rows,
               "fused-projections", "engine", &Row::bytes);
    printRatio("  ... and their time", rows, "fused-projections", "engine", &Row::seconds);
    printRatio("generation, the engine over full prefix", rows, "full-prefix", "stepwise-engine",
               &Row::seconds);
    std::fflush(stdout);
    return std::system((self + " --prove").c_str());
}

} // namespace

int main(int argc, char* argv[])
{
    const std::string mode = argc > 1 ? argv[1] : "";
    if (mode == "--way" && argc > 2)
        return measure(argv[2]);
    if (mode == "--prove")
        return prove();
    const int rounds = argc > 1 ? static_cast<int>(std::strtol(argv[1], nullptr, 10)) : 5;
    return report(argv[0], rounds, {argv + std::min(2, argc), argv + argc});
}
