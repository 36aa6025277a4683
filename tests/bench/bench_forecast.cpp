// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How well a probe forecasts: a probe of some seconds, then a real training run ten times as long, each
// in a process of its own, on one thread. Each repetition is appended to a file, which is summed up at the
// end; run it again to add to it.
#include "core/base/file.h"
#include "core/experiment/presets.h"
#include "core/probe/job.h"
#include "core/probe/measurement.h"
#include "core/probe/message.h"
#include "core/probe/worker/measure.h"
#include "pricing/report/here.h"
#include "tests/bench/samples.h"

#include <cmath>
#include <cstdio>
#include <sstream>

using namespace outlay;

namespace {

struct Repetition {
    double predictedS = 0;
    double lowS = 0;
    double highS = 0;
    double actualS = 0;
};

std::string outputOf(const std::string& command)
{
    std::string text;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    char buffer[4096];
    while (pipe != nullptr && std::fgets(buffer, sizeof buffer, pipe) != nullptr)
        text += buffer;
    if (pipe != nullptr)
        ::pclose(pipe);
    return text;
}

/// The last line of a worker, if it is a measurement.
core::Result<core::Measurement> probe(const std::string& jobFile)
{
    std::istringstream lines(outputOf(std::string(OUTLAY_WORKER) + " --job '" + jobFile + "'"));
    core::Message last = core::Cancelled{};
    for (std::string line; std::getline(lines, line);) {
        if (auto message = core::readMessage(line))
            last = std::move(*message);
    }
    const auto* done = std::get_if<core::Done>(&last);
    return core::readMeasurement(done == nullptr ? core::Json() : done->measurement);
}

/// The child's part: a training run from its first tensor to its last step.
int train(const std::string& jobFile, long steps)
{
    const auto job = core::readJob(core::loadFile(jobFile).value_or(""));
    if (!job)
        return 2;
    worker::setThreads({1, 1});
    const double start = worker::wallClock();
    worker::Trainer trainer(*worker::Network::create(job->model), job->training, torch::kCPU);
    for (long i = 0; i < steps; ++i)
        trainer.step();
    std::printf("%.6f\n", worker::wallClock() - start);
    return 0;
}

/// What the Report says of a run of so many steps, and how long it takes.
core::Result<Repetition> repeat(const std::string& self, const std::string& jobFile,
                                core::Experiment experiment, double seconds)
{
    const auto m = probe(jobFile);
    if (!m)
        return core::failureOf(m);
    constexpr double Longer = 10;
    const double steps = std::ceil(Longer * seconds / m->training.step.meanS);
    core::Training& t = experiment.training;
    t.tokens.reset();
    t.samples = steps * static_cast<double>(t.batch * t.accumulation);
    t.epochs = 1;
    t.validationShare = 0;
    experiment.measurements = core::Json::array();
    experiment.measurements.append(core::toJson(*m));
    const core::Quantity here = pricing::trainingHere(experiment, core::expand(experiment.model));
    if (!here.isAvailable())
        return core::inputError(here.how().note, "give an experiment that the worker can run");
    const std::string actual =
        outputOf(self + " --train '" + jobFile + "' " + std::to_string(static_cast<long>(steps)));
    return Repetition{here.value(), here.low(), here.high(), std::strtod(actual.c_str(), nullptr)};
}

void sumUp(const std::string& results)
{
    std::istringstream lines(core::loadFile(results).value_or(""));
    std::vector<double> errors;
    int held = 0;
    for (std::string line; std::getline(lines, line);) {
        Repetition r;
        if (std::sscanf(line.c_str(), "%lf,%lf,%lf,%lf", &r.predictedS, &r.lowS, &r.highS,
                        &r.actualS) != 4)
            continue;
        errors.push_back(std::abs(r.predictedS / r.actualS - 1));
        held += r.lowS <= r.actualS && r.actualS <= r.highS ? 1 : 0;
    }
    std::printf(
        "%s\n%zu runs: median error %.2f %%, 90 %% of them within %.2f %%, interval held in %d\n",
        bench::machineName().c_str(), errors.size(), 100 * core::median(errors),
        100 * core::percentile(errors, 0.9), held);
}

} // namespace

int main(int argc, char* argv[])
{
    if (argc == 4 && std::string(argv[1]) == "--train")
        return train(argv[2], std::strtol(argv[3], nullptr, 10));
    if (argc != 5) {
        std::fputs("Usage: bench_forecast EXPERIMENT RESULTS.csv REPETITIONS SECONDS\n", stderr);
        return 2;
    }
    const auto reading = core::loadExperiment(argv[1]);
    if (!reading) {
        std::fprintf(stderr, "%s\n", reading.error().sentence().c_str());
        return 2;
    }
    const double seconds = std::strtod(argv[4], nullptr);
    const std::string results = argv[2];
    const std::string jobFile = results + ".job";
    const core::Job job{.model = reading->experiment.model,
                        .training = reading->experiment.training,
                        .serving = reading->experiment.serving,
                        .seconds = seconds,
                        .threads = 1};
    if (!core::saveFile(jobFile, core::toLine(job)))
        return 1;
    for (long i = std::strtol(argv[3], nullptr, 10); i > 0; --i) {
        const auto r = repeat(argv[0], jobFile, reading->experiment, seconds);
        if (!r) {
            std::fprintf(stderr, "%s\n", r.error().sentence().c_str());
            return 4;
        }
        std::FILE* file = std::fopen(results.c_str(), "a");
        if (file == nullptr)
            return 1;
        std::fprintf(file, "%.4f,%.4f,%.4f,%.4f\n", r->predictedS, r->lowS, r->highS, r->actualS);
        std::fclose(file);
        std::printf("predicted %.1f s (%.1f to %.1f), took %.1f s: %+.2f %%\n", r->predictedS,
                    r->lowS, r->highS, r->actualS, 100 * (r->predictedS / r->actualS - 1));
        std::fflush(stdout);
    }
    sumUp(results);
    return 0;
}
