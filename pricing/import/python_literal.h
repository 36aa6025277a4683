// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Dictionaries as Python prints them: single quotes, None, True and False.
#pragma once

#include "core/base/json.h"

namespace outlay::pricing {

/// {'Count': 8, 'Name': "it's", 'x': None} as a JSON value.
[[nodiscard]] core::Result<core::Json> readPythonLiteral(std::string_view text);

} // namespace outlay::pricing
