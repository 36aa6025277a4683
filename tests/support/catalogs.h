// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The program's own data on a fixed day, on a machine that is nobody's.
#pragma once

#include "pricing/report/catalogs.h"

namespace outlay::tests {

inline core::HostMachine testMachine()
{
    return {.processor = "Test processor", .cores = 8};
}

inline const pricing::Catalogs& catalogs()
{
    static const pricing::Catalogs Fixed = *pricing::loadCatalogs("2026-11-20", testMachine());
    return Fixed;
}

} // namespace outlay::tests
