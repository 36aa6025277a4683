// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// score_tuning FOLDER: fine-tuning that others measured (whole models and adapters, on one to eight devices) beside its
// forecast: tokens a second, memory, and how many of the intervals hold. Nothing is fitted to these rows.
#include "core/base/units.h"
#include "core/hardware/forecast.h"
#include "core/hardware/hardware_catalog.h"
#include "core/model/import/huggingface.h"
#include "tests/support/table.h"

#include <cmath>
#include <cstdio>
#include <map>

namespace {

using namespace outlay;

struct Design {
    const char* name;
    const char* config;
};

/// As their makers publish them.
constexpr std::array<Design, 3> Designs{{
    {"Mistral-7B", R"({"model_type": "mistral", "hidden_size": 4096, "intermediate_size": 14336,
        "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
        "vocab_size": 32000, "tie_word_embeddings": false})"},
    {"santacoder", R"({"model_type": "gpt_bigcode", "n_embd": 2048, "n_inner": 8192, "n_layer": 24,
        "n_head": 16, "multi_query": true, "vocab_size": 49280, "n_positions": 2048})"},
    {"PowerLM-3b", R"({"model_type": "llama", "hidden_size": 2304, "intermediate_size": 9216,
        "num_hidden_layers": 40, "num_attention_heads": 36, "num_key_value_heads": 36,
        "vocab_size": 49152, "tie_word_embeddings": true})"},
}};

std::optional<core::Model> designOf(const std::string& name)
{
    for (const Design& design : Designs) {
        if (name.find(design.name) == std::string::npos)
            continue;
        const auto json = core::readJson(design.config);
        const auto imported = core::importHuggingFace(*json);
        if (!imported) {
            std::fprintf(stderr, "%s: %s\n", design.name, imported.error().sentence().c_str());
            return std::nullopt;
        }
        return imported->model;
    }
    return std::nullopt;
}

constexpr std::int64_t Packed = 1500; // tokens of a sample, beyond which several share it

struct Row {
    std::string group;
    double speedMiss = 0; // natural logarithm of forecast over measured
    double memoryMiss = 0;
    bool hasMemory = false;
    bool speedHeld = false;
    bool memoryHeld = false;
};

bool isCompleted(const tests::Table& table, std::size_t row)
{
    return table.text(row, "completed") == "1";
}

core::Training trainingOf(const tests::Table& table, std::size_t row)
{
    core::Training t;
    t.precision =
        table.text(row, "dtype") == "float16" ? core::Precision::Fp16 : core::Precision::Bf16;
    t.optimizer = core::Optimizer::AdamW;
    t.masterWeights = false; // weights are loaded in 16 bits
    t.checkpointing = true;
    t.reentrant = true; // the default of Transformers until 2026-01
    // What ran out of memory tells no more; all such runs were of the experiment whose samples have as many.
    constexpr std::int64_t OfTheRest = 4096;
    const bool hasRun = isCompleted(table, row);
    t.sequence = hasRun ? std::llround(table.number(row, "tokens_per_sample")) : OfTheRest;
    t.batch = std::llround(table.number(row, "batch_per_gpu"));
    const double atOnce = table.number(row, "gpus") * table.number(row, "batch_per_gpu");
    if (hasRun)
        t.accumulation = std::max(1LL, std::llround(table.number(row, "samples_per_s") /
                                                    table.number(row, "steps_per_s") / atOnce));
    t.packed = t.sequence > Packed;
    t.attention = core::AttentionKernel::Fused;
    // Unsloth's kernels are of Llama's and Mistral's designs: SantaCoder's runs as plainly with them as without.
    const bool hasKernels = table.text(row, "base_model").find("gpt_bigcode") == std::string::npos;
    t.compiled =
        hasKernels && table.text(row, "framework_config").find("foak") != std::string::npos;
    t.chunkedLoss = table.text(row, "framework_config").find("liger") != std::string::npos;
    // On several devices that experiment keeps weights, gradients and moments in 32 bits, as Accelerate does where FSDP
    // computes in fewer: 20 B a parameter, which its memory is to three digits, and the upper end of what is forecast.
    if (table.text(row, "experiment") == "a100_80gb_liger" && table.number(row, "gpus") > 1)
        t.masterWeights = true;
    if (table.text(row, "method") == "lora") {
        t.method = core::Method::Lora;
        t.adapterRank = std::llround(table.number(row, "lora_r"));
        t.adapterTargets = {"query", "key", "value", "output"};
        if (table.text(row, "base_format") != "16-bit")
            t.frozenWeights = core::FrozenWeights::Nf4;
    }
    return t;
}

std::optional<core::TrainingForecast> forecastOf(const tests::Table& table, std::size_t row,
                                                 const core::Device& device,
                                                 const core::Calibration& calibration)
{
    const auto model = designOf(table.text(row, "base_model"));
    if (!model)
        return std::nullopt;
    auto demand = core::trainingDemand(core::expand(*model), trainingOf(table, row));
    const auto count = std::llround(table.number(row, "gpus"));
    if (count > 1)
        demand.training.sharding = core::Sharding::Full;
    return core::trainingForecast(demand, {device, count, calibration});
}

/// Whether runs are told to fit that ended, and those not to that ran out of memory.
class FitScore {
public:
    void add(const core::TrainingForecast& f, bool hasRun)
    {
        const bool isRight = (f.fits == core::Fits::Yes) == hasRun;
        (hasRun ? m_ran : m_failed).add(isRight);
    }
    void print() const
    {
        std::printf("fits or doesn't: %d of %d that ran, %d of %d that ran out of memory, %.1f %% "
                    "of all\n",
                    m_ran.right, m_ran.all, m_failed.right, m_failed.all,
                    100.0 * (m_ran.right + m_failed.right) / (m_ran.all + m_failed.all));
    }

private:
    struct Count {
        int right = 0;
        int all = 0;
        void add(bool isRight)
        {
            right += isRight ? 1 : 0;
            ++all;
        }
    };
    Count m_ran;
    Count m_failed;
};

