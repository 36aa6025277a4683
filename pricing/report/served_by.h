// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Who answers requests: machines that wait for them, or somebody who is paid by the request or by the token.
#pragma once

#include <cstdint>

namespace outlay::pricing {

enum class ServedBy : std::uint8_t { Machines, Function, Api };

} // namespace outlay::pricing
