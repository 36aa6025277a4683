// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A rule of the advice: when it speaks, what it would change, and how much trouble that is.
#pragma once

#include "core/hardware/devices.h"
#include "core/probe/variant.h"
#include "pricing/report/report.h"
#include "pricing/report/subject.h"

#include <span>

namespace outlay::pricing {

/// What rules look at.
struct Situation {
    const Subject& subject;
    const Report& report; // all but the advice
    core::Json file;      // the experiment as it is saved, without its measurements
};

/// The probe's own comparison with the plain way; used where two Reports can't tell the difference.
struct MeasuredRatio {
    double ratio = 1; // time for the same work, over the plain way's
    double low = 1;
    double high = 1;
    core::VariantSubject subject = core::VariantSubject::Training;
    bool isCounted = false; // the figures count on it already
};

struct Proposal {
    std::string title;
    std::string why;  // sentences, with the numbers that made the rule speak
    core::Json patch; // JSON Patch; empty where no setting chooses it
    std::string codeCpp;
    std::string codePython;
    std::optional<std::uint32_t> offer; // row of the book that the comparison must not leave out
    std::optional<MeasuredRatio> measured;
    Level most = Level::High; // that its priority may be, however much it saves
    bool isReluctant = false; // it binds, or may not be had: others of its priority come first
};

/// What a rule speaks of: runs of training, which a plan may have none of, or whatever there is.
enum class Concern : std::uint8_t { Plan, Runs };

struct Rule {
    std::string_view id;
    AdviceCategory category = AdviceCategory::Training;
    Level effort = Level::Low;
    /// Whatever may help; what doesn't save is dropped later.
    std::vector<Proposal> (*propose)(const Situation&) = nullptr;
    Concern concern = Concern::Plan;
};

/// One list a file.
[[nodiscard]] std::span<const Rule> trainingRules();
[[nodiscard]] std::span<const Rule> memoryRules();
[[nodiscard]] std::span<const Rule> modelRules();
[[nodiscard]] std::span<const Rule> measuredRules();
[[nodiscard]] std::span<const Rule> offerRules();
[[nodiscard]] std::span<const Rule> servingRules();
[[nodiscard]] std::span<const Rule> placeRules();

/// A setting and what it becomes; null gives it its default again.
struct Change {
    std::string_view pointer;
    core::Json value;
};
/// As JSON Patch on the saved file, with the objects that it doesn't have yet.
[[nodiscard]] core::Json patchOf(const Situation& situation, std::initializer_list<Change> changes);

/// That the recommended offer trains on; nothing where there is none.
[[nodiscard]] std::optional<core::Devices> devicesThere(const Situation& situation);

/// How a program keeps the memory that it frees, which `training.keep_memory` counts on.
inline constexpr std::string_view KeepMemoryCpp =
    "#include <climits>\n#include <malloc.h>\n"
    "mallopt(M_MMAP_THRESHOLD, 32 << 20);\nmallopt(M_TRIM_THRESHOLD, INT_MAX);";
inline constexpr std::string_view KeepMemoryPython =
    "# in the shell, before it starts Python\n"
    "export MALLOC_MMAP_THRESHOLD_=33554432 MALLOC_TRIM_THRESHOLD_=2147483647";

/// Whether a large model is tuned that others trained: by fewer tokens than it has weights.
[[nodiscard]] bool isTuned(const Situation& situation);

/// "8 -> 16".
[[nodiscard]] std::string fromTo(double before, double after);

} // namespace outlay::pricing
