// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Hugging Face's config.json, for the architectures of `huggingFaceArchitectures`.
#pragma once

#include "core/model/import/imported.h"

namespace outlay::core {

[[nodiscard]] bool looksLikeHuggingFace(const Json& json);

/// Absent keys take the architecture's own defaults.
[[nodiscard]] Result<Imported> importHuggingFace(const Json& json);

[[nodiscard]] std::vector<std::string_view> huggingFaceArchitectures();

} // namespace outlay::core
