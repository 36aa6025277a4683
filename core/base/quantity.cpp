// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"

#include "core/base/text.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace outlay::core {
namespace {

constexpr Formula SumFormula{"sum", "{0} + {1}"};
constexpr Formula DifferenceFormula{"difference", "{0} - {1}"};
constexpr Formula ProductFormula{"product", "{0} x {1}"};
constexpr Formula QuotientFormula{"quotient", "{0} / {1}"};

Basis weaker(Basis a, Basis b)
{
    return std::max(a, b);
}

/// The reason of whichever operand is unavailable.
Quantity missing(const Quantity& a, const Quantity& b, Unit unit)
{
    return Quantity::unavailable(unit, (a.isAvailable() ? b : a).how().note);
}

} // namespace

std::string_view symbol(Unit unit)
{
    switch (unit) {
    case Unit::One: return "1";
    case Unit::Percent: return "%";
    case Unit::Seconds: return "s";
    case Unit::Milliseconds: return "ms";
    case Unit::Hours: return "h";
    case Unit::Bytes: return "B";
    case Unit::Flops: return "FLOP";
    case Unit::FlopsPerSecond: return "FLOP/s";
    case Unit::BytesPerSecond: return "B/s";
    case Unit::TokensPerSecond: return "tokens/s";
    case Unit::SamplesPerSecond: return "samples/s";
    case Unit::Watts: return "W";
    case Unit::KilowattHours: return "kWh";
    case Unit::KilogramsCo2e: return "kg CO2e";
    case Unit::GramsPerKilowattHour: return "g/kWh";
    case Unit::Usd: return "USD";
    case Unit::UsdPerHour: return "USD/h";
    case Unit::UsdPerKilowattHour: return "USD/kWh";
    }
    return "";
}

std::string_view name(Basis basis)
{
    switch (basis) {
    case Basis::Exact: return "exact";
    case Basis::Measured: return "measured";
    case Basis::Listed: return "listed";
    case Basis::Forecast: return "forecast";
    case Basis::Assumed: return "assumed";
    case Basis::Unavailable: return "unavailable";
    }
    return "";
}

std::string How::sentence() const
{
    std::string out;
    const std::string_view text = formula == nullptr ? std::string_view{} : formula->text;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isPlace = text[i] == '{' && i + 2 < text.size() && text[i + 2] == '}';
        if (!isPlace) {
            out += text[i];
            continue;
        }
        const auto index = static_cast<std::size_t>(text[i + 1] - '0');
        assert(index < MostOperands);
        out += plainNumber(operands.at(index));
        i += 2;
    }
    if (!note.empty())
        out += (out.empty() ? "" : "; ") + note.text();
    return out;
}

How how(const Formula& formula, std::initializer_list<double> operands, Note note)
{
    assert(operands.size() <= How::MostOperands);
    How result{&formula, {}, std::move(note)};
    // A call to copy so few takes longer than copying them, and thousands are made for a Report.
    const double* const given = operands.begin();
    for (std::size_t i = 0; i < How::MostOperands; ++i)
        result.operands.at(i) = i < operands.size() ? given[i] : 0;
    return result;
}

Quantity Quantity::exact(double value, Unit unit, How how)
{
    return within(value, value, value, unit, Basis::Exact, std::move(how));
}

Quantity Quantity::within(double value, double low, double high, Unit unit, Basis basis, How how)
{
    if (basis == Basis::Unavailable || !std::isfinite(value) || !std::isfinite(low) ||
        !std::isfinite(high)) {
        return unavailable(unit, how.note.empty() ? "the result is not a finite number"
                                                  : std::move(how.note));
    }
    Quantity q;
    q.m_value = value;
    q.m_low = std::min({low, high, value});
    q.m_high = std::max({low, high, value});
    q.m_unit = unit;
    q.m_basis = basis;
    q.m_how = std::move(how);
    return q;
}

Quantity Quantity::unavailable(Unit unit, Note reason)
{
    Quantity q;
    q.m_unit = unit;
    q.m_how.note = std::move(reason);
    return q;
}

Quantity Quantity::because(How how) const
{
    Quantity q = *this;
    if (isAvailable())
        q.m_how = std::move(how);
    return q;
}

Quantity operator+(const Quantity& a, const Quantity& b)
{
    assert(a.unit() == b.unit());
    if (!a.isAvailable() || !b.isAvailable())
        return missing(a, b, a.unit());
    return Quantity::within(a.value() + b.value(), a.low() + b.low(), a.high() + b.high(), a.unit(),
                            weaker(a.basis(), b.basis()), how(SumFormula, {a.value(), b.value()}));
}

Quantity operator-(const Quantity& a, const Quantity& b)
{
    assert(a.unit() == b.unit());
    if (!a.isAvailable() || !b.isAvailable())
        return missing(a, b, a.unit());
    return Quantity::within(a.value() - b.value(), a.low() - b.high(), a.high() - b.low(), a.unit(),
                            weaker(a.basis(), b.basis()),
                            how(DifferenceFormula, {a.value(), b.value()}));
}

Quantity operator*(const Quantity& a, double factor)
{
    return product(a, Quantity::exact(factor, Unit::One, {}), a.unit());
}

Quantity product(const Quantity& a, const Quantity& b, Unit unit)
{
    if (!a.isAvailable() || !b.isAvailable())
        return missing(a, b, unit);
    const std::array corners{a.low() * b.low(), a.low() * b.high(), a.high() * b.low(),
                             a.high() * b.high()};
    const auto [low, high] = std::minmax_element(corners.begin(), corners.end());
    return Quantity::within(a.value() * b.value(), *low, *high, unit, weaker(a.basis(), b.basis()),
                            how(ProductFormula, {a.value(), b.value()}));
}

Quantity quotient(const Quantity& a, const Quantity& b, Unit unit)
{
    if (!a.isAvailable() || !b.isAvailable())
        return missing(a, b, unit);
    if (b.low() <= 0 && b.high() >= 0)
        return Quantity::unavailable(unit, "divided by something that may be zero");
    const std::array corners{a.low() / b.low(), a.low() / b.high(), a.high() / b.low(),
                             a.high() / b.high()};
    const auto [low, high] = std::minmax_element(corners.begin(), corners.end());
    return Quantity::within(a.value() / b.value(), *low, *high, unit, weaker(a.basis(), b.basis()),
                            how(QuotientFormula, {a.value(), b.value()}));
}

Quantity sum(std::span<const Quantity> parts, Unit unit, How how)
{
    Quantity total = Quantity::exact(0, unit, {});
    for (const Quantity& part : parts)
        total = total + part;
    return total.because(std::move(how));
}

} // namespace outlay::core
