// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The program's own constants and devices, for tests that fail without them anyway.
#pragma once

#include "core/hardware/calibration.h"
#include "core/hardware/hardware_catalog.h"

namespace outlay::tests {

inline const core::Calibration& rates()
{
    return *core::calibration();
}

inline const core::Device& device(const char* name)
{
    return *core::hardwareCatalog()->find(name);
}

} // namespace outlay::tests
