// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// PEFT's adapter_config.json: the low-rank adapters that a training is to make.
#pragma once

#include "core/settings/settings.h"

namespace outlay::core {

[[nodiscard]] bool looksLikeAdapter(const Json& json);

/// Changes what of the training the file names, and returns sentences on what of it has no effect.
[[nodiscard]] Result<std::vector<std::string>> applyAdapter(const Json& json, Training& training);

} // namespace outlay::core
