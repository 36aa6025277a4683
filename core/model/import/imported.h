// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What an importer yields from somebody else's file.
#pragma once

#include "core/model/model.h"

namespace outlay::core {

struct Imported {
    Model model;
    std::string name;
    std::string weightType;               // "float16", "BF16", ...; empty if the file doesn't say
    std::optional<std::int64_t> sequence; // the longest that the model takes, where that is known
    std::vector<std::string> notes;       // sentences: what was ignored, what was understood how
};

} // namespace outlay::core
