// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/experiment/assumption_keys.h"
#include "pricing/provider.h"
#include "pricing/report/advice/rule.h"
#include "pricing/report/assumption.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr auto ForDeployment = AdviceCategory::Deployment;

/// The hour that a run should start at, by the shape of the grid's day.
std::vector<Proposal> betterHour(const Situation& s)
{
    const auto& hours = s.report.carbon.hours;
    const auto least =
        std::min_element(hours.begin(), hours.end(), [](const auto& a, const auto& b) {
            return a.kg.isAvailable() && (!b.kg.isAvailable() || a.kg.value() < b.kg.value());
        });
    if (least == hours.end() || !least->kg.isAvailable())
        return {};
    const std::string hour = std::to_string(least->hour);
    return {{.title = "Start the training at " + hour + ":00",
             .why =
                 "By the hours of its grid, in local standard time, an hour's energy emits least "
                 "then; a run of a day or more gains nothing.",
             .patch = patchOf(s, {{assumptionAt(TrainingStartHourKey), Json(least->hour)}}),
             .codePython = "# cron: 0 " + hour + " * * *"}};
}

std::vector<Proposal> fewerCheckpoints(const Situation& s)
{
    constexpr std::int64_t Enough = 2;
    const std::int64_t kept = s.subject.experiment.training.checkpointsKept;
    if (kept <= Enough)
        return {};
    return {{.title = "Keep two checkpoints",
             .why = "The newest, and the one before in case it is broken (" +
                    fromTo(static_cast<double>(kept), Enough) + ").",
             .patch = patchOf(s, {{"/training/checkpoints_kept", Json(Enough)}}),
             .codeCpp = "std::filesystem::remove(oldest);",
             .codePython = "os.remove(oldest)"}};
}

/// Of the provider's classes the one for what is read once a month; its readings are paid for.
std::vector<Proposal> storageClass(const Situation& s)
{
    const auto& option = s.report.training.recommended.option;
    if (!option || s.subject.experiment.assumptions.find(StorageClassKey) != nullptr)
        return {};
    const auto& rare = provider(option->offer.machine.provider).rareStorage;
    if (!rare)
        return {};
    return {{.title = "Store the data in " + std::string(rare->name),
             .why = "It costs less to keep and " +
                    plainNumber(valueOf(s.subject, RetrievalUsdPerGb)) +
                    " USD a GB to read, which is assumed: each run reads the data once.",
             .patch = patchOf(s, {{assumptionAt(StorageClassKey), Json(rare->name)}}),
             .codePython = std::string(rare->codePython)}};
}

/// Where the callers can run beside the service.
std::vector<Proposal> sameRegion(const Situation& s)
{
    const auto& option = s.report.serving.recommended.option;
    if (!option || s.subject.experiment.assumptions.find(TransferServiceKey) != nullptr)
        return {};
    const std::string_view inside = provider(option->offer.machine.provider).insideTransfer;
    if (inside.empty())
        return {};
    return {{.title = "Call the service from its own region",
             .why = "Answers that stay in " + option->offer.region +
                    " cost the price between zones instead of that to the internet. It only helps "
                    "where the callers can run there.",
             .patch = patchOf(s, {{assumptionAt(TransferServiceKey), Json(inside)}})}};
}

constexpr std::array<Rule, 4> Rules{{
    {"better-hour", ForDeployment, Level::Low, betterHour, Concern::Runs},
    {"storage-class", ForDeployment, Level::Low, storageClass},
    {"same-region-transfer", ForDeployment, Level::Medium, sameRegion},
    {"fewer-checkpoints", ForDeployment, Level::Low, fewerCheckpoints},
}};

} // namespace

std::span<const Rule> placeRules()
{
    return Rules;
}

} // namespace outlay::pricing
