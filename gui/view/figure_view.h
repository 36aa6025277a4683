// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A figure as it is shown: value, badge, interval, difference from the baseline, and its explanation.
#pragma once

#include "core/base/quantity.h"
#include "gui/view/display_locale.h"

#include <QString>

#include <vector>

namespace outlay::gui {

struct ExplanationRow {
    QString name;
    QString text;

    bool operator==(const ExplanationRow&) const = default;
};

struct FigureView {
    QString label;
    QString value;      // with its unit; a dash where the figure is unavailable
    QString detail;     // the interval, or why there is no figure
    QString place;      // of a headline: where, on what, by what; may be empty
    QString difference; // from the baseline; empty without one
    core::Basis basis = core::Basis::Unavailable;
    bool isRough = false;
    QString basisWord;
    std::vector<ExplanationRow> explanation;

    /// One sentence for those who don't see it.
    [[nodiscard]] QString spoken() const;

    bool operator==(const FigureView&) const = default;
};

/// Whether it was measured too few times, or too unsteadily, to be relied on.
[[nodiscard]] bool isRough(const core::Quantity& figure);

/// `baseline` may be null.
[[nodiscard]] FigureView makeFigureView(const QString& label, const core::Quantity& figure,
                                        const core::Quantity* baseline,
                                        const DisplayLocale& locale);

/// "7 min 02 s", "$0.0080", "24.5 g CO2e", "143 MB": what a headline says.
[[nodiscard]] QString headlineText(double value, core::Unit unit, const DisplayLocale& locale);

/// A number without a unit: three digits, but never fewer than its whole part and no exponent.
[[nodiscard]] QString numberText(double value, const QLocale& locale);

/// What a badge's word promises.
[[nodiscard]] QString meaningOf(core::Basis basis);

} // namespace outlay::gui
