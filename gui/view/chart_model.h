// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a chart shows, ready to be drawn, read aloud or copied as a table. Made by views.
#pragma once

#include "gui/view/display_locale.h"
#include "gui/view/table_data.h"

#include <QString>

#include <optional>
#include <vector>

namespace outlay::gui {

/// A bar has its place in `x` and its length in `y`, whichever way it lies.
struct ChartPoint {
    double x = 0;
    double y = 0;
    std::optional<double>
        base; // where a bar begins, if not at zero; of bars with colours of their own
    std::optional<double> low; // interval of y
    std::optional<double> high;
    std::optional<double> reference;   // a tick to compare with
    QString label;                     // beside a bar or a bubble, in a slice's row
    QString brief;                     // the label where there is little room
    double weight = 0;                 // area of a bubble; 0: a plain mark
    std::optional<std::size_t> colour; // where it isn't that of its series
    bool isStrong = false;             // its label is the one to read first
    std::optional<std::size_t> key;    // what a click on it names
    QString basis;                     // of a slice, in a word
    QString hint;                      // of a slice: how its value was got

    bool operator==(const ChartPoint&) const = default;
};

struct ChartSeries {
    QString name;
    std::size_t colour = 0; // of the tokens' series: the same thing has the same colour everywhere
    std::vector<ChartPoint> points;

    bool operator==(const ChartSeries&) const = default;
};

struct ChartAxis {
    QString title; // with its unit
    double low = 0;
    double high = 1;
    int ticks = 5;
    int decimals = 0;
    bool isLog = false;
    bool isTime = false; // of hours, and logarithmic: marked in seconds, minutes, hours and days
    std::vector<QString> words; // in place of the numbers 1, 2, ...

    bool operator==(const ChartAxis&) const = default;
};

/// A line across the chart that points are held against.
struct ChartLimit {
    enum class Of { X, Y };
    Of of = Of::Y;
    double at = 0; // one that isn't set is parked at the end of its axis
    QString name;  // with its value
    bool isSet = true;
    bool isMovable = false;

    bool operator==(const ChartLimit&) const = default;
};

struct ChartModel {
    enum class Kind { Bars, HorizontalBars, Lines, Scatter, Doughnut };

    Kind kind = Kind::HorizontalBars;
    QString title;
    QString subtitle;                // statistic, sample size, which direction is better
    QString description;             // one sentence with the message
    QString middle;                  // in the hole of a doughnut; a second line is quieter
    std::vector<QString> categories; // of bars, first one on top or at the left
    std::vector<ChartSeries> series;
    ChartAxis x; // of lines and points
    ChartAxis y; // of values
    std::vector<ChartLimit> limits;
    QString empty; // what to do where there is nothing to draw

    [[nodiscard]] bool isEmpty() const;
    bool operator==(const ChartModel&) const = default;
};

/// Where a limit goes that is moved by so many small steps, with few digits and on its axis; nothing where
/// it is moved off the end, which removes it.
[[nodiscard]] std::optional<double> movedLimit(const ChartLimit& limit, const ChartAxis& axis,
                                               int steps);
/// The same for one that is dragged to a value.
[[nodiscard]] std::optional<double> draggedLimit(double value, const ChartAxis& axis);

/// The chart's twin: the same numbers as a table.
[[nodiscard]] TableData tableOf(const ChartModel& model, const DisplayLocale& locale);

/// An axis from zero that holds `highest` with room for labels, on round numbers.
[[nodiscard]] ChartAxis axisFromZero(double highest, const QString& title);
/// An axis on round numbers that holds both with room around them, wherever zero is.
[[nodiscard]] ChartAxis axisAround(double lowest, double highest, const QString& title);
/// A logarithmic axis that holds both, with room around them; two powers of ten are inside or at its ends.
[[nodiscard]] ChartAxis logAxis(double lowest, double highest, const QString& title);
/// The same for hours, between times that people say.
[[nodiscard]] ChartAxis timeAxis(double lowestHours, double highestHours, const QString& title);
/// From zero, in powers of a thousand: `unit` gets the prefix, and values are to be divided by `factor`.
struct ScaledAxis {
    ChartAxis axis;
    double factor = 1;
};
[[nodiscard]] ScaledAxis scaledAxis(double highest, const QString& what, const QString& unit);

} // namespace outlay::gui
