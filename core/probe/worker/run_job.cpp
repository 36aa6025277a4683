// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/run_job.h"

#include "core/base/text.h"
#include "core/base/version.h"
#include "core/probe/host/blas.h"
#include "core/probe/host/freed_memory.h"
#include "core/probe/host/nvml.h"
#include "core/probe/worker/measure/memory_watch.h"
#include "core/probe/worker/measure/parts.h"
#include "core/probe/worker/measure_design.h"
#include "core/probe/worker/network/checkpoint.h"
#include "core/workload/trained.h"
#include "core/workload/training_work.h"

#include <torch/version.h>

namespace outlay::worker {
namespace {

using namespace outlay::core;

/// Memory is checked on paper before anything is allocated.
Result<void> checkMemory(const Job& job)
{
    if (fitsHere(job) || partsOf(job))
        return {};
    const double bytes = mostBytesHere(expand(job.model), job.training);
    constexpr double Gigabyte = 1e9;
    return inputError("training this design needs up to " + plainNumber(bytes / Gigabyte) +
                          " GB, " + std::string(placeOf(job.device)) + " has " +
                          plainNumber(freeBytes(job.device) / Gigabyte) +
                          " GB free, and no part of it that says enough fits",
                      "choose a smaller batch, a shorter sequence or fewer layers",
                      "/training/batch");
}

std::string nameOf(Precision precision)
{
    return std::string(PrecisionNames.at(static_cast<std::size_t>(precision)));
}

std::vector<std::string> findingsOf(const Job& job, const Job& runnable, const Blas& blas,
                                    const HostMachine& machine)
{
    std::vector<std::string> findings;
    const LayerKinds layers = expand(job.model);
    if (std::string finding = blasFinding(blas, machine.features); !finding.empty())
        findings.push_back(std::move(finding));
    if (job.training.optimizer == Optimizer::AdamW8bit)
        findings.emplace_back("LibTorch has no 8-bit AdamW; the steps were measured with AdamW.");
    if (job.training.method != Method::Full &&
        runnable.training.frozenWeights != job.training.frozenWeights)
        findings.emplace_back("LibTorch has no quantised weights to train beside; the steps were "
                              "measured with weights as they are.");
    if (job.training.compiled && !isProcessor(machine))
        findings.emplace_back("LibTorch compiles no model; the steps were measured with its own "
                              "kernels.");
    if (!job.training.packed && layers.has<Attention>() && !isProcessor(machine))
        findings.emplace_back("The steps were measured with samples of one length.");
    if (job.training.chunkedLoss && !isProcessor(machine))
        findings.emplace_back("LibTorch has no loss in parts; the steps were measured with all "
                              "logits at once.");
    if (job.training.keepMemory && !runnable.training.keepMemory && isProcessor(machine))
        findings.emplace_back("This machine's C library can't be asked to keep freed memory; the "
                              "steps were measured as it is.");
    if (recomputes(job.training) && job.training.recomputed != Recomputed::Blocks)
        findings.emplace_back("The steps were measured with whole blocks computed again: LibTorch "
                              "can't keep results of single products.");
    else if (!job.training.reentrant && leavesUnread(layers, job.training) && !isProcessor(machine))
        findings.emplace_back("The steps were measured with all of each block computed again; "
                              "PyTorch leaves out what nothing reads.");
    if (runnable.training.precision != job.training.precision)
        findings.emplace_back("The steps were measured in " + nameOf(runnable.training.precision) +
                              ": LibTorch can't train in " + nameOf(job.training.precision) +
                              " here.");
    if (runnable.serving.precision != job.serving.precision)
        findings.emplace_back(
            "The latencies were measured in fp32: LibTorch can't serve in " +
            std::string(ServingPrecisionNames.at(static_cast<std::size_t>(job.serving.precision))) +
            " here.");
    return findings;
}

Result<torch::Device> deviceOf(const Job& job)
{
    if (job.device == ProbeDevice::Cpu)
        return torch::Device(torch::kCPU);
    if (!torch::cuda::is_available())
        return inputError("this LibTorch finds no CUDA device", "measure with --device cpu",
                          "/device");
    return torch::Device(torch::kCUDA);
}

/// The job as it can be run here; `findingsOf` says where that isn't what was asked for.
Job runnable(Job job, torch::Device device)
{
    if (!Autocast::isAvailable(job.training.precision, device))
        job.training.precision =
            job.training.precision == Precision::Fp8 ? Precision::Bf16 : Precision::Fp32;
    if (job.training.optimizer == Optimizer::AdamW8bit)
        job.training.optimizer = Optimizer::AdamW;
    job.training.frozenWeights = FrozenWeights::Same;
    job.training.masterWeights = true;
    job.training.compiled = false;
    job.training.chunkedLoss = false;
    job.training.packed = true;
    job.training.keepMemory = job.training.keepMemory && device.is_cpu() && canKeepFreed();
    job.training.reentrant = recomputes(job.training);
    job.training.recomputed = Recomputed::Blocks;
    const bool canServe = job.serving.precision == ServingPrecision::Bf16 ||
                          (job.serving.precision == ServingPrecision::Int8 && device.is_cpu() &&
                           Int8Weights::isAvailable());
    if (!canServe)
        job.serving.precision = ServingPrecision::Fp32;
    return job;
}

constexpr std::string_view CancelledFinding =
    "The measurement was cancelled; what it hadn't come to is missing.";

Measurement measure(const Job& asked, const Job& job, Channel& channel, torch::Device device)
{
    const double start = wallClock();
    Bench bench{job, channel, device, start, start + job.seconds, restSeconds(job, 0)};
    Measurement m;
    m.model = job.model;
    m.trainingSettings = job.training;
    m.servingSettings = job.serving;
    m.askedTraining = asked.training;
    m.askedServing = asked.serving;
    bench.keep = [&] {
        Measurement soFar = m;
        soFar.seconds = wallClock() - start;
        soFar.cancelledIn = "a long step";
        soFar.findings.emplace_back(CancelledFinding);
        channel.keep(Done{toJson(soFar)});
    };
    m.worker = buildName();
    m.machine = thisMachine();
    addState(m.machine);
    const Blas blas = loadedBlas();
    m.machine.blas = blas.core.empty() ? blas.name : blas.name + " " + blas.core;
    m.machine.torch = TORCH_VERSION;
    m.machine.device = deviceNameOf(ProbeDeviceNames.at(static_cast<std::size_t>(job.device)));
    m.findings = findingsOf(asked, job, blas, m.machine);
    for (const std::string& finding : m.findings)
        channel.send(ProbeWarning{finding});
    try {
        measureDesign(bench, m);
    } catch (const Stopped& stopped) {
        if (m.training.step.count == 0)
            throw;
        m.cancelledIn = stopped.phase;
        m.findings.emplace_back(CancelledFinding);
    }
    if (m.training.step.verdict != Verdict::Steady)
        m.findings.push_back((m.training.step.verdict == Verdict::TooFew
                                  ? "Too few steps were timed: "
                                  : "The step time is unstable: ") +
                             std::string(remedy(m.training.step.verdict)) + ".");
    m.seconds = wallClock() - start;
    return m;
}

/// LibTorch says so in words only.
bool isOutOfMemory(std::string_view what)
{
    return what.find("DefaultCPUAllocator") != std::string_view::npos ||
           what.find("out of memory") != std::string_view::npos;
}

int refuse(const Error& error, Channel& channel)
{
    channel.send(
        ProbeError{(error.place.empty() ? "" : error.place + ": ") + error.what, error.remedy});
    return exitStatus(error.code);
}

} // namespace

std::string buildName()
{
#ifdef __OPTIMIZE__
    constexpr const char* Kind = ", optimised";
#else
    constexpr const char* Kind = ", not optimised";
#endif
#ifdef __clang__
    constexpr const char* Compiler = ", " __VERSION__;
#else
    constexpr const char* Compiler = ", GCC " __VERSION__;
#endif
    return "outlay " + std::string(ProgramVersion) + ", LibTorch " + TORCH_VERSION + Compiler +
           Kind;
}

Hello makeHello()
{
    return {.protocol = ProtocolVersion,
            .build = buildName(),
            .device = torch::cuda::is_available() ? "cuda" : "cpu"};
}

int runJob(const Job& asked, Channel& channel)
{
    const auto device = deviceOf(asked);
    if (!device)
        return refuse(device.error(), channel);
    const Job job = runnable(asked, *device);
    if (const auto buildable = Network::check(job.model); !buildable)
        return refuse(buildable.error(), channel);
    if (const auto memory = checkMemory(job); !memory)
        return refuse(memory.error(), channel);
    const ProbeError noMemory{"the machine has no memory left for this design",
                              "choose a smaller batch or a shorter sequence"};
    try {
        const Measurement measurement = measure(asked, job, channel, *device);
        channel.send(Done{toJson(measurement)});
        return 0;
    } catch (const Stopped&) {
        channel.send(Cancelled{});
        return exitStatus(ErrorCode::Cancelled);
    } catch (const std::bad_alloc&) {
        channel.send(noMemory);
    } catch (const std::exception& error) {
        // LibTorch appends where in its own sources it failed; the first line says what.
        const std::string what(error.what());
        channel.send(isOutOfMemory(what)
                         ? noMemory
                         : ProbeError{"LibTorch stopped the measurement: " +
                                          printable(what.substr(0, what.find('\n')), 300),
                                      "report this with the experiment, if it should work"});
    }
    return exitStatus(ErrorCode::Measurement);
}

} // namespace outlay::worker
