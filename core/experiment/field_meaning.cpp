// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/field_meaning.h"

#include "core/workload/serving_work.h"
#include "core/workload/trained.h"
#include "core/workload/weight_file.h"

#include <algorithm>
#include <array>

namespace outlay::core {
namespace {

/// Of a design of that family.
template <typename Design, bool (*Holds)(const Design&)>
bool unless(const Experiment& e)
{
    const auto* design = std::get_if<Design>(&e.model.design);
    return design == nullptr || !Holds(*design);
}

bool readsText(const RecurrentDesign& d)
{
    return d.vocabulary.has_value();
}
bool readsNumbers(const RecurrentDesign& d)
{
    return !d.vocabulary;
}
bool isOneStack(const TransformerDesign& d)
{
    return !d.hasEncoder();
}
bool hasNoExperts(const TransformerDesign& d)
{
    return d.experts == 0;
}
bool hasNoExpertBeside(const TransformerDesign& d)
{
    return hasNoExperts(d) || d.sharedExpert == 0;
}
bool isEachRouted(const TransformerDesign& d)
{
    return hasNoExperts(d) || (d.denseLayers == 0 && d.expertStep == 1);
}
bool hasNoLatent(const TransformerDesign& d)
{
    return d.latent == 0;
}
bool hasNoBuckets(const TransformerDesign& d)
{
    return d.positionKind() != Positions::Relative;
}
bool hasNoTable(const TransformerDesign& d)
{
    return d.positionKind() != Positions::Learned;
}
bool hasNoWindow(const TransformerDesign& d)
{
    return d.window == 0;
}
bool isAsWide(const TransformerDesign& d)
{
    return d.embeddingWidth() == d.hidden;
}
bool hasNoHead(const TransformerDesign& d)
{
    return !d.hasLanguageHead();
}
bool generatesText(const Experiment& e)
{
    return generates(e.model);
}
bool readsSteps(const Experiment& e)
{
    return !std::holds_alternative<MlpDesign>(e.model.design);
}

bool attends(const Experiment& e)
{
    return std::holds_alternative<TransformerDesign>(e.model.design) ||
           std::holds_alternative<LayerListDesign>(e.model.design);
}

/// With logits of which there are more than what they are made from.
bool predictsTokens(const Experiment& e)
{
    const auto* transformer = std::get_if<TransformerDesign>(&e.model.design);
    return generates(e.model) || (transformer != nullptr && transformer->hasLanguageHead());
}

bool trainsAdapters(const Experiment& e)
{
    return e.training.method == Method::Lora;
}

bool keepsFrozen(const Experiment& e)
{
    return e.training.method != Method::Full;
}

bool trainsAll(const Experiment& e)
{
    return e.training.method == Method::Full;
}

/// The design has blocks that run again.
bool recomputesSome(const Experiment& e)
{
    const std::vector<Layer> layers = expand(e.model);
    return recomputes(e.training) &&
           std::any_of(layers.begin(), layers.end(),
                       [](const Layer& layer) { return layer.block != 0; });
}

/// And leaves something out, unless it is told not to.
bool recomputesBlocks(const Experiment& e)
{
    return recomputes(e.training) && leavesUnread(expand(e.model), e.training);
}

/// Some layer has experts.
bool choosesExperts(const Experiment& e)
{
    return LayerKinds(expand(e.model)).has<Experts>();
}

bool skipsPadding(const Experiment& e)
{
    return attends(e) && e.training.attention != AttentionKernel::Plain;
}

bool countsPasses(const Experiment& e)
{
    return !e.training.globalBatch;
}

bool keepsFewBits(const Experiment& e)
{
    return hasWeightFormat(e.model, e.serving) && e.serving.precision != ServingPrecision::Fp8;
}

bool keepsCommonCaches(const Experiment& e)
{
    return keepsPrefixes(e.model, e.serving);
}

bool choosesServedAttention(const Experiment& e)
{
    return attends(e) && choosesAttention(engineOf(e.model, e.serving));
}

/// Devices that answer together share each layer.
bool sharesLayers(const Experiment& e)
{
    return !worksInTurn(engineOf(e.model, e.serving));
}

/// Tokens of a batch that isn't named, by such an engine.
bool takesIn(const Experiment& e)
{
    return generates(e.model) && e.serving.outputTokens > 1 && !e.serving.batch &&
           takesInAsTheyCome(engineOf(e.model, e.serving));
}

bool mayGuess(const Experiment& e)
{
    return maySpeculate(e.model, e.serving);
}

bool guesses(const Experiment& e)
{
    return guessesOf(e.model, e.serving) > 0;
}

/// Somebody waits for each answer.
bool answersAsTheyCome(const Experiment& e)
{
    return e.plan.running != Running::AtOnce;
}

bool promisesTokens(const Experiment& e)
{
    return generatesText(e) && answersAsTheyCome(e);
}

struct MeaningRow {
    std::string_view pointer;
    bool (*hasMeaning)(const Experiment&);
};

constexpr std::array MeaningRows{
    MeaningRow{"/model/inputs", unless<RecurrentDesign, readsText>},
    MeaningRow{"/model/embedding", unless<RecurrentDesign, readsNumbers>},
    MeaningRow{"/model/decoder_layers", unless<TransformerDesign, isOneStack>},
    MeaningRow{"/model/experts_used", unless<TransformerDesign, hasNoExperts>},
    MeaningRow{"/model/shared_expert", unless<TransformerDesign, hasNoExperts>},
    MeaningRow{"/model/shared_expert_gate", unless<TransformerDesign, hasNoExpertBeside>},
    MeaningRow{"/model/dense_layers", unless<TransformerDesign, hasNoExperts>},
    MeaningRow{"/model/dense_feed_forward", unless<TransformerDesign, isEachRouted>},
    MeaningRow{"/model/expert_step", unless<TransformerDesign, hasNoExperts>},
    MeaningRow{"/model/shared_head_size", unless<TransformerDesign, hasNoLatent>},
    MeaningRow{"/model/position_count", unless<TransformerDesign, hasNoTable>},
    MeaningRow{"/model/relative_buckets", unless<TransformerDesign, hasNoBuckets>},
    MeaningRow{"/model/window_layers", unless<TransformerDesign, hasNoWindow>},
    MeaningRow{"/model/narrow_embeddings", unless<TransformerDesign, isAsWide>},
    MeaningRow{"/model/head_biases", unless<TransformerDesign, hasNoHead>},
    MeaningRow{"/training/accumulation", countsPasses},
    MeaningRow{"/training/master_weights", trainsAll},
    MeaningRow{"/training/recompute_every", recomputesSome},
    MeaningRow{"/training/recomputed", recomputesSome},
    MeaningRow{"/training/reentrant", recomputesBlocks},
    MeaningRow{"/training/attention", attends},
    MeaningRow{"/training/packed", skipsPadding},
    MeaningRow{"/training/expert_parallel", choosesExperts},
    MeaningRow{"/training/chunked_loss", predictsTokens},
    MeaningRow{"/training/adapter_rank", trainsAdapters},
    MeaningRow{"/training/adapter_targets", trainsAdapters},
    MeaningRow{"/training/trained_whole", trainsAdapters},
    MeaningRow{"/training/frozen_weights", keepsFrozen},
    MeaningRow{"/serving/input_tokens", readsSteps},
    MeaningRow{"/serving/output_tokens", generatesText},
    MeaningRow{"/serving/shared_tokens", keepsCommonCaches},
    MeaningRow{"/serving/input_spread", readsSteps},
    MeaningRow{"/serving/output_spread", generatesText},
    MeaningRow{"/serving/weight_format", keepsFewBits},
    MeaningRow{"/serving/attention", choosesServedAttention},
    MeaningRow{"/serving/tensor_parallel", sharesLayers},
    MeaningRow{"/serving/slots", takesIn},
    MeaningRow{"/serving/speculated_tokens", mayGuess},
    MeaningRow{"/serving/acceptance", guesses},
    MeaningRow{"/serving/draft_share", guesses},
    MeaningRow{"/serving/peak_factor", answersAsTheyCome},
    MeaningRow{"/serving/latency_p95_ms", answersAsTheyCome},
    MeaningRow{"/serving/first_token_p95_ms", promisesTokens},
    MeaningRow{"/serving/token_p95_ms", promisesTokens},
};

} // namespace

bool hasMeaning(std::string_view pointer, const Experiment& experiment)
{
    const auto row = std::find_if(MeaningRows.begin(), MeaningRows.end(),
                                  [&](const MeaningRow& one) { return one.pointer == pointer; });
    return row == MeaningRows.end() || row->hasMeaning(experiment);
}

} // namespace outlay::core
