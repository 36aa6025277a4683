// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Changes to an experiment as they are typed: POINTER=VALUE.
#pragma once

#include "core/base/json.h"

namespace outlay::core {

/// A value as JSON, or else as a bare text.
[[nodiscard]] Result<Json> settingValue(std::string_view text);

/// The patch that makes "/model/hidden=256"s; `option` is named in sentences.
[[nodiscard]] Result<Json> settingsPatch(const std::vector<std::string>& assignments,
                                         std::string_view option);

} // namespace outlay::core
