// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How well a probe forecasts: a probe of some seconds, then a real training run ten times as long, each
// in a process of its own, on one thread; with a busy neighbour on each core or without. Each repetition
// is appended to a file, which is summed up at the end; run it again to add to it.
#include "core/base/file.h"
#include "core/experiment/presets.h"
#include "core/probe/job.h"
#include "core/probe/measurement.h"
#include "core/probe/message.h"
#include "core/probe/worker/measure/measure.h"
#include "pricing/report/here/here.h"
#include "tests/bench/samples.h"

#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <map>
#include <numeric>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace outlay;

namespace {

const auto Catalogs = pricing::loadCatalogs("2026-11-20", core::thisMachine());

struct Repetition {
    double predictedS = 0;
    double lowS = 0;
    double highS = 0;
    double actualS = 0;
    double predictedProcessorS = 0;
    double actualProcessorS = 0;
    double renewedAtQuarterS = 0; // of wall time, while the run went on
    double renewedAtHalfS = 0;
    double tenthMiss = 0; // by which any tenth of the run itself misses the whole, at the median
    double worstTenthMiss = 0;
    std::string verdict;
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

/// How well the run's own tenths forecast it: no probe that is as long can be expected to do better.
std::vector<double> missesOfTenths(const std::vector<double>& steps)
{
    constexpr std::size_t Tenths = 10;
    const auto meanOf = [&](std::size_t from, std::size_t to) {
        return std::accumulate(steps.begin() + static_cast<std::ptrdiff_t>(from),
                               steps.begin() + static_cast<std::ptrdiff_t>(to), 0.0) /
               static_cast<double>(std::max<std::size_t>(1, to - from));
    };
    const double whole = meanOf(0, steps.size());
    std::vector<double> misses;
    for (std::size_t i = 0; i < Tenths; ++i)
        misses.push_back(std::abs(
            meanOf(i * steps.size() / Tenths, (i + 1) * steps.size() / Tenths) / whole - 1));
    return misses;
}

/// The child's part: a training run from its first tensor to its last step.
int train(const std::string& jobFile, long steps)
{
    const auto job = core::readJob(core::loadFile(jobFile).value_or(""));
    if (!job)
        return 2;
    worker::setThreads({1, 1});
    const double start = worker::wallClock();
    const double processor = worker::processorClock();
    worker::Trainer trainer(*worker::Network::create(job->model), job->training, torch::kCPU);
    const double built = worker::wallClock() - start;
    std::vector<double> done;
    double atQuarter = 0;
    double atHalf = 0;
    for (long i = 0; i < steps; ++i) {
        done.push_back(trainer.step().wallS);
        const auto renewed = [&] {
            return built + core::renewedForecast(done, static_cast<double>(steps));
        };
        if (4 * (i + 1) >= steps && atQuarter == 0)
            atQuarter = renewed();
        if (2 * (i + 1) >= steps && atHalf == 0)
            atHalf = renewed();
    }
    const double wall = worker::wallClock() - start;
    const std::vector<double> misses = missesOfTenths(done);
    std::printf("%.6f %.6f %.6f %.6f %.6f %.6f\n", wall, worker::processorClock() - processor,
                atQuarter, atHalf, core::median(misses), core::percentile(misses, 1));
    return 0;
}

/// Programs that do nothing but compute, one a core, as long as this lives.
class Neighbours {
public:
    explicit Neighbours(std::int64_t count)
    {
        for (std::int64_t i = 0; i < count; ++i) {
            const pid_t child = ::fork();
            if (child == 0) {
                ::prctl(PR_SET_PDEATHSIG, SIGKILL);
                for (volatile double x = 1;;)
                    x = x * 1.0000001;
            }
            m_children.push_back(child);
        }
    }
    ~Neighbours()
    {
        for (const pid_t child : m_children) {
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
        }
    }
    Neighbours(const Neighbours&) = delete;
    Neighbours& operator=(const Neighbours&) = delete;

private:
    std::vector<pid_t> m_children;
};

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
    experiment.measurements = core::Measurements().with(core::toJson(*m));
    const pricing::Subject subject = pricing::subjectOf(experiment, *Catalogs);
    const core::Quantity here = pricing::trainingHere(subject);
    if (!here.isAvailable())
        return core::inputError(here.how().note.text(),
                                "give an experiment that the worker can run");
    Repetition r{.predictedS = here.value(),
                 .lowS = here.low(),
                 .highS = here.high(),
                 .predictedProcessorS = pricing::trainingProcessorHere(subject).value(),
                 .verdict = std::string(core::name(m->training.step.verdict))};
    const std::string actual =
        outputOf(self + " --train '" + jobFile + "' " + std::to_string(static_cast<long>(steps)));
    if (std::sscanf(actual.c_str(), "%lf %lf %lf %lf %lf %lf", &r.actualS, &r.actualProcessorS,
                    &r.renewedAtQuarterS, &r.renewedAtHalfS, &r.tenthMiss, &r.worstTenthMiss) != 6)
        return core::inputError("the training run gave no times", "try it by hand");
    return r;
}

struct Errors {
    std::string what;
    std::vector<double> shares;

