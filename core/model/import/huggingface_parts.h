// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What several architectures of Hugging Face configs have in common.
#pragma once

#include "core/model/import/config_reader.h"
#include "core/model/transformer_design.h"

namespace outlay::core {

void addDropout(ConfigReader& c, TransformerDesign& d, double usual);

/// RMS norms, rotary positions, a gated feed-forward, no biases: Llama and those that start from it.
void asLlama(ConfigReader& c, TransformerDesign& d);
void attentionBiasSwitch(ConfigReader& c, TransformerDesign& d,
                         AttentionBiases meant = AttentionBiases::All);

/// Positions that attention looks back; null means all.
[[nodiscard]] std::int64_t windowOf(ConfigReader& c, std::int64_t usual);
/// For windows of no pattern that a design can have, which `key` tells.
void seesAll(ConfigReader& c, TransformerDesign& d, const std::string& key);
/// Which layers have the window, where the file lists them; else those that usually do.
void windowed(ConfigReader& c, TransformerDesign& d, WindowLayers usual);
/// The last of so many layers sees all.
void windowedBut(ConfigReader& c, TransformerDesign& d, std::int64_t usual);

} // namespace outlay::core
