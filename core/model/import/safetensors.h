// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The header of a safetensors file: exact counts and types, without reading the weights.
#pragma once

#include "core/model/import/imported.h"

namespace outlay::core {

/// Whether a file starts like one: eight bytes of length, then an object.
[[nodiscard]] bool looksLikeSafetensors(std::string_view start);

/// Reads only the header, whatever the file's size.
[[nodiscard]] Result<Imported> importSafetensors(const std::string& path);

} // namespace outlay::core
