// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/display_locale.h"

#include <algorithm>

namespace outlay::gui {

QString DisplayLocale::moneySign() const
{
    const auto& rows = currencyRows();
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const CurrencyRow& r) {
        return currency.code == QLatin1String(r.code);
    });
    const QString sign = row == rows.end() ? QString() : QString::fromUtf16(row->sign);
    return sign.isEmpty() ? currency.code + QLatin1Char(' ') : sign;
}

QString DisplayLocale::rateText() const
{
    if (!isConverted())
        return {};
    constexpr int Digits = 6;
    return QStringLiteral("1 USD = %1 %2, your own rate of %3")
        .arg(toString(currency.perDollar, 'g', Digits), currency.code, currency.asOf);
}

const std::vector<CurrencyRow>& currencyRows()
{
    static const std::vector<CurrencyRow> Rows{
        {"USD", u"$", u"US dollar"},        {"EUR", u"€", u"Euro"},
        {"GBP", u"£", u"Pound sterling"},   {"CHF", u"", u"Swiss franc"},
        {"JPY", u"¥", u"Japanese yen"},     {"CNY", u"", u"Renminbi"},
        {"INR", u"₹", u"Indian rupee"},     {"KRW", u"₩", u"South Korean won"},
        {"CAD", u"", u"Canadian dollar"},   {"AUD", u"", u"Australian dollar"},
        {"BRL", u"", u"Brazilian real"},    {"MXN", u"", u"Mexican peso"},
        {"SEK", u"", u"Swedish krona"},     {"NOK", u"", u"Norwegian krone"},
        {"DKK", u"", u"Danish krone"},      {"PLN", u"", u"Polish zloty"},
        {"CZK", u"", u"Czech koruna"},      {"SGD", u"", u"Singapore dollar"},
        {"ILS", u"", u"Israeli new shekel"}};
    return Rows;
}

} // namespace outlay::gui
