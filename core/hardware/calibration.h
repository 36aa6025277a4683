// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What devices attain of their peaks, in two levels: kernels, from their own timings, and what
// frameworks and engines add to them, from whole runs.
#pragma once

#include "core/hardware/accelerator.h"
#include "core/hardware/kernels.h"
#include "core/hardware/step_kernels.h"
#include "core/settings/settings.h"

namespace outlay::core {

/// The products of a recurrence's steps, and what a step takes beside them.
struct StepRates {
    double share = 0.84;
    double rowsToHalf = 11;
    double widthToHalf = 94;
    double stepUs = 30;

    bool operator==(const StepRates&) const = default;
};

/// Of kernels on accelerators. No whole run moves them.
struct KernelRates {
    ProductRates fp32;
    ProductRates tf32;
    ProductRates half;
    ProductRates fp8;
    PromptRates prompts;
    ChunkRates chunks;
    CacheRates cache;
    ExchangeRates links;     // made for it
    ExchangeRates buses;     // PCIe
    double cacheCallUs = 10; // of attention over a cache
    double ridge = 280;     // FLOP a byte from which the rows of 16 bits hold; below, fewer fill it
    double tokenRows = 0.2; // of these rows where one position is read

    bool operator==(const KernelRates&) const = default;
};

/// Kernels of recurrent layers, which devices of one age have in common.
struct LibraryRates {
    std::string name;
    StepRates steps; // in fp32
    StepRates halfSteps;
    bool padsRows = false;  // steps of few rows are filled up to whole tiles
    bool hasChoice = false; // what LibTorch chooses among was timed: `ChosenRates`

    bool operator==(const LibraryRates&) const = default;
};

/// Of the kernels that LibTorch chooses among.
struct ChosenRates {
    StepRates tf32Steps;         // where each step is launched; the library has the others
    double backwardStep = 1.2;   // of the time that such a step takes beside its product
    double callUs = 180;         // of a pass through a layer while it trains
    double bf16CallUs = 500;     // the same in bf16
    double backwardCallUs = 770; // of the way back
    ResidentRates small;
    ResidentRates smallBackward;
    ResidentRates wide;
    ResidentRates wideBackward;

    bool operator==(const ChosenRates&) const = default;
};

/// Of recurrent layers on accelerators.
struct RecurrentRates {
    double memoryShare = 0.76;
    double fp32Gradient = 0.75; // of the peak, for all steps in one product
    double halfGradient = 0.6;
    double callUs = 90;                  // of a pass through a layer
    double layoutPasses = 1.35;          // over its weights, in each
    std::vector<LibraryRates> libraries; // the first stands for those not listed
    ChosenRates chosen;

    [[nodiscard]] const LibraryRates& ratesOf(std::string_view library) const;

    bool operator==(const RecurrentRates&) const = default;
};

/// The part of a whole run that its steps take.
struct RunShares {
    double tuned = 0.9;
    double ordinary = 0.7;
    double naive = 0.45;

    [[nodiscard]] double of(Software software) const;

    bool operator==(const RunShares&) const = default;
};

/// What a framework adds while it trains.
struct TrainingRates {
    double hostUs = 10;   // of the processor for a launch
    double traffic = 1.2; // of the bytes that layers count beside weights: passes that aren't fused
    double compiledTraffic = 0.63; // the same where they are
    double compiledLaunches = 0.6; // of those that layers count
    double plainScores = 1.6;      // of the bytes of attention's scores
    double fusedScores = 0.12;     // the same where a kernel keeps them
    double fusedBackward = 2.9;    // of that kernel's time forward: it makes scores once more
    double stepOverheadMs = 1.3;
    double updateTraffic = 1.25;   // of weights, gradients and moments
    double quantisedLaunches = 10; // more of a layer whose matrices are made from fewer bits
    double routedLayerMs = 3; // of the processor for a way through a layer whose experts are apart
    double shardedBlockMs = 1.2;  // of the processor for a way through a block that is gathered
    double narrowProducts = 0.94; // of how much faster the units for 8 bits are, products become
    double unevenBlockMs = 1.5;   // that a way through a block waits to learn how long samples are

    bool operator==(const TrainingRates&) const = default;
};

/// What an engine adds while it serves; shares are of what kernels attain.
struct EngineRates {
    std::string engine;
    std::string device; // on which it was measured; empty: any other
    // Of that device: others of it have the same, as far as nobody measured them, and those of one that serves like it.
    std::string generation;
    double hostUs = 0; // of the processor for a launch; 0: the device never waits for it
    double launches = 1;
    double traffic = 1;
    double scores = 0.12; // where it has one kernel for them; of a framework where it hasn't
    double repeats = 0;   // of what heads share in caches, each reads so much for itself
    double prompts = 1;   // of the products
    double tokens = 1;    // the same where one position of each sequence is read
    double memory = 1;
    double overheadMs = 0;  // of a pass
    double sequenceUs = 0;  // and for each sequence in it
    double exchangeUs = 20; // of an exchange between devices, beside the kernel's
    double spread = 0;      // of tokens on `device`, without one of passes; 0: that of others

