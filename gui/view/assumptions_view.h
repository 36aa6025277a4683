// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Every default that the figures rest on; each can be changed.
#pragma once

#include "gui/view/display_locale.h"
#include "gui/view/table_data.h"
#include "pricing/report/report.h"

namespace outlay::gui {

struct AssumptionsView {
    QString summary;
    TableData table;
    std::vector<std::string> pointers; // of the rows

    bool operator==(const AssumptionsView&) const = default;
};

[[nodiscard]] AssumptionsView makeAssumptionsView(const pricing::Report& report,
                                                  const DisplayLocale& locale);

/// What was typed into a value: JSON, or else a bare text.
[[nodiscard]] core::Json valueOf(const QString& typed);

} // namespace outlay::gui
