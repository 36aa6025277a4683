// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Data files that are linked into the program (cmake/EmbedResources.cmake).
#pragma once

#include <string_view>

namespace outlay::core {

/// The content of resources/NAME; empty if it was not embedded.
[[nodiscard]] std::string_view resource(std::string_view name);

/// Of that content, in hex, as it was when the program was built; empty if it was not embedded.
[[nodiscard]] std::string_view resourceSha256(std::string_view name);

} // namespace outlay::core
