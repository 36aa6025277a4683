// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/field_presentation.h"

#include "core/settings/settings.h"
#include "gui/view/format.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace outlay::gui {
namespace {

constexpr std::array<std::string_view, 6> Sections{"/model/", "/training/", "/serving/",
                                                   "/site/",  "/plan/",     "/assumptions/"};

struct NameRow {
    std::string_view key;
    const char16_t* label;
    const char16_t* unit;
};

// Only where the key alone doesn't read well.
constexpr std::array Names{
    NameRow{"hidden", u"Hidden size", u""},
    NameRow{"sequence", u"Sequence length", u""},
    NameRow{"batch", u"Batch size", u""},
    NameRow{"latency_p95_ms", u"Latency p95", u"ms"},
    NameRow{"first_token_p95_ms", u"First token p95", u"ms"},
    NameRow{"token_p95_ms", u"Time a token p95", u"ms"},
    NameRow{"shared_tokens", u"Input tokens in common", u""},
    NameRow{"input_spread", u"Input scatter", u""},
    NameRow{"output_spread", u"Output scatter", u""},
    NameRow{"requests_per_day", u"Requests per day", u""},
    NameRow{"peak_factor", u"Peak over mean", u""},
    NameRow{"request_kb", u"Request size", u"kB"},
    NameRow{"response_kb", u"Response size", u"kB"},
    NameRow{"dataset_gb", u"Data set", u"GB"},
    NameRow{"electricity_usd_per_kwh", u"Electricity", u"USD/kWh"},
    NameRow{"grid_g_per_kwh", u"Grid carbon", u"g/kWh"},
    NameRow{"pue", u"PUE", u""},
    NameRow{"power_w", u"Power under load", u"W"},
    NameRow{"stacks", u"Software", u""},
    NameRow{"software", u"Training code", u""},
    NameRow{"attention", u"Attention kernels", u""},
    NameRow{"offload", u"In the machine's memory", u""},
    NameRow{"recompute_every", u"Recompute every", u"blocks"},
    NameRow{"recomputed", u"What is recomputed", u""},
    NameRow{"reentrant", u"Whole blocks again", u""},
    NameRow{"compiled", u"Compiled", u""},
    NameRow{"packed", u"Packed samples", u""},
    NameRow{"chunked_loss", u"Loss in parts", u""},
    NameRow{"keep_memory", u"Freed memory kept", u""},
    NameRow{"master_weights", u"Copies in fp32", u""},
    NameRow{"method", u"What is trained", u""},
    NameRow{"adapter_rank", u"Adapter rank", u""},
    NameRow{"adapter_targets", u"Matrices with adapters", u""},
    NameRow{"trained_whole", u"Layers trained whole", u""},
    NameRow{"frozen_weights", u"Frozen weights", u""},
    NameRow{"engine", u"Serving engine", u""},
    NameRow{"weight_format", u"Format of weights", u""},
    NameRow{"slots", u"Answered at once", u""},
    NameRow{"speculated_tokens", u"Guessed tokens", u""},
    NameRow{"acceptance", u"Guesses that hold", u""},
    NameRow{"draft_share", u"Size of the draft", u""},
    NameRow{"deadline_hours", u"Deadline", u"h"},
    NameRow{"budget_usd", u"Budget", u"USD"},
    NameRow{"max_machines", u"Machines at most", u""},
    NameRow{"kv_heads", u"Key-value heads", u""},
    NameRow{"shared_expert", u"Shared expert", u""},
    NameRow{"shared_expert_gate", u"Gate of the shared expert", u""},
    NameRow{"dense_layers", u"First layers without experts", u""},
    NameRow{"dense_feed_forward", u"Feed-forward without experts", u""},
    NameRow{"expert_step", u"Experts in each of so many layers", u""},
    NameRow{"query_rank", u"Numbers that queries are made of", u""},
    NameRow{"latent", u"Latent of keys and values", u""},
    NameRow{"shared_head_size", u"Shared part of keys", u""},
    NameRow{"value_size", u"Size of values", u""},
    NameRow{"key", u"Key size", u""},
    NameRow{"value", u"Value size", u""},
    NameRow{"output", u"Output size", u""},
    NameRow{"head", u"Dense head", u""},
    NameRow{"running", u"Machines that serve run", u""},
    NameRow{"scale_down_minutes", u"A machine without requests stops after", u"min"},
    NameRow{"hours_per_day", u"Hours a day", u"h"},
    NameRow{"days_per_month", u"Days a month", u"days"},
    NameRow{"startup_minutes", u"Start of a machine", u"min"},
    NameRow{"spot_interruptions_per_hour", u"Interruptions of spot machines", u"per h"},
    NameRow{"checkpoint_minutes", u"Time between checkpoints", u"min"},
    NameRow{"p95_over_median", u"Latency p95 over the median", u""},
    NameRow{"serverless_runtime_gb", u"Runtime beside the model", u"GB"},
    NameRow{"network_gb_per_s", u"Network between machines", u"GB/s"},
    NameRow{"longest_run_days", u"Longest training", u"days"},
    NameRow{"halved_time_worth_percent", u"Worth of half the time", u"% of the cost"},
    NameRow{"efficiency_weight_compute", u"Weight of compute in the score", u""},
    NameRow{"efficiency_weight_batching", u"Weight of batching in the score", u""},
    NameRow{"efficiency_weight_money", u"Weight of money in the score", u""},
    NameRow{"efficiency_weight_carbon", u"Weight of carbon in the score", u""},
    NameRow{"alert_busy_percent", u"Alert where busier than", u"%"},
    NameRow{"alert_idle_percent", u"Alert where less busy than", u"%"},
    NameRow{"alert_memory_percent", u"Alert where fuller than", u"%"},
    NameRow{"own_factor", u"Factor of your runs, planned machines", u"times"},
    NameRow{"own_factor_here", u"Factor of your runs, this machine", u"times"},
    NameRow{"alert_usd_per_day", u"Alert where a day costs more than", u"USD"},
    NameRow{"storage_retrieval_usd_per_gb", u"Reading from rarely used storage", u"USD/GB"},
    NameRow{"load_balancer_usd_per_hour", u"Load balancer", u"USD/h"},
};

struct AbsentRow {
    std::string_view pointer;
    const char16_t* title;
};

// Else a field that is left empty is "not set".
constexpr std::array AbsentTitles{
    AbsentRow{"/model/vocabulary", u"numbers"},
    AbsentRow{"/model/embedding", u"none"},
    AbsentRow{"/model/decoder_layers", u"none"},
    AbsentRow{"/model/relative_buckets", u"none"},
    AbsentRow{"/training/samples", u"from tokens"},
    AbsentRow{"/training/tokens", u"from samples"},
    AbsentRow{"/training/global_batch", u"by devices"},
    AbsentRow{"/training/sharding", u"the least that fits"},
    AbsentRow{"/training/tensor_parallel", u"best fit"},
    AbsentRow{"/training/pipeline_stages", u"best fit"},
    AbsentRow{"/training/pipeline_chunks", u"best fit"},
    AbsentRow{"/training/context_parallel", u"best fit"},
    AbsentRow{"/training/expert_parallel", u"best fit"},
    AbsentRow{"/training/attention", u"native where it can be"},
    AbsentRow{"/training/adapter_targets", u"all"},
    AbsentRow{"/training/trained_whole", u"none"},
    AbsentRow{"/serving/first_token_p95_ms", u"no promise"},
    AbsentRow{"/serving/token_p95_ms", u"no promise"},
    AbsentRow{"/serving/speculated_tokens", u"none"},
    AbsentRow{"/serving/batch", u"by the engine"},
    AbsentRow{"/serving/slots", u"by the engine"},
    AbsentRow{"/serving/engine", u"by the model"},
    AbsentRow{"/serving/attention", u"fused where it can be"},
    AbsentRow{"/serving/tensor_parallel", u"most answers"},
    AbsentRow{"/serving/weight_format", u"by the engine"},
    AbsentRow{"/site/region", u"here"},
    AbsentRow{"/site/country", u"of the region"},
    AbsentRow{"/site/electricity_usd_per_kwh", u"by place"},
    AbsentRow{"/site/grid_g_per_kwh", u"by place"},
    AbsentRow{"/site/pue", u"by place"},
    AbsentRow{"/site/power_w", u"not known"},
    AbsentRow{"/plan/deadline_hours", u"none"},
    AbsentRow{"/plan/budget_usd", u"no limit"},
    AbsentRow{"/plan/days_per_month", u"all"},
    AbsentRow{"/plan/training_offer", u"as recommended"},
    AbsentRow{"/plan/serving_offer", u"as recommended"},
};

struct RangeRow {
    std::string_view key;
    double low;
    double high;
    bool isLog;
};

// What designs and plans usually are; a field takes all that its limits allow.
constexpr std::array KnownRanges{
    // of models
    RangeRow{"vocabulary", 128, 262144, true},
    RangeRow{"embedding", 8, 16384, true},
    RangeRow{"hidden", 8, 16384, true},
    RangeRow{"layers", 1, 128, true},
    RangeRow{"decoder_layers", 1, 128, true},
    RangeRow{"recompute_every", 1, 16, true},
    RangeRow{"heads", 1, 128, true},
    RangeRow{"kv_heads", 1, 128, true},
    RangeRow{"head_size", 8, 512, true},
    RangeRow{"feed_forward", 32, 65536, true},
    RangeRow{"key", 8, 4096, true},
    RangeRow{"value", 8, 4096, true},
    RangeRow{"output", 8, 4096, true},
    RangeRow{"inputs", 1, 4096, true},
    RangeRow{"outputs", 1, 262144, true},
    RangeRow{"projection", 0, 4096, true},
    RangeRow{"experts", 0, 256, true},
    RangeRow{"experts_used", 1, 16, false},
    RangeRow{"shared_expert", 0, 16384, true},
    RangeRow{"dense_layers", 0, 16, false},
    RangeRow{"dense_feed_forward", 32, 65536, true},
    RangeRow{"expert_step", 1, 8, false},
    RangeRow{"query_rank", 0, 4096, true},
    RangeRow{"latent", 0, 4096, true},
    RangeRow{"shared_head_size", 0, 256, true},
    RangeRow{"value_size", 0, 512, true},
    RangeRow{"position_count", 128, 1048576, true},
    RangeRow{"window", 0, 131072, true},
    // of training
    RangeRow{"samples", 100, 1e9, true},
    RangeRow{"tokens", 1e4, 1e14, true},
    RangeRow{"sequence", 1, 131072, true},
    RangeRow{"batch", 1, 4096, true},
    RangeRow{"epochs", 1, 1000, true},
    RangeRow{"accumulation", 1, 256, true},
    RangeRow{"global_batch", 1, 65536, true},
    RangeRow{"devices", 1, 4096, true},
    RangeRow{"validation_share", 0, 0.5, false},
    RangeRow{"runs_per_month", 0, 1000, true},
    RangeRow{"dataset_gb", 0, 1e5, true},
    RangeRow{"checkpoints_kept", 0, 100, true},
    // of serving
    RangeRow{"requests_per_day", 0, 1e9, true},
    RangeRow{"peak_factor", 1, 20, false},
    RangeRow{"input_tokens", 1, 131072, true},
    RangeRow{"output_tokens", 0, 131072, true},
    RangeRow{"shared_tokens", 0, 131072, true},
    RangeRow{"input_spread", 0, 2, false},
    RangeRow{"output_spread", 0, 2, false},
    RangeRow{"latency_p95_ms", 1, 1e5, true},
    RangeRow{"first_token_p95_ms", 1, 1e5, true},
    RangeRow{"token_p95_ms", 1, 1e4, true},
    RangeRow{"request_kb", 0, 1e4, true},
    RangeRow{"response_kb", 0, 1e4, true},
    // of places and plans
    RangeRow{"electricity_usd_per_kwh", 0, 1, false},
    RangeRow{"grid_g_per_kwh", 0, 1000, false},
    RangeRow{"pue", 1, 2, false},
    RangeRow{"power_w", 1, 1e4, true},
    RangeRow{"deadline_hours", 1, 1000, true},
    RangeRow{"adapter_rank", 1, 256, true},
    RangeRow{"budget_usd", 1, 1e6, true},
    RangeRow{"max_machines", 1, 256, true},
    RangeRow{"dropout", 0, 0.9, false},
};

constexpr std::array<std::string_view, 27> MainFields{
    "model/hidden",
    "model/layers",
    "model/heads",
    "model/feed_forward",
    "model/key",
    "model/value",
    "model/output",
    "model/inputs",
    "model/outputs",
    "model/vocabulary",
    "model/dropout",
    "training/samples",
    "training/sequence",
    "training/batch",
    "training/epochs",
    "training/precision",
    "training/optimizer",
    "training/checkpointing",
    "training/method",
    "serving/requests_per_day",
    "serving/latency_p95_ms",
    "serving/output_tokens",
    "serving/precision",
    "site/region",
    "site/grid_g_per_kwh",
    "plan/purchase",
    "plan/deadline_hours",
};

} // namespace

