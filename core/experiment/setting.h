// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Changes to an experiment as they are typed: POINTER=VALUE.
#pragma once

#include "core/base/json.h"

namespace outlay::core {

/// A value as JSON, or else as a bare text.
[[nodiscard]] Result<Json> settingValue(std::string_view text);

/// "/model/hidden=256", of the option that is named in sentences.
[[nodiscard]] Result<void> changeSetting(Json& document, std::string_view option,
                                         std::string_view assignment);

} // namespace outlay::core
