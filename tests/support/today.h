// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The two words that tests of advice are made of: a preset's experiment, and the catalogs of the fixed day.
#pragma once

#include "core/experiment/presets.h"
#include "tests/support/catalogs.h"

namespace outlay::tests {

inline const pricing::Catalogs& Today = catalogs();

inline core::Experiment of(const char* name)
{
    return core::preset(name)->experiment;
}

} // namespace outlay::tests
