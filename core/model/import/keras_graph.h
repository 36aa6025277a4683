// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of a Keras model JSON in an order in which they can run, for all three generations of
// the format: a bare list, `config.layers`, and Keras 3.
#pragma once

#include "core/base/json.h"

#include <optional>

namespace outlay::core {

struct KerasNode {
    std::string className;
    std::string name;
    std::string pointer;              // where it stands in the file
    const Json* config = nullptr;     // an object, owned by the file's Json
    const Json* buildShape = nullptr; // Keras 3 stores what the layer was built for
    std::vector<std::size_t> sources; // earlier nodes
};

struct KerasGraph {
    std::string name;
    std::string kerasVersion;
    std::vector<KerasNode> nodes;
};

[[nodiscard]] bool looksLikeKeras(const Json& json);

/// `json` must outlive the graph.
[[nodiscard]] Result<KerasGraph> readKerasGraph(const Json& json);

} // namespace outlay::core
