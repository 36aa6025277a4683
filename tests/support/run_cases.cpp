// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/truth_rows.h"

#include "core/base/units.h"

#include <array>
#include <cmath>

namespace outlay::tests {
namespace {

using namespace outlay::core;

/// What a source tells of a whole run beside its table: what its hours count, and of what its kernels are.
struct RunRow {
    std::string_view group;
    bool isOfSteps = false;  // its hours are the steps' alone
    bool isCompiled = false; // or its kernels were fused by hand
    Software software = Software::Ordinary;
    std::int64_t batch = 0; // sequences at once, where it says so
    std::string_view doubt;
    std::optional<Sharding> sharding = {}; // where it says so
};
constexpr std::array RunRows{
    RunRow{"tinyllama", true, true, Software::Tuned, 0, ""},
    RunRow{"llmc", true, true, Software::Tuned, 16, "", Sharding::Optimizer}, // -b 16 -z 1
    RunRow{"nanogpt", false, true, Software::Ordinary, 0, ""},
    RunRow{"mpt", false, false, Software::Ordinary, 4, ""}, // 1,760 on 440 devices
    RunRow{"bloom", false, false, Software::Tuned, 2, ""},
    RunRow{"opt", false, false, Software::Ordinary, 0,
           "its tokens are its corpus, which was read more than once"},
    RunRow{"llama3", false, false, Software::Ordinary, 0,
           "its hours count more than its tokens, which are a lower bound"},
    RunRow{"llama3.1", false, false, Software::Ordinary, 0,
           "its hours count more than its tokens, which are a lower bound"}};

void readHours(const RunRow& run, TruthCase& truth)
{
    truth.isOfSteps = run.isOfSteps;
    truth.training.compiled = run.isCompiled;
    truth.training.software = run.software;
    truth.doubt = run.doubt;
    if (run.batch > 0)
        truth.training.batch = run.batch;
    if (run.sharding)
        truth.training.sharding = run.sharding;
}

} // namespace

bool readRun(const Row& row, TruthCase& truth)
{
    constexpr double SecondsPerHour = 3600;
    const double devices = row.number("/hardware/num_gpus");
    double hours = row.number("/measured/gpu_hours");
    if (hours <= 0)
        hours =
            devices * (row.number("/measured/wall_hours") + 24 * row.number("/measured/wall_days") +
                       row.number("/measured/wall_minutes") / 60);
    TransformerDesign d = transformer(row, TransformerKind::Decoder);
    const double sequence = row.number("/config/seq_len");
    const double tokens = row.number("/config/tokens");
    const auto precision = precisionOf(row.text("/config/precision") + (devices > 0 ? "" : "bf16"));
    if (hours <= 0 || d.hidden == 0 || d.layers == 0 || sequence <= 0 || tokens <= 0 || !precision)
        return false;
    if (const auto kv = row.integer("/config/num_key_value_heads"))
        d.kvHeads = kv;
    d.gatedFeedForward = has(row.text("/config/arch"), "llama");
    useLayers(truth, d);
    truth.kind = TruthKind::Run;
    truth.training.precision = *precision;
    truth.training.sequence = static_cast<std::int64_t>(sequence);
    truth.training.tokens = tokens;
    constexpr double TokensAtOnce = 16384; // on one device, where nobody says
    truth.training.batch =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(TokensAtOnce / sequence));
    truth.training.checkpointing = row.flag("/config/gradient_checkpointing");
    truth.interconnect = row.text("/hardware/interconnect");
    readLayout(row, truth);
    for (const RunRow& run : RunRows) {
        if (run.group == truth.group)
            readHours(run, truth);
    }
    // What is read in a step takes so many passes.
    const double inPass = real(truth.training.batch) * sequence * std::max(devices, 1.0);
    const double inStep = row.number("/config/tokens_per_step");
    truth.training.accumulation = std::max<std::int64_t>(1, std::llround(inStep / inPass));
    truth.seconds = hours * SecondsPerHour;
    return true;
}

} // namespace outlay::tests
