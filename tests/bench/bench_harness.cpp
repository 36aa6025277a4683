// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the worker's step costs beside a hand-written LibTorch loop over the same model, in turns within one
// process; and what the settings that it chooses gain over LibTorch's default environment.
#include "core/experiment/presets.h"
#include "core/probe/statistics.h"
#include "core/probe/worker/blas.h"
#include "core/probe/worker/measure.h"
#include "tests/bench/samples.h"

#include <cstdio>

using namespace outlay;

namespace {

constexpr std::int64_t Vocabulary = 10'000;
constexpr std::int64_t Batch = 128;
constexpr std::int64_t Sequence = 50;

/// The text generator as one would write it.
struct HandModel : torch::nn::Module {
    torch::nn::Embedding embedding = register_module("e", torch::nn::Embedding(Vocabulary, 100));
    torch::nn::LSTM lstm = register_module(
        "l", torch::nn::LSTM(
                 torch::nn::LSTMOptions(100, 150).num_layers(2).dropout(0.2).batch_first(true)));
    torch::nn::Dropout dropout = register_module("d", torch::nn::Dropout(0.2));
    torch::nn::Linear head = register_module("h", torch::nn::Linear(150, Vocabulary));

    torch::Tensor forward(const torch::Tensor& ids)
    {
        const auto [out, state] = lstm->forward(embedding->forward(ids));
        return head->forward(dropout->forward(out.select(1, Sequence - 1)));
    }
};

class HandLoop {
public:
    double step()
    {
        const double start = worker::wallClock();
        m_optimizer.zero_grad();
        const torch::Tensor output = m_model->forward(m_ids);
        torch::nn::functional::cross_entropy(output, m_targets).backward();
        m_optimizer.step();
        return worker::wallClock() - start;
    }

private:
    std::shared_ptr<HandModel> m_model = std::make_shared<HandModel>();
    torch::optim::Adam m_optimizer{m_model->parameters(), torch::optim::AdamOptions(1e-4)};
    torch::Tensor m_ids = torch::randint(Vocabulary, {Batch, Sequence}, torch::kLong);
    torch::Tensor m_targets = torch::randint(Vocabulary, {Batch}, torch::kLong);
};

core::Job textGenerator()
{
    core::Job job;
    job.model = core::preset("text-generator")->experiment.model;
    job.training.batch = Batch;
    job.training.sequence = Sequence;
    return job;
}

void compareInTurns(int rounds)
{
    worker::setThreads({1, 1});
    const core::Job job = textGenerator();
    worker::Trainer trainer(*worker::Network::create(job.model), job.training, torch::kCPU);
    HandLoop hand;
    for (int i = 0; i < 3; ++i) {
        hand.step();
        trainer.step();
    }
    std::vector<double> handS;
    std::vector<double> workerS;
    for (int i = 0; i < rounds; ++i) {
        const double first = hand.step();
        double both = trainer.step().wallS;
        both += trainer.step().wallS;
        workerS.push_back(both / 2);
        handS.push_back((first + hand.step()) / 2);
    }
    const core::Ratio ratio = core::ratioOf(workerS, handS);
    std::printf(
        "hand-written loop %.1f ms, worker %.1f ms a step (medians, one thread): ratio %.3f "
        "(%.3f to %.3f in %zu rounds)\n",
        1e3 * core::median(handS), 1e3 * core::median(workerS), ratio.value, ratio.interval.low,
        ratio.interval.high, ratio.rounds);
}

double medianOfChild(const std::string& command)
{
    std::FILE* pipe = ::popen(command.c_str(), "r");
    double seconds = 0;
    if (pipe == nullptr || std::fscanf(pipe, "%lf", &seconds) != 1)
        std::fprintf(stderr, "no answer from %s\n", command.c_str());
    if (pipe != nullptr)
        ::pclose(pipe);
    return seconds;
}

template <typename Step>
int printMedian(const Step& step)
{
    std::vector<double> times;
    for (int i = 0; i < 14; ++i)
        times.push_back(step());
    std::printf("%.6f\n", core::median({times.begin() + 2, times.end()}));
    return 0;
}

int chosenStep()
{
    const core::Job job = textGenerator();
    worker::Channel channel(std::fopen("/dev/null", "w"));
    const double now = worker::wallClock();
    const worker::Bench bench{job, channel, torch::kCPU, now, now + 10};
    worker::Trainer trainer(*worker::Network::create(job.model), job.training, torch::kCPU);
    worker::setThreads(worker::chooseThreads(bench, trainer, 4));
    return printMedian([&] { return trainer.step().wallS; });
}

} // namespace

int main(int argc, char* argv[])
{
    const std::string mode = argc > 1 ? argv[1] : "";
    if (mode == "--hand") {
        HandLoop hand;
        return printMedian([&] { return hand.step(); });
    }
    if (mode == "--chosen") {
        worker::restartWithBetterKernels(argv);
        return chosenStep();
    }
    const int rounds = argc > 1 ? static_cast<int>(std::strtol(argv[1], nullptr, 10)) : 20;
    std::printf("%s\n", bench::machineName().c_str());
    compareInTurns(rounds);
    const std::string self = argv[0];
    const std::string clean = "env -u OPENBLAS_CORETYPE -u OMP_NUM_THREADS ";
    std::vector<double> defaultS;
    std::vector<double> chosenS;
    for (int i = 0; i < 5; ++i) {
        defaultS.push_back(medianOfChild(clean + self + " --hand"));
        chosenS.push_back(medianOfChild(clean + self + " --chosen"));
    }
    const core::Ratio ratio = core::ratioOf(chosenS, defaultS);
    std::printf("default environment %.1f ms, the worker's settings %.1f ms: ratio %.3f (%.3f to "
                "%.3f in %zu rounds)\n",
                1e3 * core::median(defaultS), 1e3 * core::median(chosenS), ratio.value,
                ratio.interval.low, ratio.interval.high, ratio.rounds);
    return 0;
}
