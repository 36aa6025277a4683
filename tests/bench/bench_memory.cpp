// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Predicted against measured peak memory: random designs of four families, each trained for some steps in a
// process of its own, once with an allocator that returns blocks at once and once with the default.
#include "core/base/file.h"
#include "core/probe/host/process_memory.h"
#include "core/probe/job.h"
#include "core/probe/statistics.h"
#include "core/probe/worker/measure/measure.h"
#include "core/workload/training_work.h"
#include "tests/bench/samples.h"

#include <cmath>
#include <cstdio>
#include <malloc.h>
#include <map>
#include <random>

using namespace outlay;

namespace {

/// The same kinds of layers, as small as they go.
core::Job tinyOf(core::Job job)
{
    constexpr std::int64_t Size = 8;
    if (auto* recurrent = std::get_if<core::RecurrentDesign>(&job.model.design)) {
        recurrent->vocabulary = recurrent->embedding = recurrent->outputs = Size;
        recurrent->hidden = {Size};
    } else if (auto* gated = std::get_if<core::GatedRnnDesign>(&job.model.design)) {
        gated->vocabulary = gated->hidden = gated->key = gated->value = gated->output = Size;
    } else if (auto* transformer = std::get_if<core::TransformerDesign>(&job.model.design)) {
        transformer->vocabulary = transformer->hidden = Size;
        transformer->feedForward = transformer->positionCount = Size;
        transformer->heads = 2;
    }
    job.training.batch = 2;
    job.training.sequence = 4;
    return job;
}

void trainSteps(const core::Job& job)
{
    worker::Trainer trainer(*worker::Network::create(job.model), job.training, torch::kCPU);
    constexpr int Steps = 4;
    for (int i = 0; i < Steps; ++i)
        trainer.step();
}

/// The child's part: resident bytes before the model, and the peak over some steps.
int train(const std::string& jobFile)
{
    const auto job = core::readJob(core::loadFile(jobFile).value_or(""));
    if (!job)
        return 2;
    worker::setThreads({1, 1});
    // What the libraries take when they first compute belongs to them: pools, and room to pack matrices.
    trainSteps(tinyOf(*job));
    const torch::Tensor matrix = torch::ones({1024, 1024});
    torch::mm(matrix, matrix);
    ::malloc_trim(0);
    worker::resetPeak();
    const double before = worker::residentBytes();
    trainSteps(*job);
    std::printf("%.0f %.0f\n", before, worker::peakBytes());
    return 0;
}

struct Peak {
    double before = 0;
    double total = 0;
};

Peak measured(const std::string& self, const std::string& jobFile, bool returnsAtOnce)
{
    const std::string environment = returnsAtOnce ? "MALLOC_MMAP_THRESHOLD_=65536 " : "";
    std::FILE* pipe = ::popen((environment + self + " --train '" + jobFile + "'").c_str(), "r");
    Peak peak;
    if (pipe == nullptr || std::fscanf(pipe, "%lf %lf", &peak.before, &peak.total) != 2)
        std::fprintf(stderr, "%s could not be trained\n", jobFile.c_str());
    if (pipe != nullptr)
        ::pclose(pipe);
    return peak;
}

class Designs {
public:
    explicit Designs(unsigned seed) : m_random(seed) {}

    core::Job recurrent(core::Cell cell)
    {
        core::RecurrentDesign design;
        design.cell = cell;
        design.vocabulary = oneOf({1000, 3000, 10000, 20000});
        design.embedding = oneOf({50, 100, 200, 300});
        design.hidden = {oneOf({64, 150, 256, 384})};
        design.layers = oneOf({1, 2, 3});
        design.dropout = design.layers > 1 ? 0.2 : 0;
        design.outputs = *design.vocabulary;
        design.outputAt = core::OutputAt::Last;
        return jobOf(design, {20, 50, 80});
    }
    core::Job gatedRnn()
    {
        core::GatedRnnDesign design;
        design.vocabulary = oneOf({512, 2000, 8000});
        design.hidden = oneOf({64, 128, 256});
        design.key = oneOf({16, 32, 64});
        design.value = oneOf({32, 64, 128});
        design.output = oneOf({64, 128, 256});
        design.layers = oneOf({1, 2, 3});
        return jobOf(design, {16, 48, 96});
    }
    core::Job transformer()
    {
        core::TransformerDesign design;
        design.kind =
            oneOf({0, 1}) == 0 ? core::TransformerKind::Decoder : core::TransformerKind::Encoder;
        design.vocabulary = oneOf({1000, 4000, 8000});
        design.heads = oneOf({4, 8});
        design.hidden = design.heads * oneOf({16, 32, 64});
        design.feedForward = design.hidden * oneOf({2, 4});
        design.layers = oneOf({1, 2, 4});
        design.positionCount = 128;
        design.dropout = 0.1;
        return jobOf(design, {32, 64, 128});
    }

private:
    std::int64_t oneOf(std::vector<std::int64_t> values)
    {
        return values[m_random() % values.size()];
    }
    template <typename Design>
    core::Job jobOf(const Design& design, const std::vector<std::int64_t>& sequences)
    {
        core::Job job;
        job.model.design = design;
        job.training.batch = oneOf({8, 16, 32, 64, 128, 256});
        job.training.sequence = oneOf(sequences);
        return job;
    }

