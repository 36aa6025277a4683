// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How a person wants figures written: numbers, currency, distances. A QLocale wherever only numbers
// are written; made of a plain one it shows US dollars and miles.
#pragma once

#include <QLocale>
#include <QString>

#include <vector>

namespace outlay::gui {

/// At a rate that the user vouches for. Figures stay in US dollars, and are converted when shown.
struct DisplayCurrency {
    QString code = QStringLiteral("USD");
    double perDollar = 1;
    QString asOf; // the rate's day

    bool operator==(const DisplayCurrency&) const = default;
};

enum class DistanceUnit { Miles, Kilometres };

struct DisplayLocale : QLocale {
    DisplayLocale() = default;
    DisplayLocale(const QLocale& numbers) : QLocale(numbers) {}

    DisplayCurrency currency;
    DistanceUnit distance = DistanceUnit::Miles;

    [[nodiscard]] bool isConverted() const { return currency != DisplayCurrency{}; }
    [[nodiscard]] double money(double usd) const { return usd * currency.perDollar; }
    /// "$", "€", or "CHF " where a sign would say less than the code.
    [[nodiscard]] QString moneySign() const;
    /// "1 USD = 0.92 EUR, your own rate of 2026-11-01"; empty where nothing is converted.
    [[nodiscard]] QString rateText() const;

    bool operator==(const DisplayLocale&) const = default;
};

struct CurrencyRow {
    const char* code;
    const char16_t* sign; // empty: several currencies have it
    const char16_t* name;
};
/// The dollar first.
[[nodiscard]] const std::vector<CurrencyRow>& currencyRows();

} // namespace outlay::gui
