// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Who answers requests: machines that wait for them, or somebody who is paid by the request or by the token.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace outlay::pricing {

enum class ServedBy : std::uint8_t { Machines, Function, Api };
/// What the assumption `serving_way` calls them.
inline constexpr std::array<std::string_view, 3> ServingWayNames{"instance", "serverless", "api"};

} // namespace outlay::pricing
