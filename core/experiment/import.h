// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Somebody else's model file becomes an experiment.
#pragma once

#include "core/experiment/experiment.h"

namespace outlay::core {

struct ImportReading {
    Experiment experiment;
    std::vector<std::string> notes; // sentences
};

/// A Hugging Face config.json, a Keras model JSON or a safetensors file, told apart by content.
/// With the adapters of an adapter_config.json: of `adapter`, else of the one that lies beside a config.json.
[[nodiscard]] Result<ImportReading> importModel(const std::string& path,
                                                const std::optional<std::string>& adapter = {});

} // namespace outlay::core
