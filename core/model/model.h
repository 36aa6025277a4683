// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A model: a design of one of the families, and the convention by which it is counted.
#pragma once

#include "core/base/value.h"
#include "core/model/gated_rnn_design.h"
#include "core/model/layer_list_design.h"
#include "core/model/mlp_design.h"
#include "core/model/recurrent_design.h"
#include "core/model/transformer_design.h"

namespace outlay::core {

using AnyDesign =
    std::variant<RecurrentDesign, GatedRnnDesign, TransformerDesign, MlpDesign, LayerListDesign>;

/// A new family is an alternative of AnyDesign, a row in `families` (model.cpp) and a pair of files.
struct Design : AnyDesign {
    OUTLAY_VALUE(Design);
    using AnyDesign::AnyDesign;

    bool operator==(const Design& other) const;
};

struct Model {
    Convention convention = Convention::PyTorch;
    Design design;

    bool operator==(const Model&) const = default;
};

/// "lstm", "transformer", ...
[[nodiscard]] std::string_view familyOf(const Model& model);

struct ModelReading {
    Model model;
    UnknownKeys unknownKeys;
};

/// Reads and checks the model of an experiment; `pointer` is where it stands in the file.
[[nodiscard]] Result<ModelReading> readModel(const Json& json, const std::string& pointer);

/// Sizes that contradict each other are errors; the place is relative to the model.
[[nodiscard]] Result<void> check(const Model& model);

/// All keys of the model; and those that have a default, in a design of the same family where nothing
/// is set.
[[nodiscard]] Json fieldsOf(const Model& model);
[[nodiscard]] Json usualFieldsOf(const Model& model);
/// The keys of a family by its name; none for an unknown one.
[[nodiscard]] std::vector<std::string> keysOf(std::string_view familyName);

[[nodiscard]] std::vector<Layer> expand(const Model& model);

} // namespace outlay::core