std::optional<Row> scoreOf(const tests::Table& table, std::size_t row,
                           const core::TrainingForecast& f)
{
    const double measured = table.number(row, "tokens_per_s_per_gpu") * table.number(row, "gpus");
    if (measured <= 0 || table.number(row, "steps_per_s") <= 0)
        return std::nullopt;
    const core::Training t = trainingOf(table, row);
    const auto count = std::llround(table.number(row, "gpus"));
    Row scored;
    scored.group = table.text(row, "method") == "full"          ? "full"
                   : table.text(row, "base_format") == "16-bit" ? "lora"
                                                                : "qlora";
    scored.group += count > 1 ? ", several" : ", one";
    // Samples as long as they are: of several devices all wait for the one that got the longest, unless they are dealt
    // out evenly. Here every sample has as many tokens.
    const bool isEven = t.sequence > Packed ||
                        table.text(row, "framework_config").find("multipack") != std::string::npos;
    if (count > 1 && !isEven)
        scored.group += ", uneven";
    else if (t.sequence <= Packed)
        scored.group += ", short";
    scored.speedMiss = std::log(f.tokensPerS.value() / measured);
    scored.speedHeld = f.tokensPerS.low() <= measured && measured <= f.tokensPerS.high();
    const double peak = table.number(row, "mem_peak_torch_bytes");
    scored.hasMemory = peak > 0 && t.sequence > Packed && f.memory.isAvailable();
    if (scored.hasMemory) {
        scored.memoryMiss = std::log(f.memory.value() / peak);
        scored.memoryHeld = f.memory.low() <= peak && peak <= f.memory.high();
    }
    if (std::getenv("OUTLAY_ROWS") != nullptr)
        std::printf(
            "%-14s %-12s %-36s n %lld b %lld s %lld acc %lld  %8.0f of %8.0f  %5.1f of %5.1f GB\n",
            table.text(row, "base_model").substr(0, 14).c_str(), scored.group.c_str(),
            table.text(row, "framework_config").c_str(), static_cast<long long>(count),
            static_cast<long long>(t.batch), static_cast<long long>(t.sequence),
            static_cast<long long>(t.accumulation), f.tokensPerS.value(), measured,
            f.memory.value() / 1e9, peak / 1e9);
    return scored;
}

/// The given share of the rows misses by at most so much, in percent.
double missAt(std::vector<double> misses, double share)
{
    if (misses.empty())
        return 0;
    for (double& miss : misses)
        miss = 100 * std::abs(std::expm1(miss));
    std::sort(misses.begin(), misses.end());
    return misses[static_cast<std::size_t>(share * static_cast<double>(misses.size() - 1))];
}

double biasOf(std::vector<double> misses)
{
    if (misses.empty())
        return 0;
    std::sort(misses.begin(), misses.end());
    return 100 * std::expm1(misses[misses.size() / 2]);
}

void print(const std::string& group, const std::vector<Row>& rows)
{
    std::vector<double> speed;
    std::vector<double> memory;
    double speedHeld = 0;
    double memoryHeld = 0;
    for (const Row& row : rows) {
        speed.push_back(row.speedMiss);
        speedHeld += row.speedHeld ? 1 : 0;
        memoryHeld += row.memoryHeld ? 1 : 0;
        if (row.hasMemory)
            memory.push_back(row.memoryMiss);
    }
    std::printf("%-22s %5zu %8.1f %8.1f %8.1f %8.1f   %5zu %8.1f %8.1f %8.1f %8.1f\n",
                group.c_str(), speed.size(), missAt(speed, 0.5), missAt(speed, 0.9), biasOf(speed),
                100 * speedHeld / static_cast<double>(speed.size()), memory.size(),
                missAt(memory, 0.5), missAt(memory, 0.9), biasOf(memory),
                memory.empty() ? 0 : 100 * memoryHeld / static_cast<double>(memory.size()));
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("usage: score_tuning FOLDER, with a fine_tuning_a100.csv\n", stderr);
        return 2;
    }
    const auto table = tests::Table::read(std::string(argv[1]) + "/fine_tuning_a100.csv");
    const auto& catalog = core::hardwareCatalog();
    const auto& calibration = core::calibration();
    if (!table || !catalog || !calibration) {
        std::fputs("the rows, the devices or the calibration can't be read\n", stderr);
        return 1;
    }
    const core::Device* device = catalog->find("A100-80GB-SXM4");
    std::map<std::string, std::vector<Row>> groups;
    FitScore fit;
    for (std::size_t row = 0; row < table->size(); ++row) {
        const auto forecast = forecastOf(*table, row, *device, *calibration);
        if (!forecast)
            continue;
        fit.add(*forecast, isCompleted(*table, row));
        if (!isCompleted(*table, row))
            continue;
        if (const auto scored = scoreOf(*table, row, *forecast))
            groups[scored->group].push_back(*scored);
    }
    std::printf("%-22s %5s %8s %8s %8s %8s   %5s %8s %8s %8s %8s\n", "tokens a second", "rows",
                "median", "p90", "bias", "held", "rows", "memory", "p90", "bias", "held");
    for (const auto& [group, rows] : groups)
        print(group, rows);
    fit.print();
    return 0;
}
