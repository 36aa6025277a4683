// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of the Report begin with.
#pragma once

#include "core/experiment/presets.h"
#include "pricing/report/make_report.h"
#include "tests/support/catalogs.h"

namespace outlay::tests {

inline core::Experiment preset(const char* name)
{
    return core::preset(name)->experiment;
}

inline pricing::Report reportOf(const core::Experiment& e)
{
    return pricing::figuresOf(e, catalogs());
}

} // namespace outlay::tests
