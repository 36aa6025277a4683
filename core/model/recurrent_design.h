// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// LSTM, GRU and plain RNN: an embedding or numbers, recurrent layers, dense layers.
#pragma once

#include "core/model/convention.h"
#include "core/model/layer.h"

namespace outlay::core {

enum class OutputAt { Last, Every };
inline constexpr std::array<std::string_view, 2> OutputAtNames{"last", "every"};

struct RecurrentDesign {
    Cell cell = Cell::Lstm;
    std::optional<std::int64_t> vocabulary; // text; else `inputs` numbers a step
    std::optional<std::int64_t> embedding;  // default: the first layer's state size
    std::int64_t inputs = 1;
    std::vector<std::int64_t> hidden; // one size for all layers, or one for each
    std::int64_t layers = 1;
    bool bidirectional = false;
    std::int64_t projection = 0;
    bool tiedEmbeddings = false;
    double dropout = 0;
    std::vector<std::int64_t> head;
    std::optional<std::int64_t> outputs; // default: the vocabulary, else 1
    OutputAt outputAt = OutputAt::Last;

    [[nodiscard]] std::int64_t hiddenOf(std::int64_t layer) const;
    [[nodiscard]] std::int64_t embeddingWidth() const { return embedding.value_or(hiddenOf(0)); }
    [[nodiscard]] std::int64_t outputCount() const
    {
        return outputs.value_or(vocabulary.value_or(1));
    }
    /// What one direction of a layer hands on.
    [[nodiscard]] std::int64_t outputOf(std::int64_t layer) const;

    bool operator==(const RecurrentDesign&) const = default;
};

void describe(FieldVisitor& v, RecurrentDesign& d);
/// With every value that follows from the others.
[[nodiscard]] RecurrentDesign resolved(RecurrentDesign d);
[[nodiscard]] Result<void> check(const RecurrentDesign& d);
[[nodiscard]] std::vector<Layer> expand(const RecurrentDesign& d, Convention convention);

} // namespace outlay::core