FieldName nameOf(std::string_view key)
{
    const auto* row =
        std::find_if(Names.begin(), Names.end(), [&](const NameRow& r) { return r.key == key; });
    if (row != Names.end())
        return {QString::fromUtf16(row->label), QString::fromUtf16(row->unit)};
    QString label = toQString(key);
    label.replace(QLatin1Char('_'), QLatin1Char(' '));
    label[0] = label[0].toUpper();
    return {label, QString()};
}

QString settingTitle(std::string_view pointer)
{
    const std::size_t slash = pointer.rfind('/');
    if (slash == 0)
        return nameOf(pointer.substr(1)).label;
    const QString label = nameOf(pointer.substr(slash + 1)).label;
    QString part = toQString(pointer.substr(1, pointer.find('/', 1) - 1));
    if (part == QLatin1String("assumptions"))
        return label;
    part[0] = part[0].toUpper();
    return part + QStringLiteral(": ") + label;
}

QString readable(std::string_view note)
{
    const auto isWord = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    const auto isPart = [&](char c) { return isWord(c) || c == '/'; };
    constexpr std::string_view Assumption = "assumption ";
    std::string text; // bytes of a letter stay together
    for (std::size_t i = 0; i < note.size();) {
        const bool isStart = i == 0 || (!isPart(note[i - 1]) && note[i - 1] != '.');
        const std::size_t from = note.substr(i).starts_with(Assumption) ? i + Assumption.size() : i;
        std::size_t end = from;
        while (end < note.size() && isPart(note[end]))
            ++end;
        std::string pointer(note.substr(from, end - from));
        if (from > i && pointer.find('_') != std::string::npos)
            pointer.insert(0, "/assumptions/");
        const bool isSetting =
            isStart && std::any_of(Sections.begin(), Sections.end(), [&](std::string_view section) {
                return pointer.starts_with(section) && pointer.size() > section.size();
            });
        if (isSetting)
            text += '"' + settingTitle(pointer).toStdString() + '"';
        else
            text += note.substr(i, std::max(end, i + 1) - i);
        i = std::max(end, i + 1);
    }
    return toQString(text);
}

