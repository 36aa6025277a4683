// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fit/kernel_rows.h"

#include "core/base/units.h"
#include "core/hardware/hardware_catalog.h"
#include "core/workload/work.h"
#include "tests/support/table.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace outlay::tests {
namespace {

using namespace outlay::core;

struct System {
    double bytesPerS = 0;
    double halfFlopsPerS = 0;
    double fp8FlopsPerS = 0;
    double fp4FlopsPerS = 0;
    double linkBytesPerS = 0;
};
using Systems = std::map<std::string, System>;

Systems systemsOf(const Table& table)
{
    Systems systems;
    for (std::size_t i = 0; i < table.size(); ++i)
        systems[table.text(i, "system")] = {
            .bytesPerS = table.number(i, "memory_bandwidth_bytes_per_s"),
            .halfFlopsPerS = table.number(i, "bf16_flop_per_s"),
            .fp8FlopsPerS = table.number(i, "fp8_flop_per_s"),
            .fp4FlopsPerS = table.number(i, "fp4_flop_per_s"),
            .linkBytesPerS = table.number(i, "intra_node_bytes_per_s")};
    return systems;
}

constexpr int Engines = 3;

int engineOf(const std::string& framework)
{
    constexpr std::array<std::string_view, Engines> Names{"SGLang", "vLLM", "TensorRT-LLM"};
    const auto* found = std::find(Names.begin(), Names.end(), framework);
    return found == Names.end() ? 0 : static_cast<int>(found - Names.begin());
}

/// What rows of all tables have in common.
KernelRow rowOf(const Table& table, std::size_t i, const Systems& systems)
{
    KernelRow row;
    row.system = table.text(i, "system");
    const System& on = systems.at(row.system);
    const ListedSystem facts = listed(row.system);
    row.peaks = {.flopsPerS = on.halfFlopsPerS,
                 .bytesPerS = on.bytesPerS,
                 .fp32FlopsPerS = facts.fp32FlopsPerS,
                 .latencies = core::KernelsGhz / facts.ghz,
                 .units = facts.units,
                 .cacheBytes = facts.cacheBytes};
    row.linkBytesPerS = on.linkBytesPerS;
    row.engine = engineOf(table.text(i, "framework"));
    row.seconds = table.number(i, "latency_us") / 1e6;
    return row;
}

bool isSustained(const Table& table, std::size_t i)
{
    return !table.text(i, "power_w").empty();
}

/// Those that have the power for long products: cards of 75 W reach half of what theirs list.
const Device* deviceOf(const std::string& name)
{
    constexpr std::array Names{std::pair{"P100", "P100-PCIe-16GB"},
                               std::pair{"V100", "V100-PCIe-32GB"},
                               std::pair{"A100-PCIe-40GB", "A100-40GB-PCIe"}};
    const auto* found = std::find_if(Names.begin(), Names.end(),
                                     [&](const auto& one) { return name == one.first; });
    return found == Names.end() ? nullptr : hardwareCatalog()->find(found->second);
}

/// Products in 32 bits, one by one, and so long that what their host does is a small part.
void addFullProducts(const Table& table, const Systems& /*systems*/, std::vector<KernelRow>& rows)
{
    constexpr double Least = 200 * Micro;
    for (std::size_t i = 0; i < table.size(); ++i) {
        const std::string& operation = table.text(i, "operation");
        const Device* device = deviceOf(table.text(i, "gpu"));
        if (device == nullptr || (operation != "linear" && operation != "bmm"))
            continue;
        KernelRow row;
        row.kind = KernelKind::Full;
        row.system = device->name;
        row.peaks = Peaks{device->fp32Tflops.value_or(0) * 1000 * Giga,
                          device->memoryGbPerS.value_or(0) * Giga};
        row.shape = ProductShape{.rows = table.number(i, "rows"),
                                 .columns = table.number(i, "cols"),
                                 .inner = table.number(i, "inner"),
                                 .valueBytes = 4,
                                 .count = std::max(1.0, table.number(i, "batch"))};
        row.seconds = table.number(i, "latency_us") * Micro;
        if (row.seconds > Least)
            rows.push_back(row);
    }
}

void addProducts(const Table& table, const Systems& systems, std::vector<KernelRow>& rows)
{
    constexpr double Fp4Bytes = 0.5625; // with its scales
    for (std::size_t i = 0; i < table.size(); ++i) {
        KernelRow row = rowOf(table, i, systems);
        const std::string& type = table.text(i, "dtype");
        ProductShape shape{.rows = table.number(i, "m"),
                           .columns = table.number(i, "n"),
                           .inner = table.number(i, "k")};
        if (type == "fp8") {
            row.kind = KernelKind::Fp8;
            row.peaks.flopsPerS = systems.at(row.system).fp8FlopsPerS;
            row.peaks = narrowed(row.peaks, listed(row.system), *calibration());
            shape.valueBytes = 1;
        } else if (type == "nvfp4") {
            row.kind = KernelKind::Fp4;
            row.peaks.flopsPerS = systems.at(row.system).fp4FlopsPerS;
            shape.valueBytes = Fp4Bytes;
        } else if (type != "bfloat16") {
            continue;
        }
        row.shape = shape;
        if (isSustained(table, i))
            continue;
        rows.push_back(row);
        if (row.kind == KernelKind::Fp8) { // by another law, too
            row.kind = KernelKind::Fp8Tiles;
            rows.push_back(row);
        }
    }
}

void addAttention(const Table& table, const Systems& systems, std::vector<KernelRow>& rows)
{
    for (std::size_t i = 0; i < table.size(); ++i) {
        KernelRow row = rowOf(table, i, systems);
        row.kind = table.text(i, "phase") == "context" ? KernelKind::Prompt : KernelKind::Cache;
        row.shape = AttentionCall{.shape = {.batch = table.number(i, "batch"),
                                            .queries = table.number(i, "new_tokens"),
                                            .past = table.number(i, "past_tokens"),
                                            .heads = table.number(i, "q_heads"),
                                            .headSize = table.number(i, "head_size"),
                                            .window = table.number(i, "window")},
                                  .cacheHeads = table.number(i, "kv_heads")};
        if (table.text(i, "kv_dtype") != "fp8" && !isSustained(table, i))
            rows.push_back(row);
    }
}

double skewOf(const std::string& distribution)
{
    constexpr std::string_view Law = "power_law_";
    return distribution.rfind(Law, 0) == 0 ? std::strtod(distribution.c_str() + Law.size(), nullptr)
                                           : 0;
}

void addExperts(const Table& table, const Systems& systems, std::vector<KernelRow>& rows)
{
    for (std::size_t i = 0; i < table.size(); ++i) {
        KernelRow row = rowOf(table, i, systems);
        row.kind = KernelKind::Experts;
        const bool isGated = table.text(i, "kernel").find("nongated") == std::string::npos;
        const auto count = [&](const char* column) {
            return static_cast<std::int64_t>(table.number(i, column));
        };
        row.shape = ExpertsShape{
            .experts = {.expert = {.width = count("hidden"),
                                   .inner = count("expert_inner") / count("tensor_parallel"),
                                   .gated = isGated},
                        .count = count("experts"),
                        .used = count("top_k")},
            .tokens = table.number(i, "tokens"),
            .devices = table.number(i, "expert_parallel"),
            .skew = skewOf(table.text(i, "distribution"))};
        if (table.text(i, "dtype") == "bfloat16" && !isSustained(table, i))
            rows.push_back(row);
    }
}

/// Kernels that any framework may call, not those made by hand for two generations; convolutions are no part of it.
void addRecurrences(const Table& table, const Systems& systems, std::vector<KernelRow>& rows)
{
    for (std::size_t i = 0; i < table.size(); ++i) {
        KernelRow row = rowOf(table, i, systems);
        const std::string& kernel = table.text(i, "kernel");
        const bool isChunked = kernel.rfind("chunk_", 0) == 0;
        if (!isChunked && kernel.rfind("fused_recurrent_", 0) != 0)
            continue;
        row.kind = isChunked ? KernelKind::Chunks : KernelKind::States;
        row.shape = GatedShape{.batch = table.number(i, "batch"),
                               .positions = table.number(i, "seq_len"),
                               .keyHeads = table.number(i, "k_heads"),
                               .heads = table.number(i, "v_heads"),
                               .key = table.number(i, "k_head_size"),
                               .value = table.number(i, "v_head_size")};
        if (kernel.find("flashinfer") == std::string::npos)
            rows.push_back(row);
    }
}

void addExchanges(const Table& table, const Systems& systems, std::vector<KernelRow>& rows)
{
    constexpr double WidestBus = 64e9;
    constexpr std::array Names{
        std::pair{"all_reduce", Exchange::Sum}, std::pair{"all_gather", Exchange::Gather},
        std::pair{"reduce_scatter", Exchange::Scatter}, std::pair{"alltoall", Exchange::AllToAll}};
    for (std::size_t i = 0; i < table.size(); ++i) {
        KernelRow row = rowOf(table, i, systems);
        row.kind = row.linkBytesPerS > WidestBus  ? KernelKind::Link
                   : table.number(i, "gpus") == 2 ? KernelKind::Pair
                                                  : KernelKind::Bus;
        const auto* name = std::find_if(Names.begin(), Names.end(), [&](const auto& one) {
            return table.text(i, "operation") == one.first;
        });
        if (name == Names.end() || table.text(i, "library") != "NCCL")
            continue;
        row.shape = ExchangeShape{.kind = name->second,
                                  .devices = table.number(i, "gpus"),
                                  .bytes = table.number(i, "message_bytes")};
        rows.push_back(row);
    }
}

} // namespace

