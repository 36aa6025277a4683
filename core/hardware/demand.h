// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a design asks of a device: made once, then forecast on as many devices as there are.
#pragma once

#include "core/hardware/kernels.h"
#include "core/hardware/step_kernels.h"
#include "core/model/model.h"
#include "core/workload/accelerator_memory.h"
#include "core/workload/checkpointed.h"
#include "core/workload/returned_memory.h"
#include "core/workload/serving_work.h"
#include "core/workload/training_work.h"
#include "core/workload/work.h"

namespace outlay::core {

/// Layers that cost the same in one forward pass, and how many of them there are.
struct KernelGroup {
    double count = 1;
    double flops = 0;         // outside of the recurrence and of `scoreFlops`
    double rows = 0;          // of one matrix product
    double bytes = 0;         // read and written, without those below
    double weightBytes = 0;   // of weights that are read; a recurrence has its own in the others
    double scoreFlops = 0;    // of attention's products with scores, not in `flops`
    double fusedFlops = 0;    // of these, what a fused kernel computes: it skips what none sees
    double scoreTiles = 0;    // of 128 positions of a head, that it makes them in
    double scoreBytes = 0;    // of attention's scores, which a fused kernel doesn't write
    double repeatedBytes = 0; // of caches, if each head reads what it shares with others for itself
    double latentBytes = 0;   // of `bytes`, of latents that are met: they belong to all heads
    double launches = 0;      // one after the other, without those of the recurrence
    double steps = 0;         // of a recurrence, each of which waits for the one before
    double stepFlops = 0;     // in each
    double stepBytes = 0;     // of the matrix that each step reads again, or of states
    double stepLaunches = 0;  // of plain kernels, in each
    bool hasFusedSteps = true;       // a library has one kernel for a step
    std::optional<GatedShape> gated; // what such steps are where kernels take many at once
    StepShape stepShape;             // which that is depends on it
    bool isInBlock = false;
    bool isOfExperts = false; // each with a part of the rows
    double castBytes = 0; // read and written, for each time, of what goes into products in 8 bits
    double productsBack = 2; // times that its products with weights are made on the way back
    double othersBack = 2;   // the same of all else
    RunAgain again;          // by checkpointing
    double remadeBytes = 0;  // of weights that each way through it makes from fewer bits

    bool operator==(const KernelGroup&) const = default;
};

/// Equal layers are merged, so a deep transformer has about ten groups.
[[nodiscard]] std::vector<KernelGroup> kernelGroups(const LayerKinds& layers, const Pass& pass);

/// Of all layers together: in all of them, in those of no block, and in the one of these that has most.
struct LayerSums {
    double all = 0;
    double outside = 0;
    double end = 0;
    double experts = 0; // of those in blocks, what belongs to one expert each
    // The most that two blocks have which follow each other: of all, without and of their experts.
    double neighbours = 0;
    double plainNeighbours = 0;
    double expertNeighbours = 0;

    void add(double value, double count, bool isInBlock);
};

/// What layers with experts send to them.
struct RoutedRows {
    double layers = 0;
    double bytes = 0; // of all rows of a pass, once for each such layer
    double used = 0;  // experts of a row, on average
};

struct TrainingDemand {
    std::vector<KernelGroup> forward; // of one batch on one device
    Training training;
    TrainingRun run;                      // on training.devices
    TrainingMemory memory;                // as processors hold it
    AcceleratorActivations onAccelerator; // in the place of its activations
    double parameters = 0;
    LayerSums trained;        // of these
    LayerSums weightBytes;    // of all, as they are kept
    double batchRows = 0;     // samples of a batch in a recurrent product
    double flopsPerBatch = 0; // forward
    double stepFlops = 0;     // of it and its way back, without what is computed again
    double blocks = 0;
    double blocksAgain = 0; // of these, what checkpointing computes again
    double width = 0;       // of what goes from block to block
    double keyBytes = 0;    // of all keys and values of a pass
    ReturnedBytes returned; // by a processor, to the system
    RoutedRows routed;
    std::int64_t heads = 0;   // of every attention; 0: there is none
    std::int64_t experts = 0; // of every layer that has some; 0: none has
    bool hasTokens = true;    // some layer runs over tokens
    std::vector<TrainingDemand>
        smaller; // with half of the samples at once, and so on: for a global batch

    /// Attention in blocks, over samples that are as long as they are.
    [[nodiscard]] bool hasUnevenSamples() const
    {
        return !training.packed && heads > 0 && blocks > 0;
    }
};

/// Part of the blocks of which all runs again, with what devices send each other meanwhile: results that wait are sums.
[[nodiscard]] double wholeAgain(const TrainingDemand& demand);

[[nodiscard]] TrainingDemand trainingDemand(const LayerKinds& layers, const Training& training);

/// A pass that checks tokens which a draft has guessed one after the other.
struct CheckedTokens {
    std::vector<KernelGroup> pass;
    double guesses = 0;
    double draftShare = 0;  // of a pass of the model that a draft's takes
    double made = 1;        // tokens by each
    double madeAtLeast = 1; // if fewer guesses hold than is assumed
};

struct ServingDemand {
    std::vector<KernelGroup> prompt;
    std::vector<KernelGroup> token; // one by one
    std::optional<CheckedTokens> checked;
    Serving serving;
    Engine engine = Engine::LibTorch;
    bool isEngineKnown = true; // else it is assumed
    std::optional<WeightFormat> format;
    double laterTokens = 0; // passes after the prompt
    double blocks = 0;
    double width = 0;           // of what the devices exchange in each block
    std::int64_t heads = 0;     // of every attention; 0: there is none
    double stateBytes = 0;      // caches or states of one request
    double fixedStateBytes = 0; // of these, whatever its length
    bool hasLatents = false;
    double wholeBytes = 0; // of weights that each device has which shares layers
    double ownTokens = 0;  // of its input, read and kept for it alone
    Quantity memory;
};

[[nodiscard]] ServingDemand servingDemand(const Model& model, const LayerKinds& layers,
                                          const Serving& serving);
/// The same where processors compute: nothing where the same engine serves there.
[[nodiscard]] std::optional<ServingDemand> processorDemand(const Model& model,
                                                           const LayerKinds& layers,
                                                           const Serving& serving);

} // namespace outlay::core
