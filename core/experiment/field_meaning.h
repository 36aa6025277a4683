// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which fields say nothing about a design: they change no figure, whatever they are set to.
#pragma once

#include "core/experiment/experiment.h"

namespace outlay::core {

/// By the field's place in the file.
[[nodiscard]] bool hasMeaning(std::string_view pointer, const Experiment& experiment);

} // namespace outlay::core
