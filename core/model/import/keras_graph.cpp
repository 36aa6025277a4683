// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/import/keras_graph.h"

#include "core/base/text.h"

#include <algorithm>
#include <unordered_map>

namespace outlay::core {
namespace {

struct Found {
    const Json* list = nullptr;
    std::string pointer;
};

/// The list of layers, wherever the generation keeps it.
Found layerList(const Json& json)
{
    const Json* config = json.find("config");
    if (config == nullptr)
        return {};
    if (config->asArray() != nullptr)
        return {config, "/config"};
    const Json* layers = config->find("layers");
    const bool isList = layers != nullptr && layers->asArray() != nullptr;
    return isList ? Found{layers, "/config/layers"} : Found{};
}

std::string textOf(const Json& json, std::string_view key)
{
    const Json* value = json.find(key);
    return value == nullptr || value->asString() == nullptr ? std::string() : *value->asString();
}

/// Names of the layers that `inbound` comes from. Keras 2 writes ["name", 0, 0, {}], Keras 3
/// {"keras_history": ["name", 0, 0]}, both at any depth.
void collectSources(const Json& inbound, std::vector<std::string>& names)
{
    if (const Json::Array* list = inbound.asArray()) {
        const bool isReference = list->size() >= 3 && (*list)[0].asString() != nullptr &&
                                 (*list)[1].isNumber() && (*list)[2].isNumber();
        if (isReference) {
            names.push_back(*(*list)[0].asString());
            return;
        }
        for (const Json& item : *list)
            collectSources(item, names);
    } else if (inbound.asObject() != nullptr) {
        // Keyword arguments hold masks and the like: no data flows through them.
        for (const char* key : {"keras_history", "args", "config"}) {
            if (const Json* inner = inbound.find(key))
                return collectSources(*inner, names);
        }
    }
}

/// The first call of a layer; a layer that is called again shares its weights.
std::vector<std::string> sourceNames(const Json& layer)
{
    std::vector<std::string> names;
    const Json* inbound = layer.find("inbound_nodes");
    const Json::Array* calls = inbound == nullptr ? nullptr : inbound->asArray();
    if (calls != nullptr && !calls->empty())
        collectSources(calls->front(), names);
    return names;
}

Result<KerasNode> readNode(const Json& layer, const std::string& pointer)
{
    KerasNode node;
    node.pointer = pointer;
    node.className = textOf(layer, "class_name");
    node.config = layer.find("config");
    if (node.className.empty() || node.config == nullptr || node.config->asObject() == nullptr)
        return inputError("this is not a Keras layer", "give a `class_name` and a `config`",
                          pointer);
    node.name = textOf(layer, "name");
    if (node.name.empty())
        node.name = textOf(*node.config, "name");
    if (const Json* build = layer.find("build_config"))
        node.buildShape = build->find("input_shape");
    return node;
}

/// Sorts the nodes so that each comes after its sources, keeping the file's order where it can.
Result<void> sortBySources(std::vector<KerasNode>& nodes)
{
    std::vector<std::vector<std::size_t>> users(nodes.size());
    std::vector<std::size_t> waiting(nodes.size());
    std::vector<std::size_t> ready;
    for (std::size_t i = nodes.size(); i-- > 0;) {
        waiting[i] = nodes[i].sources.size();
        for (const std::size_t source : nodes[i].sources)
            users[source].push_back(i);
        if (waiting[i] == 0)
            ready.push_back(i);
    }
    std::vector<std::size_t> order;
    std::vector<std::size_t> place(nodes.size());
    while (!ready.empty()) {
        const std::size_t next = ready.back();
        ready.pop_back();
        place[next] = order.size();
        order.push_back(next);
        for (const std::size_t user : users[next]) {
            if (--waiting[user] == 0)
                ready.push_back(user);
        }
    }
    if (order.size() < nodes.size()) {
        const auto stuck = std::find_if(waiting.begin(), waiting.end(),
                                        [](std::size_t count) { return count > 0; });
        const KerasNode& node = nodes[static_cast<std::size_t>(stuck - waiting.begin())];
        return inputError("the layers form a cycle through " + inQuotes(node.name),
                          "remove the cycle", node.pointer);
    }
    std::vector<KerasNode> sorted;
    for (const std::size_t index : order) {
        sorted.push_back(std::move(nodes[index]));
        for (std::size_t& source : sorted.back().sources)
            source = place[source];
    }
    nodes = std::move(sorted);
    return {};
}

Result<void> connect(const Json::Array& layers, std::vector<KerasNode>& nodes)
{
    std::unordered_map<std::string, std::size_t> byName;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!byName.emplace(nodes[i].name, i).second)
            return inputError("two layers are named " + inQuotes(nodes[i].name),
                              "name each layer once", nodes[i].pointer);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const std::string& source : sourceNames(layers[i])) {
            const auto found = byName.find(source);
            if (found == byName.end())
                return inputError("the layer reads from " + inQuotes(source) +
                                      ", which is not there",
                                  "add that layer", nodes[i].pointer);
            nodes[i].sources.push_back(found->second);
        }
    }
    return sortBySources(nodes);
}

} // namespace

bool looksLikeKeras(const Json& json)
{
    return !textOf(json, "class_name").empty() && json.find("config") != nullptr;
}

Result<KerasGraph> readKerasGraph(const Json& json)
{
    const std::string kind = textOf(json, "class_name");
    const Found found = layerList(json);
    const bool isSequential = kind == "Sequential";
    if (found.list == nullptr || !(isSequential || kind == "Model" || kind == "Functional"))
        return inputError("a Keras model of class " + inQuotes(kind) + " can't be imported",
                          "save a Sequential or a Functional model with to_json()", "/class_name");
    KerasGraph graph;
    graph.kerasVersion = textOf(json, "keras_version");
    graph.name = textOf(*json.find("config"), "name");
    const Json::Array& layers = *found.list->asArray();
    constexpr std::size_t MostLayers = 4096;
    if (layers.empty() || layers.size() > MostLayers)
        return inputError("the model has " + std::to_string(layers.size()) + " layers",
                          "give from 1 to " + std::to_string(MostLayers), found.pointer);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        auto node = readNode(layers[i], childPointer(found.pointer, i));
        if (!node)
            return failureOf(node);
        if (isSequential && i > 0)
            node->sources = {i - 1};
        graph.nodes.push_back(std::move(*node));
    }
    if (!isSequential) {
        if (const auto connected = connect(layers, graph.nodes); !connected)
            return failureOf(connected);
    }
    return graph;
}

} // namespace outlay::core
