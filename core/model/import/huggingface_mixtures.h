// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What sets each mixture of experts among Hugging Face's configs apart, after its sizes have been read.
#pragma once

#include "core/model/import/config_reader.h"
#include "core/model/transformer_design.h"

namespace outlay::core {

void mixtral(ConfigReader& c, TransformerDesign& d);
void qwen2Moe(ConfigReader& c, TransformerDesign& d);
void qwen3Moe(ConfigReader& c, TransformerDesign& d);
/// Experts with biases, and a score of each head for attending to nothing.
void gptOss(ConfigReader& c, TransformerDesign& d);
void deepSeekV2(ConfigReader& c, TransformerDesign& d);
/// Kimi K2, too.
void deepSeekV3(ConfigReader& c, TransformerDesign& d);
void glm4Moe(ConfigReader& c, TransformerDesign& d);
/// DeepSeek's attention and GLM's experts.
void glm4MoeLite(ConfigReader& c, TransformerDesign& d);
void ernieMoe(ConfigReader& c, TransformerDesign& d);
/// One expert and one that each token sees; attention within chunks, but for each fourth layer.
void llama4(ConfigReader& c, TransformerDesign& d);

} // namespace outlay::core