Result<std::vector<KernelRow>> kernelRowsIn(const std::string& folder)
{
    using Adder = void (*)(const Table&, const Systems&, std::vector<KernelRow>&);
    constexpr std::array<std::pair<const char*, Adder>, 6> Files{
        std::pair{"operators_fp32.csv", &addFullProducts},
        std::pair{"gemm.csv", &addProducts},
        std::pair{"attention.csv", &addAttention},
        std::pair{"moe.csv", &addExperts},
        std::pair{"collectives.csv", &addExchanges},
        std::pair{"linear_attention.csv", &addRecurrences}};
    const auto listed = Table::read(folder + "/systems.csv");
    if (!listed)
        return tl::unexpected<Error>(listed.error());
    const Systems systems = systemsOf(*listed);
    std::vector<KernelRow> rows;
    for (const auto& [name, add] : Files) {
        const auto table = Table::read(folder + "/" + name);
        if (!table)
            return tl::unexpected<Error>(table.error());
        add(*table, systems, rows);
    }
    return rows;
}

Place placeOf(const KernelRow& row)
{
    struct Sizes {
        Place operator()(const ProductShape& s) const { return {s.rows, s.columns, s.inner}; }
        Place operator()(const AttentionCall& c) const
        {
            const double seen = c.shape.pairs() / c.shape.queries;
            const double group = c.shape.heads / c.cacheHeads; // over a cache it chooses the kernel
            return {c.shape.batch,
                    c.shape.queries,
                    seen,
                    c.shape.heads,
                    c.cacheHeads,
                    c.shape.headSize,
                    c.shape.window > 0 ? 2.0 : 1.0,
                    c.shape.queries > 1 ? 1 : group * group};
        }
        Place operator()(const ExpertsShape& s) const
        {
            return {s.tokens,
                    expertsChosen(s.experts, s.tokens),
                    real(s.experts.expert.width),
                    real(s.experts.expert.inner),
                    s.devices,
                    std::exp2(s.skew)};
        }
        Place operator()(const GatedShape& s) const { return {s.batch, s.positions, s.heads}; }
        Place operator()(const ExchangeShape& s) const
        {
            return {s.bytes, s.devices * s.devices, std::exp2(static_cast<double>(s.kind))};
        }
    };
    Place place = std::visit(Sizes{}, row.shape);
    for (double& size : place)
        size = std::log2(std::max(size, 1.0));
    constexpr double Apart = 4; // of two engines along both their axes: they are 0.3 alike
    for (int engine = 0; engine < Engines; ++engine)
        place.push_back(engine == row.engine ? Apart : 0);
    return place;
}

} // namespace outlay::tests
