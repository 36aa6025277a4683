// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The whole Report in a sentence or two: where to train, what a month goes to, what to do first.
#pragma once

#include "gui/view/display_locale.h"
#include "pricing/report/report.h"

#include <QString>

namespace outlay::gui {

struct VerdictView {
    QString sentence;
    QString basis;       // how much of it to believe
    bool isPart = false; // what to do first follows

    bool operator==(const VerdictView&) const = default;
};

[[nodiscard]] VerdictView makeVerdictView(const pricing::Report& report,
                                          const DisplayLocale& locale);

} // namespace outlay::gui