    /// Attention's scores stay inside of a kernel.
    [[nodiscard]] bool fuses() const { return scores < 1; }

    bool operator==(const EngineRates&) const = default;
};

/// The devices of one generation.
struct GenerationRates {
    std::string generation;
    double products = 1;     // of the kernels' share of the peak, on units for short numbers
    double fullProducts = 1; // the same in fp32
    // W for each TFLOP/s that is listed; a card with fewer reaches as much less. 0: none is known to have too few.
    double fullWatts = 0;       // in fp32
    double halfWatts = 0;       // in 16 bits
    double trained = 1;         // of what kernels reach while 16 bits are trained
    double anyAttention = 1;    // of attention's kernel in 16 bits, by one that runs on any GPU
    double unitGbPerS = 0;      // that a unit reads at most for single positions; 0: all there is
    double trainedSpread = 0;   // factor of the interval of steps, where theirs are missed by more
    double passSpread = 0;      // the same of passes that serve
    double recurrentSpread = 0; // and of recurrences
    double served = 1;          // of what engines reach
    double servedPrompts = 1;   // of their products in prompts, beside that
    std::string recurrences;    // the library that runs them
    std::string servesLike; // the generation next to it in age whose memory is stacked, as its own
    bool hasFusedAttention = false; // in 16 bits
    bool holdsHalf = false;         // the weights of a recurrence in fp16, in registers

    bool operator==(const GenerationRates&) const = default;
};

/// What a framework makes of a processor while it trains, one operation after the other.
struct ProcessorTraining {
    double traffic = 2.4; // of the bytes that the layers count
    double launchUs = 2;
    double stepShare = 1; // of the products, in the steps of a recurrence
    double stepRowsToHalf = 28;
    double stepMemory = 0.48;      // of the bandwidth, where each rereads its matrix
    double gradientPasses = 2;     // over that matrix in each step back, whose gradient is summed
    double backwardLaunches = 1.6; // of those of a step forward
    double gatedBackward = 2.5;    // of all that a step of a gated recurrence does forward
    double updateTraffic = 1;      // of the bytes of weights, gradients and moments
    double overheadMs = 0.1;       // of a step
    double pageUs = 1;             // for 4 KiB that the system gives anew

    bool operator==(const ProcessorTraining&) const = default;
};

/// The steps of a recurrence there, while it serves.
struct ProcessorSteps {
    double share = 0.9;     // of the products
    double rowsToHalf = 17; // libraries pack a matrix before they multiply it by few rows
    double memory = 1.5;    // of the bandwidth: caches hold what each rereads
    double launchUs = 1;    // of an operation

    bool operator==(const ProcessorSteps&) const = default;
};

/// The share of the products was fitted on one processor, steps and training were timed on another; the rest is assumed.
struct ProcessorRates {
    ProductRates products;
    ProcessorSteps steps;
    ProcessorTraining training;

    bool operator==(const ProcessorRates&) const = default;
};

/// Of the machine around accelerators, where something waits in its memory.
struct HostRates {
    double busShare = 0.8;      // of what joins a device with it
    double updateGbPerS = 0.45; // that each virtual processor reads and writes in an update
    double usualVcpus = 12;     // beside a device, where nobody lists them
    double usableMemory = 0.9;

    bool operator==(const HostRates&) const = default;
};

/// A factor f such that the truth lies within value / f and value x f in 80 of 100 cases.
struct KindSpread {
    double seen = 1.5;
    double unseen = 2;                // of a generation of which another device was seen
    double unfitted = 3;              // of one of which none was
    double foreign = 3;               // of makers of whom fewer than three generations were
    std::vector<std::string> devices; // that were seen; of what is served, with engines: `seenAs`
    std::vector<std::string> generations;
    std::vector<std::string> makers; // of whom three generations or more were

    bool operator==(const KindSpread&) const = default;
};

/// The same of passes of transformers in 32 bits on processors, by makers and engines that were measured.
struct ProcessorSpread {
    double factor = 3;
    std::vector<std::string> makers;
    std::vector<std::string> engines;

    [[nodiscard]] bool hasSeen(std::string_view maker, Engine engine) const;

    bool operator==(const ProcessorSpread&) const = default;
};

/// What an interval is asked of.
struct AskedDevice {
    std::string_view name; // as the spreads name those that were seen
    std::string_view generation;
    std::string_view maker; // of an accelerator
};

/// An engine on a device, as the spreads of passes and tokens name those that were measured together.
[[nodiscard]] std::string seenAs(Engine engine, std::string_view device);

/// Of a measurement that is scaled to a changed design, whatever it is of.
struct ScaledSpread {
    double base = 1.1;
    double perFold = 1.2; // for each e-fold between the two

