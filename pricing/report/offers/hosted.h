// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The same published weights from those who sell them by the token, against machines of one's own.
#pragma once

#include "pricing/report/report.h"
#include "pricing/report/subject.h"

namespace outlay::pricing {

/// After the machines that serve are recommended.
void addHosted(const Subject& subject, Report& report);

/// A month of the experiment's traffic there, as a way to serve; nothing for designs that nobody hosts by the token.
[[nodiscard]] std::optional<ServingWay> hostedWay(const Subject& subject, const Report& report);

} // namespace outlay::pricing
