// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of the Report begin with: a preset's experiment, and what it comes to on the fixed day.
#pragma once

#include "core/experiment/presets.h"
#include "pricing/report/make_report.h"
#include "tests/support/catalogs.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace outlay::tests {

inline const pricing::Catalogs& Today = catalogs();

inline core::Experiment experimentOf(const char* preset)
{
    return core::preset(preset)->experiment;
}

/// Everything of a large model, 64 samples of 2,048 tokens in each step.
inline core::Training wholeTuning()
{
    return {.samples = 5000,
            .sequence = 2048,
            .batch = 4,
            .accumulation = 16,
            .precision = core::Precision::Bf16,
            .checkpointing = true};
}

/// What a plan that buys on demand may take, of prices to be relied on.
inline bool isBoughtOnDemand(const pricing::Option& option)
{
    return pricing::isUsable(option) && option.meetsDeadline &&
           Today.book().rows()[option.row].purchase == core::Purchase::OnDemand;
}

/// All; where a sanitizer watches every third: what is wrong with memory is in the code, which is the same for all.
inline std::vector<core::Preset> presetsToTry()
{
    constexpr std::size_t Each = Slower > 1 ? 3 : 1;
    std::vector<core::Preset> some;
    for (std::size_t i = 0; i < core::presets()->size(); i += Each)
        some.push_back((*core::presets())[i]);
    return some;
}

/// Many requests of 1,000 tokens to an 8 B model, and nothing that is trained.
inline core::Experiment chat()
{
    core::Experiment e = experimentOf("llama-3.1-8b");
    e.training.runsPerMonth = 0;
    e.serving.requestsPerDay = 700'000;
    e.serving.inputTokens = 1000;
    e.serving.outputTokens = 250;
    e.serving.latencyP95Ms = 60'000;
    return e;
}

/// Without the advice.
inline pricing::Report figuresToday(const core::Experiment& e)
{
    return pricing::figuresOf(e, Today);
}

inline pricing::Report reportToday(const core::Experiment& e)
{
    return pricing::makeReport(e, Today);
}

/// Null where the Report doesn't advise it.
inline const pricing::AdviceRow* adviceIn(const pricing::Report& report, std::string_view id)
{
    const auto row = std::find_if(report.advice.begin(), report.advice.end(),
                                  [&](const pricing::AdviceRow& a) { return a.id == id; });
    return row == report.advice.end() ? nullptr : &*row;
}

} // namespace outlay::tests