    std::mt19937 m_random;
};

struct Errors {
    std::vector<double> total;
    std::vector<double> above;
};

void print(const std::string& family, const char* allocator, const Errors& e)
{
    std::printf("%-12s %-9s %3zu  %6.2f %6.2f %6.2f   %6.2f %6.2f\n", family.c_str(), allocator,
                e.total.size(), 100 * core::median(e.total), 100 * core::percentile(e.total, 0.9),
                100 * core::percentile(e.total, 1), 100 * core::median(e.above),
                100 * core::percentile(e.above, 0.9));
}

} // namespace

int main(int argc, char* argv[])
{
    if (argc == 3 && std::string(argv[1]) == "--train")
        return train(argv[2]);
    if (argc < 3 || argc > 4) {
        std::fputs("Usage: bench_memory FOLDER DESIGNS_PER_FAMILY [SEED]\n", stderr);
        return 2;
    }
    const std::string folder = argv[1];
    const long count = std::strtol(argv[2], nullptr, 10);
    Designs designs(argc == 4 ? static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10)) : 1);
    std::map<std::string, std::map<bool, Errors>> errors;
    std::map<std::string, int> held; // by the interval that the Report states
    std::printf(
        "%s\nfamily, batch x sequence: predicted | returned at once, default allocator, MB\n",
        bench::machineName().c_str());
    for (long i = 0; i < 4 * count; ++i) {
        const core::Job job = i % 4 == 0   ? designs.recurrent(core::Cell::Lstm)
                              : i % 4 == 1 ? designs.recurrent(core::Cell::Gru)
                              : i % 4 == 2 ? designs.gatedRnn()
                                           : designs.transformer();
        const std::string family(core::familyOf(job.model));
        const std::string jobFile = folder + "/memory" + std::to_string(i) + ".job";
        if (!core::saveFile(jobFile, core::toLine(job)))
            return 1;
        const core::TrainingMemory memory =
            core::trainingMemory(core::expand(job.model), job.training);
        std::printf("%-12s %3ld x %3ld:", family.c_str(), static_cast<long>(job.training.batch),
                    static_cast<long>(job.training.sequence));
        for (const bool returnsAtOnce : {true, false}) {
            const Peak peak = measured(argv[0], jobFile, returnsAtOnce);
            const double above = peak.total - peak.before;
            double paper = memory.total.value();
            if (returnsAtOnce)
                paper += memory.activationsAtOnceBytes.value_or(0) - memory.activations.value();
            errors[family][returnsAtOnce].total.push_back(
                std::abs((paper + peak.before) / peak.total - 1));
            errors[family][returnsAtOnce].above.push_back(std::abs(paper / above - 1));
            held[family] +=
                !returnsAtOnce && memory.total.low() <= above && above <= memory.total.high();
            std::printf(" %8.1f | %8.1f", paper / 1e6, above / 1e6);
        }
        std::printf("\n");
        std::fflush(stdout);
    }
    std::printf("\nfamily       allocator   n  total error %%: median, 90 %%, most; above the "
                "libraries: median, 90 %%\n");
    for (const auto& [family, byAllocator] : errors) {
        print(family, "at once", byAllocator.at(true));
        print(family, "default", byAllocator.at(false));
        std::printf("%-12s the Report's interval held in %d\n", "", held[family]);
    }
    return 0;
}
