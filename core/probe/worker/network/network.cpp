// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/network.h"

#include "core/probe/worker/network/checkpoint.h"
#include "core/probe/worker/network/transformer_network.h"

#include <algorithm>

namespace outlay::worker {
namespace {

using namespace outlay::core;
using torch::Tensor;

/// Layer after layer: recurrent models, perceptrons, lists of layers.
class ChainNetwork final : public Network {
public:
    ChainNetwork(const Model& model, const std::vector<Layer>& layerList)
        : Network(model, layerList)
    {
        for (std::size_t i = 0; i < layers().size(); ++i)
            addPiece(i, {});
    }

    Tensor forward(const Input& input) override
    {
        Flow flow{.form = form()};
        return run(input.values, flow);
    }

    Tensor step(const Input& input, States& states, std::int64_t offset) override
    {
        Flow flow{.offset = offset, .states = &states, .form = form()};
        return run(input.values, flow);
    }

private:
    Tensor run(Tensor x, Flow& flow)
    {
        std::int64_t block = 0;
        for (std::size_t first = 0; first < layers().size();) {
            const std::size_t end = blockEnd(first);
            const PassPart part = [this, first, end](const Tensor& in, Flow& inner) {
                return runLayers(in, inner, first, end);
            };
            const bool isBlock = layers()[first].block > 0;
            block += isBlock ? 1 : 0;
            x = isBlock && flow.form.checkpoints(block) ? checkpointed(part, x, flow)
                                                        : part(x, flow);
            first = end;
        }
        return x;
    }

    /// Behind the last layer of the block that `first` begins; a layer in no block stands alone.
    [[nodiscard]] std::size_t blockEnd(std::size_t first) const
    {
        std::size_t end = first + 1;
        while (layers()[first].block > 0 && end < layers().size() &&
               layers()[end].block == layers()[first].block)
            ++end;
        return end;
    }

    Tensor runLayers(Tensor x, Flow& flow, std::size_t first, std::size_t end)
    {
        for (std::size_t i = first; i < end; ++i) {
            x = fitted(x, layers()[i]);
            x = pieces()[i]->forward(x, flow);
        }
        return x;
    }

    /// A layer that runs once per sample after layers that ran per token: flattened where its width
    /// says so, else their mean.
    static Tensor fitted(const Tensor& x, const Layer& layer)
    {
        if (layer.stream != Stream::Sample || x.dim() < 3)
            return x;
        const std::int64_t width = inputWidth(layer.spec);
        return width == x.size(1) * x.size(2) ? x.flatten(1) : x.mean(1);
    }
};

} // namespace

Network::Network(const Model& model, std::vector<Layer> layers)
    : m_model(model), m_layers(std::move(layers))
{
    const Layer& first = m_layers.front();
    if (const auto* table = std::get_if<Embedding>(&first.spec))
        m_vocabulary = table->rows;
    m_inputWidth = inputWidth(first.spec);
    const auto isPerToken = [](const Layer& layer) { return layer.stream != Stream::Sample; };
    m_isSequence = std::any_of(m_layers.begin(), m_layers.end(), isPerToken);
    const auto* last = std::get_if<Dense>(&m_layers.back().spec);
    m_isClassifier = last != nullptr && last->use == DenseUse::Logits;
    const auto isMemory = [](const Layer& layer) { return layer.stream == Stream::Memory; };
    m_hasEncoder = std::any_of(m_layers.begin(), m_layers.end(), isMemory);
}

Result<void> Network::check(const Model& model)
{
    for (const Layer& layer : expand(model)) {
        if (std::holds_alternative<Weights>(layer.spec))
            return inputError("the design says how many weights there are, not how they are used",
                              "import the model's config.json and measure that", "/model");
    }
    const auto* list = std::get_if<LayerListDesign>(&model.design);
    return list != nullptr ? checkChain(*list) : Result<void>();
}

Result<std::shared_ptr<Network>> Network::create(const Model& model)
{
    return create(model, expand(model));
}

Result<std::shared_ptr<Network>> Network::create(const Model& model,
                                                 const std::vector<Layer>& layers)
{
    if (const auto buildable = check(model); !buildable)
        return failureOf(buildable);
    if (std::holds_alternative<TransformerDesign>(model.design))
        return makeTransformer(model, layers);
    return std::shared_ptr<Network>(std::make_shared<ChainNetwork>(model, layers));
}

PiecePointer Network::addPiece(std::size_t index, const PieceContext& context)
{
    const Layer& layer = m_layers[index];
    PiecePointer piece = makePiece(layer, context, m_embedding);
    if (m_embedding == nullptr)
        m_embedding = std::dynamic_pointer_cast<EmbeddingPiece>(piece);
    m_pieces.push_back(piece);
    return register_module("layer" + std::to_string(index), piece);
}

Input Network::randomInput(std::int64_t batch, std::int64_t tokens) const
{
    const auto numbers = torch::TensorOptions(torch::kLong);
    Input input;
    if (m_vocabulary > 0)
        input.values = torch::randint(m_vocabulary, {batch, tokens}, numbers);
    else if (m_isSequence)
        input.values = torch::randn({batch, tokens, m_inputWidth});
    else
        input.values = torch::randn({batch, m_inputWidth});
    if (m_hasEncoder)
        input.memory = torch::randint(m_vocabulary, {batch, tokens}, numbers);
    return input;
}

Tensor Network::randomTarget(const Tensor& output) const
{
    if (!m_isClassifier)
        return torch::randn(output.sizes(), output.options().requires_grad(false));
    auto sizes = output.sizes().vec();
    sizes.pop_back();
    return torch::randint(output.size(-1), sizes,
                          output.options().dtype(torch::kLong).requires_grad(false));
}

Tensor Network::loss(const Tensor& output, const Tensor& target) const
{
    if (!m_isClassifier)
        return torch::mse_loss(output, target);
    return torch::cross_entropy_loss(output.reshape({-1, output.size(-1)}), target.reshape({-1}));
}

bool Network::saysTokens() const
{
    const auto* last = std::get_if<Dense>(&m_layers.back().spec);
    return m_isClassifier && m_vocabulary > 0 && last->outputs == m_vocabulary;
}

std::int64_t Network::elementCount() const
{
    std::int64_t count = 0;
    for (const Tensor& parameter : parameters())
        count += parameter.numel();
    for (const Tensor& buffer : buffers())
        count += buffer.numel();
    return count;
}

} // namespace outlay::worker
