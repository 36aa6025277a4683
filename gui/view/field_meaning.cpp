// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/field_meaning.h"

#include "core/workload/serving_work.h"

#include <algorithm>
#include <array>

namespace outlay::gui {
namespace {

using core::Experiment;
using core::RecurrentDesign;
using core::TransformerDesign;

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
bool hasNoBuckets(const TransformerDesign& d)
{
    return d.positionKind() != core::Positions::Relative;
}
bool hasNoTable(const TransformerDesign& d)
{
    return d.positionKind() != core::Positions::Learned;
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
    return core::generates(e.model);
}
bool readsSteps(const Experiment& e)
{
    return !std::holds_alternative<core::MlpDesign>(e.model.design);
}

bool attends(const Experiment& e)
{
    return std::holds_alternative<TransformerDesign>(e.model.design) ||
           std::holds_alternative<core::LayerListDesign>(e.model.design);
}

bool trainsAdapters(const Experiment& e)
{
    return e.training.method == core::Method::Lora;
}

bool keepsFrozen(const Experiment& e)
{
    return e.training.method != core::Method::Full;
}

bool trainsAll(const Experiment& e)
{
    return e.training.method == core::Method::Full;
}

struct Row {
    std::string_view pointer;
    bool (*hasMeaning)(const Experiment&);
};

constexpr std::array Rows{
    Row{"/model/inputs", unless<RecurrentDesign, readsText>},
    Row{"/model/embedding", unless<RecurrentDesign, readsNumbers>},
    Row{"/model/decoder_layers", unless<TransformerDesign, isOneStack>},
    Row{"/model/experts_used", unless<TransformerDesign, hasNoExperts>},
    Row{"/model/position_count", unless<TransformerDesign, hasNoTable>},
    Row{"/model/relative_buckets", unless<TransformerDesign, hasNoBuckets>},
    Row{"/model/window_layers", unless<TransformerDesign, hasNoWindow>},
    Row{"/model/narrow_embeddings", unless<TransformerDesign, isAsWide>},
    Row{"/model/head_biases", unless<TransformerDesign, hasNoHead>},
    Row{"/training/master_weights", trainsAll},
    Row{"/training/attention", attends},
    Row{"/training/adapter_rank", trainsAdapters},
    Row{"/training/adapter_targets", trainsAdapters},
    Row{"/training/frozen_weights", keepsFrozen},
    Row{"/serving/input_tokens", readsSteps},
    Row{"/serving/output_tokens", generatesText},
};

} // namespace

bool hasMeaning(std::string_view pointer, const Experiment& experiment)
{
    const auto row = std::find_if(Rows.begin(), Rows.end(),
                                  [&](const Row& one) { return one.pointer == pointer; });
    return row == Rows.end() || row->hasMeaning(experiment);
}

} // namespace outlay::gui
