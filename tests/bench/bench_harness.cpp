// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the worker's step costs beside a hand-written LibTorch loop over the same model, in turns within one
// process; and what the settings that it chooses gain over LibTorch's default environment.
#include "core/experiment/presets.h"
#include "core/probe/host/blas.h"
#include "core/probe/statistics.h"
#include "core/probe/worker/measure/measure.h"
#include "tests/bench/samples.h"

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/wait.h>
#include <torch/torch.h>
#include <unistd.h>

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

/// This program again, in LibTorch's default environment: it waits, and steps when it is told to.
class Child {
public:
    explicit Child(const char* mode)
    {
        std::array<int, 2> in{-1, -1};
        std::array<int, 2> out{-1, -1};
        if (::pipe2(in.data(), O_CLOEXEC) == 0 && ::pipe2(out.data(), O_CLOEXEC) == 0)
            m_pid = ::fork();
        if (m_pid == 0) {
            // Whatever the environment around this run set of it.
            for (const char* name : {"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE",
                                     "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"})
                ::unsetenv(name);
            if (::dup2(in[0], STDIN_FILENO) >= 0 && ::dup2(out[1], STDOUT_FILENO) >= 0)
                ::execl("/proc/self/exe", "bench_harness", mode, nullptr);
            ::_exit(127);
        }
        ::close(in[0]);
        ::close(out[1]);
        m_tell = in[1];
        m_answers = ::fdopen(out[0], "r");
    }
    ~Child()
    {
        ::close(m_tell);
        if (m_answers != nullptr)
            std::fclose(m_answers);
        if (m_pid > 0)
            ::waitpid(m_pid, nullptr, 0);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Seconds of a step. Without an answer there is nothing to compare.
    double step()
    {
        double seconds = 0;
        if (m_answers != nullptr && ::write(m_tell, "\n", 1) == 1 &&
            std::fscanf(m_answers, "%lf", &seconds) == 1)
            return seconds;
        std::fputs("a process for the comparison gave no answer\n", stderr);
        std::exit(1);
    }

private:
    pid_t m_pid = -1;
    int m_tell = -1;
    std::FILE* m_answers = nullptr;
};

/// Each time a line comes: some steps, the first of which wakes the threads and isn't counted.
template <typename Step>
int stepWhenTold(const Step& step)
{
    constexpr int Counted = 3;
    for (int i = 0; i < 3; ++i)
        step();
    while (std::getchar() != EOF) {
        step();
        double seconds = 0;
        for (int i = 0; i < Counted; ++i)
            seconds += step();
        std::printf("%.6f\n", seconds / Counted);
        std::fflush(stdout);
    }
    return 0;
}

/// Both settings live side by side and step in turns, so that the machine's moods meet both; several pairs,
/// as where a process's memory lies is a matter of luck.
void compareSettings(int rounds)
{
    constexpr int Pairs = 4;
    std::vector<double> defaultS;
    std::vector<double> chosenS;
    for (int pair = 0; pair < Pairs; ++pair) {
        // One after the other: the choice isn't disturbed by the other's start.
        Child plain("--hand");
        plain.step();
        Child chosen("--chosen");
        chosen.step();
        for (int i = 0; i < rounds; ++i) {
            const double first = plain.step();
            const double both = chosen.step() + chosen.step();
            defaultS.push_back((first + plain.step()) / 2);
            chosenS.push_back(both / 2);
        }
    }
    const core::Ratio ratio = core::ratioOf(chosenS, defaultS);
    std::printf("default environment %.1f ms, the worker's settings %.1f ms: ratio %.3f (%.3f to "
                "%.3f in %zu rounds)\n",
                1e3 * core::median(defaultS), 1e3 * core::median(chosenS), ratio.value,
                ratio.interval.low, ratio.interval.high, ratio.rounds);
}

int chosenSteps()
{
    const core::Job job = textGenerator();
    worker::Channel channel(std::fopen("/dev/null", "w"));
    const double now = worker::wallClock();
    const worker::Bench bench{job, channel, torch::kCPU, now, now + 10};
    worker::Trainer trainer(*worker::Network::create(job.model), job.training, torch::kCPU);
    const double firstS = trainer.step().wallS;
    const worker::Threads threads = worker::chooseThreads(bench, trainer, firstS, 4).threads;
    worker::setThreads(threads);
    std::fprintf(stderr, "chosen: %lld threads of LibTorch, %lld of the matrix library\n",
                 static_cast<long long>(threads.torch), static_cast<long long>(threads.blas));
    return stepWhenTold([&] { return trainer.step().wallS; });
}

} // namespace

int main(int argc, char* argv[])
{
    const std::string mode = argc > 1 ? argv[1] : "";
    if (mode == "--hand") {
        HandLoop hand;
        return stepWhenTold([&] { return hand.step(); });
    }
    if (mode == "--chosen") {
        worker::restartWithBetterKernels(argv);
        return chosenSteps();
    }
    const int rounds = argc > 1 ? static_cast<int>(std::strtol(argv[1], nullptr, 10)) : 20;
    std::signal(SIGPIPE, SIG_IGN); // a child that has gone is told of by its missing answer
    std::printf("%s\n", bench::machineName().c_str());
    compareInTurns(rounds);
    compareSettings(rounds);
    return 0;
}