bool isMainField(std::string_view section, std::string_view key)
{
    const std::string path = std::string(section) + "/" + std::string(key);
    return std::find(MainFields.begin(), MainFields.end(), path) != MainFields.end();
}

std::optional<SliderRange> sliderRangeOf(const core::Field& field, Whole whole)
{
    if (!(field.low < field.high))
        return std::nullopt;
    SliderRange range{.isWhole = whole == Whole::Yes};
    const auto* row = std::find_if(KnownRanges.begin(), KnownRanges.end(),
                                   [&](const RangeRow& r) { return r.key == field.key; });
    if (row != KnownRanges.end()) {
        range.low = std::max(row->low, field.low);
        range.high = std::min(row->high, field.high);
        range.isLog = row->isLog;
        return range;
    }
    constexpr double WideRatio = 100;
    constexpr double MostUsual = 1e6;
    range.low = field.low;
    range.high = std::max(std::min(field.high, MostUsual), field.low + 1);
    range.isLog = field.low >= 0 && range.high / std::max(field.low, 1.0) > WideRatio;
    return range;
}

QString absentTitle(std::string_view pointer)
{
    const auto* row =
        std::find_if(AbsentTitles.begin(), AbsentTitles.end(),
                     [&](const AbsentRow& known) { return pointer.starts_with(known.pointer); });
    return row != AbsentTitles.end() ? QString::fromUtf16(row->title) : QStringLiteral("not set");
}

QString optionTitle(const QString& option)
{
    struct TitleRow {
        const char16_t* option;
        const char16_t* title;
    };
    // Only where the words of the file don't read well.
    constexpr std::array Titles{TitleRow{u"reserved_1y", u"reserved, 1 year"},
                                TitleRow{u"reserved_3y", u"reserved, 3 years"},
                                TitleRow{u"adamw8bit", u"adamw, 8 bits"},
                                TitleRow{u"lora", u"adapters (LoRA)"},
                                TitleRow{u"head", u"last layer"},
                                TitleRow{u"same", u"in the training's precision"},
                                TitleRow{u"nf4", u"in 4 bits (NF4)"},
                                TitleRow{u"rms", u"root mean square"}};
    for (std::size_t i = 0; i < core::EngineNames.size(); ++i) {
        if (option.toStdString() == core::EngineNames.at(i))
            return toQString(core::EngineTitles.at(i));
    }
    for (const TitleRow& row : Titles) {
        if (option == QStringView(row.option))
            return QString::fromUtf16(row.title);
    }
    QString title = option;
    return title.replace(QLatin1Char('_'), QLatin1Char(' '))
        .replace(QLatin1Char('-'), QLatin1Char(' '));
}

} // namespace outlay::gui
