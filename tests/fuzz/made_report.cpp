// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/made_report.h"

#include "pricing/export/export.h"
#include "pricing/report/make_report.h"
#include "tests/fuzz/watch.h"

#include <cmath>

namespace outlay::fuzz {
namespace {

/// Without offers: what they do is tested elsewhere, and a thousand Reports a minute say more here.
const pricing::Catalogs& catalogs()
{
    static const auto Fixed = pricing::loadCatalogs("2026-11-20", {})->with(pricing::PriceBook());
    return Fixed;
}

} // namespace

void checkReport(const core::Experiment& experiment)
{
    const auto report = pricing::makeReport(experiment, catalogs());
    if (report.model.parameters < 0 ||
        !core::readJson(core::writeJson(pricing::toJson(report, catalogs()))))
        fail("a Report is broken");
    for (const auto& layer : report.model.layers) {
        if (!std::isfinite(layer.flops) || !std::isfinite(layer.bytes))
            fail("a layer's work is not finite");
    }
}

core::Json reportOf(const core::Experiment& experiment)
{
    return pricing::toJson(pricing::makeReport(experiment, catalogs()), catalogs());
}

std::string costAnalysisOf(const core::Experiment& experiment)
{
    const auto report = pricing::makeReport(experiment, catalogs());
    return core::writeJson(
        pricing::costAnalysis({experiment, report, catalogs(), "2026-11-20T13:00:00Z"}));
}

} // namespace outlay::fuzz
