// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Quantity: a figure with its interval, its unit, its basis and how it was got.
#pragma once

#include "core/base/note.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace outlay::core {

enum class Unit {
    One,
    Percent,
    Seconds,
    Milliseconds,
    Hours,
    Bytes,
    Flops,
    FlopsPerSecond,
    BytesPerSecond,
    TokensPerSecond,
    SamplesPerSecond,
    Watts,
    KilowattHours,
    KilogramsCo2e,
    GramsPerKilowattHour,
    Usd,
    UsdPerHour,
    UsdPerKilowattHour,
};

[[nodiscard]] std::string_view symbol(Unit unit);

/// From the strongest to the weakest: a figure made of several takes the weakest of theirs.
enum class Basis { Exact, Measured, Listed, Forecast, Assumed, Unavailable };

[[nodiscard]] std::string_view name(Basis basis);

/// A sentence with places for numbers: "{0} parameters x {1} B". Lives in static storage.
struct Formula {
    std::string_view id;
    std::string_view text;
};

/// Where a figure comes from: a formula with its operands, written out only when it is asked for.
struct How {
    static constexpr std::size_t MostOperands = 6;

    const Formula* formula = nullptr;
    std::array<double, MostOperands> operands{};
    Note note; // source and date, or why a figure is unavailable

    [[nodiscard]] std::string sentence() const;

    bool operator==(const How&) const = default;
};

[[nodiscard]] How how(const Formula& formula, std::initializer_list<double> operands = {},
                      Note note = {});

/// Always low <= value <= high, all finite; or Unavailable, where none of the three means anything.
class Quantity {
public:
    /// Unavailable, with no reason given.
    Quantity() = default;

    [[nodiscard]] static Quantity exact(double value, Unit unit, How how);
    /// A value that is not finite becomes unavailable; an interval is widened to hold its value.
    [[nodiscard]] static Quantity within(double value, double low, double high, Unit unit,
                                         Basis basis, How how);
    [[nodiscard]] static Quantity unavailable(Unit unit, Note reason);

    [[nodiscard]] bool isAvailable() const { return m_basis != Basis::Unavailable; }
    [[nodiscard]] double value() const { return m_value; }
    [[nodiscard]] double low() const { return m_low; }
    [[nodiscard]] double high() const { return m_high; }
    [[nodiscard]] Unit unit() const { return m_unit; }
    [[nodiscard]] Basis basis() const { return m_basis; }
    [[nodiscard]] const How& how() const { return m_how; }

    /// The same figure, explained by another formula.
    [[nodiscard]] Quantity because(How how) const;

    bool operator==(const Quantity&) const = default;

private:
    double m_value = 0;
    double m_low = 0;
    double m_high = 0;
    Unit m_unit = Unit::One;
    Basis m_basis = Basis::Unavailable;
    How m_how;
};

// Arithmetic carries intervals as if all errors went the same way: they mostly do here, where one
// method and one machine stand behind all of them, and an interval that is too wide misleads less
// than one that is too narrow. The basis of the result is the weaker one; one operand that is
// unavailable makes the result unavailable.

/// Both operands have the same unit.
[[nodiscard]] Quantity operator+(const Quantity& a, const Quantity& b);
[[nodiscard]] Quantity operator-(const Quantity& a, const Quantity& b);
[[nodiscard]] Quantity operator*(const Quantity& a, double factor);
[[nodiscard]] Quantity product(const Quantity& a, const Quantity& b, Unit unit);
/// Unavailable when the divisor may be zero.
[[nodiscard]] Quantity quotient(const Quantity& a, const Quantity& b, Unit unit);
[[nodiscard]] Quantity sum(std::span<const Quantity> parts, Unit unit, How how);

} // namespace outlay::core