    bool operator==(const ScaledSpread&) const = default;
};

struct Spreads {
    KindSpread training;
    KindSpread recurrent;
    KindSpread pass; // all of a model that generates nothing
    ProcessorSpread passOnProcessors;
    KindSpread prompt;           // the first token of one that does, with the engine known
    KindSpread token;            // each later one
    double engineUnknown = 2;    // of a token, at least
    double guessedTokens = 1.22; // more, where passes check guesses: as published gains are missed
    double ofUpdate = 5;         // of one that the machine's processors make
    double ofFetching = 2;       // of waiting for what comes from its memory
    double withExperts = 1.3;    // of the training of layers with experts, at least
    double gatheredAdapters = 1.18; // of adapters beside weights in 16 bits that devices divide
    double unevenQuantised = 3;     // the same in few bits, of samples as long as they are
    double inFp8 = 1.3;             // of training in 8 bits, at least
    double perDoubling = 1.02;      // of the devices
    double wholeRun = 1.6;          // more, of a whole run
    ScaledSpread scaled;
    ScaledSpread scaledOnProcessors; // of training there

    [[nodiscard]] static double of(const KindSpread& kind, const AskedDevice& device);
    /// Whether runs of just that were seen.
    [[nodiscard]] static bool isSeen(const KindSpread& kind, std::string_view device);
    /// Whether published runs of the device or its generation support it.
    [[nodiscard]] static bool isFitted(const KindSpread& kind, std::string_view device,
                                       std::string_view generation);

    bool operator==(const Spreads&) const = default;
};

struct Calibration {
    std::string how; // it was got
    std::string asOf;
    KernelRates kernels;
    RecurrentRates recurrent;
    ProcessorRates processors;
    std::vector<GenerationRates> generations; // the first stands for those not listed
    TrainingRates training;
    HostRates host;
    RunShares runs;
    std::vector<EngineRates> engines; // the first stands for those not listed
    double exposedExchange = 0.5;     // of the gradient exchange that no computation hides
    double unlistedGbPerS = 50;       // of what joins devices, where nobody lists it
    double networkShare = 0.6;        // that is attained between machines
    double routedShare = 0.9;         // the same of what is sent to experts
    double networkLatencyUs = 20;     // of one exchange, for each doubling of the devices
    double sharedLayer = 0.08;     // more work for each doubling of the devices that share a layer
    double checkMs = 1;            // more of a pass that checks guessed tokens
    double guessMs = 0.4;          // of an engine, beside the pass of the draft that guesses one
    double lossPerDoubling = 0.01; // of the step, by waiting for the slowest
    double usableMemory = 0.94;    // of a device's memory
    double idleShareOfTdp = 0.12;  // median of the listed ones
    double computePower = 0.85;    // share of the power range while products run
    double memoryPower = 0.5;      // while bytes move
    Spreads spreads;

    [[nodiscard]] const GenerationRates& ratesOf(std::string_view generation) const;
    /// As it was measured there, else as it is on most.
    [[nodiscard]] const EngineRates& ratesOf(Engine engine, std::string_view device = {}) const;
    /// As it was measured there, else on another device of its generation or of the one that it serves like, else on any.
    [[nodiscard]] const EngineRates& ratesNear(Engine engine, const Device& device) const;
    /// Of what joins the devices of a machine.
    [[nodiscard]] const ExchangeRates& ratesOfLink(double gbPerS) const;

    bool operator==(const Calibration&) const = default;
};

void describe(FieldVisitor& v, StepRates& r);
void describe(FieldVisitor& v, KernelRates& r);
void describe(FieldVisitor& v, LibraryRates& r);
void describe(FieldVisitor& v, RecurrentRates& r);
void describe(FieldVisitor& v, TrainingRates& r);
void describe(FieldVisitor& v, RunShares& r);
void describe(FieldVisitor& v, EngineRates& r);
void describe(FieldVisitor& v, GenerationRates& r);
void describe(FieldVisitor& v, ScaledSpread& s);
void describe(FieldVisitor& v, ProcessorSteps& r);
void describe(FieldVisitor& v, ProcessorTraining& r);
void describe(FieldVisitor& v, ProcessorRates& r);
void describe(FieldVisitor& v, HostRates& r);
void describe(FieldVisitor& v, KindSpread& s);
void describe(FieldVisitor& v, Spreads& s);
void describe(FieldVisitor& v, Calibration& c);

[[nodiscard]] Result<Calibration> readCalibration(std::string_view text, std::string_view fileName);

/// Of resources/calibration.json; read once.
[[nodiscard]] const Result<Calibration>& calibration();

} // namespace outlay::core
