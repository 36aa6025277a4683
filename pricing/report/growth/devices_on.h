// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The training over devices of one machine, as the Report has it of its offer's.
#pragma once

#include "pricing/report/offers/chosen_machine.h"

namespace outlay::pricing {

/// On 1, 2, 4 and more of them, up to twice as many as are asked for, which are among them.
[[nodiscard]] DevicesReport devicesOn(const Subject& subject, const ChosenMachine& machine,
                                      std::int64_t asked);

} // namespace outlay::pricing
