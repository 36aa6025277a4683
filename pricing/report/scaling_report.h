// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The Report's section on how the design's costs grow: over the sequence, against its twin, over devices.
#pragma once

#include "core/hardware/data_parallel.h"
#include "core/hardware/forecast.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace outlay::pricing {

/// One sequence through one of two twins, on paper and as it was measured here.
struct MixingCost {
    core::Quantity flopsPerToken; // of a forward pass
    core::Quantity flopsPerSequence;
    core::Quantity stateBytes;      // caches or states that serving keeps after it
    core::Quantity activationBytes; // kept for the backward pass
    core::Quantity passSeconds;     // forward and back, on this machine
    core::Quantity passBytes;       // that the process grows by meanwhile
};

struct MixingRow {
    double tokens = 0;
    MixingCost recurrent;
    MixingCost attention;
};

/// From so many tokens on attention costs more; unavailable where it never does.
struct MixingCrossing {
    std::string measure; // "flops", "state", "activations", "seconds"
    core::Quantity tokens;
};

/// The design against a twin in which recurrence and attention are exchanged.
struct MixingReport {
    std::string own;  // "recurrent", "attention"; empty where there is no twin
    std::string twin; // what it is, or why there is none, as a sentence without a full stop
    std::vector<MixingRow> rows;
    std::vector<MixingCrossing> crossings;
};

/// A training run with sequences of so many tokens.
struct LengthCost {
    core::Quantity hours; // on the machine of the report's offer
    core::Quantity usd;
    core::Quantity memory; // bytes on one device
    core::Fits fits = core::Fits::Unknown;
};

struct LengthRow {
    double tokens = 0;
    bool isOwn = false;  // the experiment's own length
    core::Quantity here; // seconds of the design's run on this machine
    LengthCost design;
    std::optional<LengthCost> twin; // where there is one
};

/// The design, and its twin, over the length of a sequence; everything else is as in the experiment.
struct LengthReport {
    std::string machine; // "aws g4dn.xlarge in us-east-1, spot"
    std::string why;     // there are no rows
    std::vector<LengthRow> rows;
};

/// The training run on so many of the offer's devices, each with a batch of its own.
struct DevicesRow {
    std::int64_t devices = 1;
    std::int64_t machines = 1; // that are paid for
    core::DataParallel step;
    core::Quantity hours;
    core::Quantity usd;
};

struct DevicesReport {
    std::string device;
    std::string machine;
    std::string why; // there are no rows
    std::int64_t globalBatch =
        0; // samples of a step that they share; 0: each has a batch of its own
    std::vector<DevicesRow> rows;
    std::string hereWhy;             // nothing is known of this machine
    std::vector<DevicesRow> here;    // processes on this machine, one core each; they have no price
    std::string host;                // one of these, on which the others' work is counted
    std::vector<std::string> hosts;  // that were measured to train together; none: no rows
    std::vector<DevicesRow> onHosts; // such machines, a process each
};

/// One way in which the plan's devices can hold the training.
struct LayoutRow {
    core::Layout layout;
    std::int64_t batch = 1;  // samples at once on each copy
    std::int64_t passes = 1; // of a step
    core::Fits fits = core::Fits::Unknown;
    core::Quantity memory;                    // bytes on one device
    std::optional<core::Quantity> hostMemory; // of each machine, where something waits there
    core::Quantity stepSeconds;
    core::Quantity waitingSeconds; // of it, for other devices
    core::Quantity hours;          // of a run
    core::Quantity usd;
};

/// Of what one of the plan's devices holds, or does in a step.
struct LayoutPart {
    std::string_view name;
    core::Quantity amount;
};

struct LayoutReport {
    std::string device;
    std::string machine; // "2 x aws p4d.24xlarge in us-east-1"
    std::string why;     // there are no rows
    std::int64_t devices = 1;
    double memoryGb = 0;  // that one of them has
    bool isAsked = false; // by the settings; else chosen
    std::string untried;  // why nothing but copies was tried; may be empty
    std::vector<LayoutRow>
        rows; // the plan's, then others that fit, the fastest first, then what doesn't fit
    std::vector<LayoutPart> holds; // on a device that has most
    std::vector<LayoutPart> does;
};

/// Ways to hold a training, the later with less; all but the plan's are sharded where they need several devices.
enum class Rung : std::uint8_t { Plan, Everything, Checkpointed, Adapters, Quantised };
inline constexpr std::array<std::string_view, 5> RungNames{"plan", "everything", "checkpointed",
                                                           "lora", "qlora"};

/// How far an accelerator is from holding the training.
struct LadderRow {
    std::string accelerator;
    double memoryGb = 0;
    /// The fewest that do, by rung; nothing where 1,024 don't, or the design can't be trained so.
    std::array<std::optional<std::int64_t>, RungNames.size()> devices;
};

struct LadderReport {
    std::string why; // there are no rows
    std::vector<LadderRow> rows;
};

struct ScalingReport {
    LadderReport ladder;
    LayoutReport layouts;
    MixingReport mixing;
    LengthReport lengths;
    DevicesReport devices;
};

} // namespace outlay::pricing
