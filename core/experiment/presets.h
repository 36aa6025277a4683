// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The starter designs, from resources/presets.json.
#pragma once

#include "core/experiment/experiment.h"

namespace outlay::core {

struct Preset {
    std::string id;
    std::string summary; // one line
    std::string source;  // where the sizes come from
    Experiment experiment;
};

/// Read once; the file is part of the program, so a broken one is an internal fault.
[[nodiscard]] const Result<std::vector<Preset>>& presets();

[[nodiscard]] Result<Preset> preset(std::string_view id);

/// The one with the same design, of several that which trains it most alike; null where none has it.
[[nodiscard]] const Preset* presetLike(const Experiment& experiment);

} // namespace outlay::core
