// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The service through a simulated day: what requests take from hour to hour, and whether one machine fewer would do.
#pragma once

#include "gui/view/growth_view.h"
#include "pricing/report/offers/simulated_service.h"

namespace outlay::gui {

/// What is known of the day; while another is simulated, that of before.
struct TrafficDay {
    bool isRunning = false;
    std::optional<pricing::SimulatedService> found;
};

/// Null: nobody has asked for it.
[[nodiscard]] GrowthPart makeTrafficPart(const TrafficDay* day, const DisplayLocale& locale);

/// For a terminal.
[[nodiscard]] QString trafficText(const pricing::SimulatedService& service,
                                  const DisplayLocale& locale);

} // namespace outlay::gui
