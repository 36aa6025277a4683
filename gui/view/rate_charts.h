// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a machine was measured to serve in a second, by how many are answered at once.
#pragma once

#include "core/probe/measurement.h"
#include "gui/view/chart_model.h"

#include <QLocale>

namespace outlay::gui {

[[nodiscard]] ChartModel batchChart(const core::InferenceMeasurement& inference,
                                    const QLocale& locale);
/// Of tokens, one more of each request in a pass; nothing where none were measured.
[[nodiscard]] std::optional<ChartModel> togetherChart(const core::InferenceMeasurement& inference,
                                                      const QLocale& locale);

} // namespace outlay::gui
