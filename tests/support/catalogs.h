// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The program's own data on a fixed day.
#pragma once

#include "pricing/report/catalogs.h"

namespace outlay::tests {

inline const pricing::Catalogs& catalogs()
{
    static const pricing::Catalogs Fixed = *pricing::loadCatalogs("2026-11-20", {});
    return Fixed;
}

} // namespace outlay::tests
