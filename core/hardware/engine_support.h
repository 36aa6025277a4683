// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What an engine doesn't serve on a device, by what its makers say.
#pragma once

#include "core/base/note.h"
#include "core/hardware/accelerator.h"
#include "core/hardware/demand.h"

#include <optional>

namespace outlay::core {

/// Why it isn't served there: the device is too old for the engine or for weights of that kind, or the engine has no such
/// weights, or runs on another kind of device. Nothing where nobody says so.
[[nodiscard]] std::optional<Note> whyNotServed(const ServingDemand& demand, const Device& device);

} // namespace outlay::core
