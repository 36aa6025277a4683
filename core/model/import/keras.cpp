// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/import/keras.h"

#include "core/base/text.h"
#include "core/model/import/config_reader.h"
#include "core/model/import/fit_family.h"
#include "core/model/import/keras_graph.h"

#include <algorithm>

namespace outlay::core {
namespace {

/// A layer's output without the batch: one entry for features, two for steps and features.
using Shape = std::vector<std::optional<std::int64_t>>;

constexpr std::array<std::string_view, 16> WithoutWork{
    "InputLayer", "Activation", "ReLU",    "LeakyReLU",    "ELU",     "Softmax",
    "Masking",    "NotEqual",   "Add",     "Subtract",     "Average", "ActivityRegularization",
    "Multiply",   "Maximum",    "Minimum", "GaussianNoise"};
constexpr std::array<std::string_view, 4> DropoutClasses{"Dropout", "SpatialDropout1D",
                                                         "GaussianDropout", "AlphaDropout"};

bool isOneOf(std::string_view word, std::span<const std::string_view> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Reads [null, 50, 100], without the batch; nothing when there is none.
std::optional<Shape> shapeOf(const Json* json)
{
    const Json::Array* list = json == nullptr ? nullptr : json->asArray();
    constexpr std::size_t MostAxes = 8;
    if (list == nullptr || list->empty() || list->size() > MostAxes)
        return std::nullopt;
    // A model with several inputs nests its shapes; the first is this layer's.
    if (list->front().asArray() != nullptr)
        return shapeOf(&list->front());
    Shape shape;
    for (std::size_t i = 1; i < list->size(); ++i) {
        const std::int64_t* size = (*list)[i].asInteger();
        const bool isSize =
            size != nullptr && *size > 0 && static_cast<double>(*size) <= Widths.high;
        shape.push_back(isSize ? std::optional(*size) : std::nullopt);
    }
    return shape;
}

/// Walks the graph, appending what each layer holds and tracking the shapes between them.
class Walker {
public:
    explicit Walker(const KerasGraph& graph) : m_graph(graph) {}

    Result<void> run()
    {
        for (const KerasNode& node : m_graph.nodes) {
            Shape input = inputOf(node);
            ConfigReader config(*node.config, childPointer(node.pointer, "config"));
            const std::size_t before = m_layers.size();
            if (auto outcome = layer(node, node.className, config, input); !outcome)
                return outcome;
            const bool hasWeights = m_layers.size() > before && node.className != "Dropout";
            if (hasWeights && !config.flag({"trainable"}, true))
                m_frozen.push_back(printable(node.name, 60));
            if (config.error())
                return tl::unexpected<Error>(*config.error());
            m_shapes.push_back(std::move(input));
        }
        return {};
    }

    [[nodiscard]] std::vector<Layer> takeLayers() { return std::move(m_layers); }
    [[nodiscard]] std::optional<std::int64_t> steps() const { return m_steps; }
    [[nodiscard]] const std::vector<std::string>& skipped() const { return m_skipped; }
    /// Layers with weights that the file says aren't trained.
    [[nodiscard]] const std::vector<std::string>& frozen() const { return m_frozen; }

private:
    Shape inputOf(const KerasNode& node) const
    {
        if (node.sources.size() > 1 && node.className == "Concatenate")
            return concatenated(node);
        if (!node.sources.empty())
            return m_shapes[node.sources.front()];
        for (const char* key : {"batch_shape", "batch_input_shape"}) {
            if (auto shape = shapeOf(node.config->find(key)))
                return *shape;
        }
        return shapeOf(node.buildShape).value_or(Shape{});
    }

    /// Along the features (Keras's default) or along the steps.
    Shape concatenated(const KerasNode& node) const
    {
        Shape shape = m_shapes[node.sources.front()];
        const Json* axis = node.config->find("axis");
        const bool isSteps = axis != nullptr && *axis == Json(1) && shape.size() == 2;
        for (std::size_t i = 1; i < node.sources.size() && !shape.empty(); ++i) {
            const Shape& other = m_shapes[node.sources[i]];
            auto& size = isSteps ? shape.front() : shape.back();
            const bool isKnown =
                size && other.size() == shape.size() && (isSteps ? other.front() : other.back());
            size = isKnown ? std::optional(*size + *(isSteps ? other.front() : other.back()))
                           : std::nullopt;
        }
        return shape;
    }

    Result<void> layer(const KerasNode& node, const std::string& kind, ConfigReader& config,
                       Shape& shape)
    {
        if (shape.size() > 2 && kind != "Flatten")
            return unsupported(node, "inputs with " + std::to_string(shape.size()) + " axes");
        if (kind == "Embedding")
            return embedding(node, config, shape);
        if (const auto cell = cellOf(kind))
            return recurrent(node, kind, *cell, config, shape, Direction::Forward);
        if (kind == "Bidirectional" || kind == "TimeDistributed")
            return wrapper(node, kind, config, shape);
        if (kind == "Dense")
            return dense(node, config, shape);
        if (kind.ends_with("Normalization"))
            return normalization(node, kind, config, shape);
        if (isOneOf(kind, DropoutClasses)) {
            if (!shape.empty() && shape.back())
                add(node, Dropout{*shape.back(), config.share({"rate"}, 0.5)}, shape);
            return {};
        }
        if (isOneOf(kind, WithoutWork) || kind == "Concatenate") {
            if (kind != "InputLayer")
                m_skipped.push_back(printable(node.name, 60) + " (" + printable(kind, 60) + ")");
            noteSteps(shape);
            return {};
        }
        return reshaping(node, kind, config, shape);
    }

    enum class Direction { Forward, Both };

    static std::optional<Cell> cellOf(std::string_view kind)
    {
        if (kind == "LSTM" || kind == "CuDNNLSTM")
            return Cell::Lstm;
        if (kind == "GRU" || kind == "CuDNNGRU")
            return Cell::Gru;
        return kind == "SimpleRNN" ? std::optional(Cell::Rnn) : std::nullopt;
    }

    Result<void> embedding(const KerasNode& node, ConfigReader& config, Shape& shape)
    {
        const auto rows = required(config, "input_dim", Vocabularies);
        const auto width = required(config, "output_dim", Widths);
        if (shape.size() > 1)
            return unsupported(node, "an embedding of a table of tokens");
        if (shape.empty())
            shape.emplace_back(config.size({"input_length"}, Widths));
        shape.emplace_back(width);
        add(node, Embedding{rows, width}, shape);
        return {};
    }

    Result<void> recurrent(const KerasNode& node, const std::string& kind, Cell cell,
                           ConfigReader& config, Shape& shape, Direction direction)
    {
        if (shape.size() != 2 || !shape.back())
            return unknownShape(node);
        Recurrent layer{.cell = cell,
                        .inputs = *shape.back(),
                        .hidden = required(config, "units", Widths),
                        .biasSets = biasSetsOf(kind, cell, config),
                        .bidirectional = direction == Direction::Both,
                        .returnsSequence = config.flag({"return_sequences"}, false)};
        noteSteps(shape);
        ++m_block;
        m_layers.push_back({printable(node.name, 60), layer, Stream::Tokens, m_block});
        shape.back() = layer.hidden;
        if (!layer.returnsSequence)
            shape.erase(shape.begin());
        return {};
    }

    std::int64_t biasSetsOf(const std::string& kind, Cell cell, ConfigReader& config) const
    {
        if (kind.starts_with("CuDNN"))
            return 2;
        if (!config.flag({"use_bias"}, true))
            return 0;
        if (cell != Cell::Gru)
            return 1;
        // `reset_after` came with Keras 2.2; before, a GRU had one bias.
        const std::string& version = m_graph.kerasVersion;
        const bool isOld = version.starts_with("2.0.") || version.starts_with("2.1.");
        return config.flag({"reset_after"}, !isOld) ? 2 : 1;
    }

    Result<void> wrapper(const KerasNode& node, const std::string& kind, ConfigReader& config,
                         Shape& shape)
    {
        const Json* child = config.find({"layer"});
        const Json* name = child == nullptr ? nullptr : child->find("class_name");
        const Json* inner = child == nullptr ? nullptr : child->find("config");
        if (name == nullptr || name->asString() == nullptr || inner == nullptr ||
            inner->asObject() == nullptr)
            return inputError("the wrapper holds no layer", "save the model again",
                              childPointer(node.pointer, "config"));
        const std::string& kindInside = *name->asString();
        ConfigReader config2(*inner, childPointer(node.pointer, "config") + "/layer/config");
        const auto cell = cellOf(kindInside);
        Result<void> outcome;
        if (kind == "Bidirectional" && cell) {
            outcome = recurrent(node, kindInside, *cell, config2, shape, Direction::Both);
            const std::string merge = config.text({"merge_mode"}, "concat");
            const Json* mode = inner == nullptr ? nullptr : node.config->find("merge_mode");
            if (mode != nullptr && mode->isNull())
                return unsupported(node, "two directions that are not merged");
            if (config.find({"backward_layer"}) != nullptr)
                return unsupported(node, "a backward layer of its own");
            if (outcome && merge == "concat" && shape.back())
                *shape.back() *= 2;
        } else if (kind == "TimeDistributed" && !cell && shape.size() == 2 &&
                   kindInside != "Bidirectional" && kindInside != "TimeDistributed") {
            outcome = layer(node, kindInside, config2, shape);
        } else {
            return unsupported(node, kind + " around " + printable(kindInside, 60));
        }
        if (outcome && config2.error())
            return tl::unexpected<Error>(*config2.error());
        return outcome;
    }

    Result<void> dense(const KerasNode& node, ConfigReader& config, Shape& shape)
    {
        if (shape.empty() || !shape.back())
            return unknownShape(node);
        const auto units = required(config, "units", Vocabularies);
        // An activation may be a layer's own object; what kind it is makes no difference here.
        const Json* given = config.find({"activation"});
        const bool isText = given != nullptr && given->asString() != nullptr;
        const std::string activation = isText             ? *given->asString()
                                       : given == nullptr ? "linear"
                                                          : "other";
        const bool isClassifier = activation == "softmax";
        const Dense layer{.inputs = *shape.back(),
                          .outputs = units,
                          .bias = config.flag({"use_bias"}, true),
                          .activation = activation != "linear" && !isClassifier,
                          .use = isClassifier ? DenseUse::Logits : DenseUse::Inner};
        shape.back() = units;
        add(node, layer, shape);
        return {};
    }

    Result<void> normalization(const KerasNode& node, const std::string& kind, ConfigReader& config,
                               Shape& shape)
    {
        if (shape.empty() || !shape.back())
            return unknownShape(node);
        const bool isBatch = kind == "BatchNormalization";
        const bool isRms = kind == "RMSNormalization";
        if (!isBatch && !isRms && kind != "LayerNormalization")
            return unsupported(node, printable(kind, 60));
        if (!isAlongFeatures(config.find({"axis"}), shape.size() + 1))
            return unsupported(node, kind + " along another axis than the last");
        const bool isScaled = kind == "LayerNormalization" && config.flag({"rms_scaling"}, false);
        // Keras counts the moving mean and variance among a batch norm's parameters.
        add(node,
            Norm{.kind = isBatch ? NormKind::Batch
                         : isRms ? NormKind::Rms
                                 : NormKind::Layer,
                 .width = *shape.back(),
                 .scale = config.flag({"scale"}, true),
                 .bias = !isRms && !isScaled && config.flag({"center"}, true),
                 .statistics = isBatch ? 2 : 0},
            shape);
        return {};
    }

    /// Whether `axis` names the last of `axes` (the batch is one of them), which is the default.
    static bool isAlongFeatures(const Json* axis, std::size_t axes)
    {
        if (axis == nullptr)
            return true;
        const Json::Array* list = axis->asArray();
        if (list != nullptr)
            return list->size() == 1 && isAlongFeatures(&list->front(), axes);
        return *axis == Json(-1) || *axis == Json(static_cast<std::int64_t>(axes) - 1);
    }

    /// Layers without weights that change the shape.
    Result<void> reshaping(const KerasNode& node, const std::string& kind, ConfigReader& config,
                           Shape& shape)
    {
        if (kind == "Flatten") {
            double product = 1;
            for (const auto& size : shape)
                product *= size ? static_cast<double>(*size) : 0;
            if (product < 1 || product > Widths.high)
                return unknownShape(node);
            shape = {static_cast<std::int64_t>(product)};
        } else if (kind == "RepeatVector") {
            if (shape.size() != 1)
                return unknownShape(node);
            shape.insert(shape.begin(), required(config, "n", Widths));
        } else if (kind == "GlobalAveragePooling1D" || kind == "GlobalMaxPooling1D") {
            if (shape.size() != 2)
                return unknownShape(node);
            shape.erase(shape.begin());
        } else {
            return unsupported(node, printable(kind, 60));
        }
        m_skipped.push_back(printable(node.name, 60) + " (" + kind + ")");
        return {};
    }

    std::int64_t required(ConfigReader& config, std::string_view key, Limits limits)
    {
        const auto value = config.size({key}, limits);
        if (!value)
            config.fail(key, "the size is missing", "add it");
        return value.value_or(1);
    }

    void add(const KerasNode& node, LayerSpec spec, const Shape& shape)
    {
        noteSteps(shape);
        m_layers.push_back(
            {printable(node.name, 60), spec, shape.size() > 1 ? Stream::Tokens : Stream::Sample});
    }

    void noteSteps(const Shape& shape)
    {
        if (!m_steps && shape.size() == 2)
            m_steps = shape.front();
    }

    static Result<void> unsupported(const KerasNode& node, const std::string& what)
    {
        return inputError("the layer " + inQuotes(node.name) + " (" + what + ") can't be imported",
                          "Embedding, LSTM, GRU, SimpleRNN, Bidirectional, TimeDistributed, Dense, "
                          "Dropout, Flatten and normalisations can",
                          node.pointer);
    }

    static Result<void> unknownShape(const KerasNode& node)
    {
        return inputError("the input shape of " + inQuotes(node.name) + " is unknown",
                          "build the model before saving it", node.pointer);
    }

    const KerasGraph& m_graph;
    std::vector<Shape> m_shapes;
    std::vector<Layer> m_layers;
    std::vector<std::string> m_skipped;
    std::vector<std::string> m_frozen;
    std::optional<std::int64_t> m_steps;
    std::int64_t m_block = 0;
};

} // namespace

Result<Imported> importKeras(const Json& json)
{
    const auto graph = readKerasGraph(json);
    if (!graph)
        return failureOf(graph);
    Walker walker(*graph);
    if (const auto outcome = walker.run(); !outcome)
        return failureOf(outcome);
    std::vector<Layer> layers = walker.takeLayers();
    if (layers.empty())
        return inputError("the model has no layer with weights", "import a model that has one");
    Imported imported;
    imported.name = graph->name.empty() ? "Keras model" : printable(graph->name, 100);
    imported.sequence = walker.steps();
    if (!walker.skipped().empty()) {
        const std::vector<std::string_view> words(walker.skipped().begin(), walker.skipped().end());
        imported.notes.push_back("layers without weights were left out: " + joined(words, ", ") +
                                 ".");
    }
    if (!walker.frozen().empty()) {
        const std::vector<std::string_view> words(walker.frozen().begin(), walker.frozen().end());
        imported.notes.push_back("the file says that these aren't trained, and they are counted as "
                                 "trained: " +
                                 joined(words, ", ") + ".");
    }
    imported.model.convention = Convention::Keras;
    if (auto design = fitFamily(layers, Convention::Keras)) {
        imported.model.design = std::move(*design);
    } else {
        imported.notes.emplace_back(
            "no family has exactly these layers, so they are kept as a list.");
        imported.model.design = LayerListDesign{std::move(layers)};
    }
    // A width that is in the limits where it is made may be beyond them where it is read.
    if (const auto read = readModel(fieldsOf(imported.model), ""); !read)
        return failureOf(read);
    return imported;
}

} // namespace outlay::core
