// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The cheapest offer of each provider and way of buying, as a short table for a picture.
#pragma once

#include "gui/view/display_locale.h"
#include "gui/view/table_data.h"
#include "pricing/report/report.h"

namespace outlay::gui {

struct ShortlistView {
    QString verdict;
    TableData table;

    bool operator==(const ShortlistView&) const = default;
};

[[nodiscard]] ShortlistView makeShortlistView(const pricing::Report& report,
                                              const pricing::Catalogs* catalogs,
                                              const DisplayLocale& locale);

} // namespace outlay::gui
