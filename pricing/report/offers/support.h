// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the forecast of a training rests on.
#pragma once

#include "pricing/report/option.h"
#include "pricing/report/subject.h"

namespace outlay::pricing {

enum class Support : std::uint8_t { PublishedRuns, OwnMachine, None };

/// Processors have constants of their own, which what is measured here corrects.
[[nodiscard]] Support supportOf(const Subject& subject, const Option& option);

} // namespace outlay::pricing