    void add(double predicted, double actual)
    {
        shares.push_back(std::abs(predicted / actual - 1));
    }
    void add(double share) { shares.push_back(share); }
    void print() const
    {
        std::printf("%-40s %2zu: median error %5.2f %%, 90 %% of them within %5.2f %%\n",
                    what.c_str(), shares.size(), 100 * core::median(shares),
                    100 * core::percentile(shares, 0.9));
    }
};

/// A line of the file of results; nothing of a line that isn't one.
std::optional<Repetition> readRepetition(const std::string& line)
{
    Repetition r;
    std::array<char, 32> verdict{};
    if (std::sscanf(line.c_str(), "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%31[a-z ]",
                    &r.predictedS, &r.lowS, &r.highS, &r.actualS, &r.predictedProcessorS,
                    &r.actualProcessorS, &r.renewedAtQuarterS, &r.renewedAtHalfS, &r.tenthMiss,
                    &r.worstTenthMiss, verdict.data()) != 11)
        return std::nullopt;
    r.verdict = verdict.data();
    return r;
}

void sumUp(const std::string& results)
{
    std::istringstream lines(core::loadFile(results).value_or(""));
    Errors wall{"wall time", {}};
    Errors processor{"processor time", {}};
    Errors quarter{"wall time, renewed at a quarter", {}};
    Errors half{"wall time, renewed at half", {}};
    Errors tenths{"any tenth of the run itself", {}};
    Errors worst{"the worst tenth of the run itself", {}};
    std::map<std::string, Errors> verdicts;
    int held = 0;
    for (std::string line; std::getline(lines, line);) {
        const auto r = readRepetition(line);
        if (!r)
            continue;
        wall.add(r->predictedS, r->actualS);
        processor.add(r->predictedProcessorS, r->actualProcessorS);
        quarter.add(r->renewedAtQuarterS, r->actualS);
        half.add(r->renewedAtHalfS, r->actualS);
        tenths.add(r->tenthMiss);
        worst.add(r->worstTenthMiss);
        verdicts[r->verdict].add(r->predictedS, r->actualS);
        held += r->lowS <= r->actualS && r->actualS <= r->highS ? 1 : 0;
    }
    std::printf("%s, %zu runs, interval held in %d\n", bench::machineName().c_str(),
                wall.shares.size(), held);
    for (auto& [verdict, errors] : verdicts) {
        errors.what = "wall time where the verdict was " + verdict;
        errors.print();
    }
    for (const Errors* errors : {&wall, &processor, &quarter, &half, &tenths, &worst})
        errors->print();
}

} // namespace

int main(int argc, char* argv[])
{
    if (argc == 4 && std::string(argv[1]) == "--train")
        return train(argv[2], std::strtol(argv[3], nullptr, 10));
    const bool isBusy = argc == 6 && std::string(argv[5]) == "--busy";
    if (argc != 5 && !isBusy) {
        std::fputs("Usage: bench_forecast EXPERIMENT RESULTS.csv REPETITIONS SECONDS [--busy]\n",
                   stderr);
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
        const Neighbours neighbours(isBusy ? core::thisMachine().cores : 0);
        const auto r = repeat(argv[0], jobFile, reading->experiment, seconds);
        if (!r) {
            std::fprintf(stderr, "%s\n", r.error().sentence().c_str());
            return 4;
        }
        std::FILE* file = std::fopen(results.c_str(), "a");
        if (file == nullptr)
            return 1;
        std::fprintf(file, "%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.5f,%.5f,%s\n", r->predictedS,
                     r->lowS, r->highS, r->actualS, r->predictedProcessorS, r->actualProcessorS,
                     r->renewedAtQuarterS, r->renewedAtHalfS, r->tenthMiss, r->worstTenthMiss,
                     r->verdict.c_str());
        std::fclose(file);
        std::printf(
            "predicted %.1f s (%.1f to %.1f), took %.1f s: %+.2f %%; processor %+.2f %%; tenths "
            "of the run %.2f %% (%.2f at worst); %s\n",
            r->predictedS, r->lowS, r->highS, r->actualS, 100 * (r->predictedS / r->actualS - 1),
            100 * (r->predictedProcessorS / r->actualProcessorS - 1), 100 * r->tenthMiss,
            100 * r->worstTenthMiss, r->verdict.c_str());
        std::fflush(stdout);
    }
    sumUp(results);
    return 0;
}
