// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/recurrent_design.h"

#include "core/model/limits.h"

namespace outlay::core {

std::int64_t biasSets(Convention convention, Cell cell)
{
    return convention == Convention::PyTorch || cell == Cell::Gru ? 2 : 1;
}

std::int64_t RecurrentDesign::hiddenOf(std::int64_t layer) const
{
    if (hidden.empty())
        return 0;
    return hidden.size() == 1 ? hidden.front() : hidden.at(static_cast<std::size_t>(layer));
}

std::int64_t RecurrentDesign::outputOf(std::int64_t layer) const
{
    return projection > 0 ? projection : hiddenOf(layer);
}

void describe(FieldVisitor& v, RecurrentDesign& d)
{
    v.integer(
        optional("vocabulary", "size of the vocabulary (text; else give `inputs`)", Vocabularies),
        d.vocabulary);
    v.integer(
        optional("embedding", "width of the embedding (default: the first state size)", Widths),
        d.embedding);
    v.integer(optional("inputs", "numbers per step, where there is no vocabulary", Widths),
              d.inputs);
    v.integers(required("hidden", "state size (one number, or one for each layer)", Widths),
               d.hidden);
    v.integer(optional("layers", "number of recurrent layers", LayerCounts), d.layers);
    v.flag({"bidirectional", "runs in both directions"}, d.bidirectional);
    v.integer(
        optional("projection", "projected size of an LSTM's output (0: none)", OptionalWidths),
        d.projection);
    v.flag({"tied_embeddings", "the output layer shares the embedding's matrix"}, d.tiedEmbeddings);
    v.number({"dropout", "share dropped after each recurrent layer", 0, LargestDropout}, d.dropout);
    v.integers(optional("head", "sizes of the dense layers before the last one", Widths), d.head);
    v.integer(
        optional("outputs", "number of outputs (default: the vocabulary, else 1)", Vocabularies),
        d.outputs);
    v.choice(optional("output_at", "steps with an output", {}), d.outputAt, OutputAtNames);
}

RecurrentDesign resolved(RecurrentDesign d)
{
    if (d.vocabulary && !d.hidden.empty())
        d.embedding = d.embeddingWidth();
    d.outputs = d.outputCount();
    return d;
}

Result<void> check(const RecurrentDesign& d)
{
    const auto count = static_cast<std::int64_t>(d.hidden.size());
    if (count == 0)
        return inputError("the list of state sizes is empty", "give one size", "/hidden");
    if (count > 1 && count != d.layers)
        return inputError("there are " + std::to_string(count) + " state sizes for " +
                              std::to_string(d.layers) + " layers",
                          "give one size, or one for each layer", "/hidden");
    if (d.projection > 0 && d.cell != Cell::Lstm)
        return inputError("only an LSTM has a projected output", "leave `projection` out",
                          "/projection");
    for (std::int64_t i = 0; i < d.layers; ++i) {
        if (d.projection >= d.hiddenOf(i))
            return inputError("the projected size is not smaller than the state size",
                              "give a size below " + std::to_string(d.hiddenOf(i)), "/projection");
    }
    if (!d.tiedEmbeddings)
        return {};
    const std::int64_t last =
        d.head.empty() ? d.outputOf(d.layers - 1) * (d.bidirectional ? 2 : 1) : d.head.back();
    if (!d.vocabulary || d.outputCount() != *d.vocabulary || last != d.embeddingWidth())
        return inputError("the output layer can't share the embedding's matrix: it is " +
                              std::to_string(d.outputCount()) + " x " + std::to_string(last),
                          "make the last layer as wide as the embedding, or untie them",
                          "/tied_embeddings");
    return {};
}

std::vector<Layer> expand(const RecurrentDesign& d, Convention convention)
{
    std::vector<Layer> layers;
    const bool isText = d.vocabulary.has_value();
    std::int64_t width = isText ? d.embeddingWidth() : d.inputs;
    if (isText)
        layers.push_back({"embedding", Embedding{*d.vocabulary, width}});
    const bool isLast = d.outputAt == OutputAt::Last;
    for (std::int64_t i = 0; i < d.layers; ++i) {
        const Recurrent layer{.cell = d.cell,
                              .inputs = width,
                              .hidden = d.hiddenOf(i),
                              .projection = d.projection,
                              .biasSets = biasSets(convention, d.cell),
                              .bidirectional = d.bidirectional,
                              .returnsSequence = !isLast || i + 1 < d.layers};
        const std::string number = std::to_string(i + 1);
        layers.push_back({std::string(kindOf(layer)) + " " + number, layer, Stream::Tokens, i + 1});
        width = layer.output() * layer.directions();
        if (d.dropout > 0)
            layers.push_back({"dropout " + number, Dropout{width, d.dropout},
                              layer.returnsSequence ? Stream::Tokens : Stream::Sample, i + 1});
    }
    const Stream stream = isLast ? Stream::Sample : Stream::Tokens;
    for (std::size_t i = 0; i < d.head.size(); ++i) {
        layers.push_back({"dense " + std::to_string(i + 1),
                          Dense{.inputs = width, .outputs = d.head[i], .activation = true},
                          stream});
        width = d.head[i];
    }
    // Predicting a vocabulary is a classification; other outputs are numbers.
    const DenseUse use = isText && d.outputCount() > 1 ? DenseUse::Logits : DenseUse::Inner;
    layers.push_back(
        {"output",
         Dense{.inputs = width, .outputs = d.outputCount(), .tied = d.tiedEmbeddings, .use = use},
         stream});
    return layers;
}

} // namespace outlay::core
