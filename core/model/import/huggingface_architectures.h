// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The architectures of Hugging Face configs that can be imported: a row and a function each.
#pragma once

#include "core/model/import/config_reader.h"
#include "core/model/transformer_design.h"

namespace outlay::core {

/// What an architecture's config class puts in for absent keys; 0: follows from the rest.
struct Usual {
    std::int64_t vocabulary;
    std::int64_t hidden;
    std::int64_t layers;
    std::int64_t heads;
    std::int64_t kvHeads;
    std::int64_t headSize;
    std::int64_t inner;
    std::int64_t positions;
    bool tied;
};

using Adapt = void (*)(ConfigReader&, TransformerDesign&);

struct Architecture {
    std::string_view name;
    Usual usual;
    Adapt adapt; // what sets the architecture apart, after the sizes have been read
};

[[nodiscard]] std::span<const Architecture> architectures();

} // namespace outlay::core
