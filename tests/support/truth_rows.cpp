// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/truth_rows.h"

namespace outlay::tests {

using namespace outlay::core;

std::optional<Precision> precisionOf(const std::string& text)
{
    if (text == "fp32")
        return Precision::Fp32;
    if (has(text, "TF32") || text == "tf32")
        return Precision::Tf32;
    if (has(text, "bf16"))
        return Precision::Bf16;
    if (text.starts_with("fp16"))
        return Precision::Fp16;
    return std::nullopt;
}

TransformerDesign transformer(const Row& row, TransformerKind kind)
{
    TransformerDesign d;
    d.kind = kind;
    d.vocabulary = row.integer("/config/vocab_size", 30522);
    d.hidden = row.integer("/config/hidden_size");
    d.layers = row.integer("/config/num_hidden_layers", row.number("/config/encoder_layers"));
    d.heads = row.integer("/config/num_attention_heads",
                          std::max(1.0, static_cast<double>(d.hidden) / 64));
    if (const auto inner = row.integer("/config/intermediate_size"))
        d.feedForward = inner;
    if (const auto size = row.integer("/config/head_dim"))
        d.headSize = size;
    d.dropout = kind == TransformerKind::Encoder ? 0.1 : 0;
    d.positionCount = 4096;
    return d;
}

void useLayers(TruthCase& truth, TransformerDesign design)
{
    Model model;
    model.design = std::move(design);
    truth.layers = expand(model);
    truth.model = std::move(model);
}

bool readLayout(const Row& row, TruthCase& truth)
{
    Training& t = truth.training;
    t.tensorParallel = std::max<std::int64_t>(1, row.integer("/config/tp", 1));
    t.pipelineStages = std::max<std::int64_t>(1, row.integer("/config/pp", 1));
    if (*t.tensorParallel * *t.pipelineStages == 1)
        return false;
    t.globalBatch = row.integer("/config/global_batch");
    const std::int64_t copies = truth.count / (*t.tensorParallel * *t.pipelineStages);
    t.batch = row.integer("/config/micro_batch");
    if (t.batch < 1 && *t.pipelineStages > 1)
        truth.doubt = "what its stages run at once isn't said";
    if (t.batch < 1)
        t.batch = std::max<std::int64_t>(1, *t.globalBatch / std::max<std::int64_t>(copies, 1));
    if (const std::int64_t zero = row.integer("/config/zero_stage", -1); zero >= 0)
        t.sharding = zero == 0 ? Sharding::None : Sharding::Optimizer;
    if (row.integer("/config/num_hidden_layers") == 6)
        truth.doubt = "it counts another batch than it says: three times too fast";
    if (*t.globalBatch < 1) {
        t.globalBatch = 1536;
        truth.doubt = "its global batch isn't said";
    }
    return true;
}

} // namespace outlay::tests
