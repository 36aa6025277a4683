// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/figure_view.h"

#include "core/base/units.h"
#include "gui/view/field_presentation.h"
#include "gui/view/format.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>

namespace outlay::gui {
namespace {

using core::Basis;
using core::Quantity;
using core::Unit;

constexpr double Minute = 60;
constexpr double Hour = 3600;
constexpr double Day = 86400;

QString twoDigits(int number)
{
    return QStringLiteral("%1").arg(number, 2, 10, QLatin1Char('0'));
}

QString shortDuration(double seconds, const QLocale& locale)
{
    constexpr double MostDays = 1000;
    if (seconds < 1)
        return scaledText(seconds * 1000, u"ms", locale);
    if (seconds < Minute)
        return locale.toString(seconds, 'g', 3) + QStringLiteral(" s");
    if (seconds >= MostDays * Day)
        return countText(seconds / Day, locale) + QStringLiteral(" days");
    const double rounded = std::round(seconds);
    if (rounded < Hour) {
        const int whole = static_cast<int>(rounded);
        return QStringLiteral("%1 min %2 s").arg(whole / 60).arg(twoDigits(whole % 60));
    }
    const int minutes = static_cast<int>(std::round(seconds / Minute));
    if (minutes < 48 * 60)
        return QStringLiteral("%1 h %2 min").arg(minutes / 60).arg(twoDigits(minutes % 60));
    return locale.toString(seconds / Day, 'f', 1) + QStringLiteral(" days");
}

QString shortMoney(double usd, const DisplayLocale& locale)
{
    constexpr double Million = 1e6;
    constexpr double Large = 1e5;
    const double magnitude = std::abs(locale.money(usd));
    QString text = (usd < 0 ? QStringLiteral("-") : QString()) + locale.moneySign();
    if (magnitude >= Large) { // no forecast knows more than three digits of so much
        const bool isMillions = magnitude >= Million;
        const double shown = magnitude / (isMillions ? Million : core::Kilo);
        text += locale.toString(shown, 'f', shown >= 100 ? 0 : shown >= 10 ? 1 : 2);
        text += QLatin1Char(isMillions ? 'M' : 'k');
        return text;
    }
    const int decimals = magnitude == 0 || magnitude >= 1 ? 2
                         : magnitude >= 0.01              ? 3
                         : magnitude >= 0.001             ? 4
                                                          : 6;
    return text + locale.toString(magnitude, 'f', magnitude >= 1000 ? 0 : decimals);
}

/// A count as it is, a share or a score in three digits.
QString plainText(double value, const QLocale& locale)
{
    constexpr double Whole = 1000;
    constexpr int Digits = 3;
    constexpr double Least = 1e-3; // from there on Qt writes exponents
    const bool isCount = value == std::floor(value) || std::abs(value) >= Whole;
    return isCount                   ? countText(value, locale)
           : std::abs(value) < Least ? valueText(value, Unit::One, locale)
                                     : locale.toString(value, 'g', Digits);
}

/// Two digits, but never fewer than the whole part.
QString percentText(double percent, const QLocale& locale)
{
    constexpr double Whole = 10;
    return (percent >= Whole ? countText(percent, locale) : locale.toString(percent, 'g', 2)) +
           QStringLiteral(" %");
}

/// "9.9 to 44 h": in the unit of its middle, as no end is known to the second.
QString durationRange(double low, double high, const QLocale& locale)
{
    struct Scale {
        double seconds;
        const char16_t* name;
    };
    constexpr std::array Scales{Scale{Day, u"days"}, Scale{Hour, u"h"}, Scale{Minute, u"min"},
                                Scale{1, u"s"}, Scale{1e-3, u"ms"}};
    constexpr double Several = 2;
    const auto* scale = std::find_if(Scales.begin(), Scales.end() - 1, [&](const Scale& one) {
        return std::sqrt(low * high) >= Several * one.seconds;
    });
    const auto text = [&](double seconds) {
        constexpr double Whole = 9.95;
        const double value = seconds / scale->seconds;
        return value >= Whole ? countText(value, locale) : locale.toString(value, 'g', 2);
    };
    return QStringLiteral("%1 to %2 %3")
        .arg(text(low), text(high), QString::fromUtf16(scale->name));
}

double secondsIn(Unit unit)
{
    switch (unit) {
    case Unit::Seconds: return 1;
    case Unit::Hours: return Hour;
    case Unit::Milliseconds: return 1e-3;
    default: return 0;
    }
}

/// "± 8 %" where both sides are about alike, "133 MB to 201 MB" otherwise.
QString rangeText(const Quantity& figure, const DisplayLocale& locale)
{
    if (figure.low() == figure.high())
        return {};
    constexpr double AboutAlike = 0.005;
    const double down = 1 - figure.low() / figure.value();
    const double up = figure.high() / figure.value() - 1;
    if (figure.value() > 0 && std::abs(up - down) < AboutAlike)
        return QStringLiteral("± ") + percentText(core::PerCent * up, locale);
    if (const double seconds = secondsIn(figure.unit()); seconds > 0 && figure.low() > 0)
        return durationRange(seconds * figure.low(), seconds * figure.high(), locale);
    QString low = headlineText(figure.low(), figure.unit(), locale);
    QString high = headlineText(figure.high(), figure.unit(), locale);
    for (QString* end : {&low, &high})
        end->remove(QStringLiteral(" CO₂e")); // it stands beside, and there is little room
    // "1.03 to 12.4 g": a unit that both have is said once; " h 36 min" is more than a unit.
    const QString unit = high.mid(high.indexOf(QLatin1Char(' ')));
    const bool isUnit = unit.startsWith(QLatin1Char(' ')) &&
                        std::none_of(unit.begin(), unit.end(), [](QChar c) { return c.isDigit(); });
    if (isUnit && low.endsWith(unit) && low.indexOf(QLatin1Char(' ')) == low.size() - unit.size())
        low.chop(unit.size());
    return QStringLiteral("%1 to %2").arg(low, high);
}

QString differenceText(const Quantity& now, const Quantity& before, const QLocale& locale)
{
    if (!now.isAvailable())
        return {}; // the reason is more to the point
    if (!before.isAvailable())
        return QStringLiteral("new to baseline");
    if (now.value() == before.value())
        return QStringLiteral("as the baseline");
    const QString arrow =
        now.value() > before.value() ? QStringLiteral("▲ ") : QStringLiteral("▼ ");
    if (before.value() == 0)
        return arrow + QStringLiteral("baseline 0");
    constexpr double ManyTimes = 10;
    const double ratio = now.value() / before.value();
    if (ratio >= ManyTimes)
        return arrow + QStringLiteral("%1 x baseline").arg(numberText(ratio, locale));
    return arrow + percentText(std::abs(ratio - 1) * core::PerCent, locale) +
           QStringLiteral(" vs base");
}

bool isMoney(Unit unit)
{
    return unit == Unit::Usd || unit == Unit::UsdPerHour || unit == Unit::UsdPerKilowattHour;
}

std::vector<ExplanationRow> explanationOf(const Quantity& figure, const DisplayLocale& locale)
{
    std::vector<ExplanationRow> rows;
    rows.push_back({QStringLiteral("Basis"), toQString(core::name(figure.basis())) +
                                                 QStringLiteral(": ") + meaningOf(figure.basis())});
    if (!figure.isAvailable()) {
        rows.push_back({QStringLiteral("Why"), readable(figure.how().note.text())});
        return rows;
    }
    if (figure.low() < figure.high())
        rows.push_back({QStringLiteral("Interval"), intervalText(figure, locale)});
    if (isMoney(figure.unit()) && locale.isConverted())
        rows.push_back({QStringLiteral("In US dollars"),
                        QStringLiteral("%1; %2 (assumed)")
                            .arg(figureText(figure, QLocale(locale)), locale.rateText())});
    core::How formula = figure.how();
    formula.note = {};
    if (formula.formula != nullptr)
        rows.push_back({QStringLiteral("How"), readable(formula.sentence())});
    if (!figure.how().note.empty())
        rows.push_back({QStringLiteral("Source"), readable(figure.how().note.text())});
    return rows;
}

} // namespace

bool isRough(const Quantity& figure)
{
    constexpr double MostApart = 1.5;
    return figure.basis() == Basis::Measured && figure.high() > MostApart * figure.low();
}

QString meaningOf(Basis basis)
{
    switch (basis) {
    case Basis::Exact: return QStringLiteral("follows from the design");
    case Basis::Measured: return QStringLiteral("timed on a machine with this design");
    case Basis::Listed: return QStringLiteral("from a dated source");
    case Basis::Forecast:
        return QStringLiteral("computed; the interval holds the truth in 80 of 100 cases");
    case Basis::Assumed: return QStringLiteral("rests on a default that you can change");
    case Basis::Unavailable: return QStringLiteral("not known, which is not zero");
    }
    return {};
}

QString headlineText(double value, Unit unit, const DisplayLocale& locale)
{
    constexpr double Grams = 1000;
    switch (unit) {
    case Unit::Seconds: return shortDuration(value, locale);
    case Unit::Hours: return shortDuration(value * Hour, locale);
    case Unit::Milliseconds: return shortDuration(value / 1000, locale);
    case Unit::Usd: return shortMoney(value, locale);
    case Unit::KilowattHours: return scaledText(value * Grams, u"Wh", locale);
    case Unit::KilogramsCo2e:
        return valueText(value, unit, locale)
            .replace(QStringLiteral("CO2e"), QStringLiteral("CO₂e"));
    case Unit::One: return plainText(value, locale);
    case Unit::Percent:
    case Unit::GramsPerKilowattHour:
    case Unit::UsdPerHour:
    case Unit::UsdPerKilowattHour: return valueText(value, unit, locale);
    default: return scaledText(value, toQString(core::symbol(unit)), locale);
    }
}

QString numberText(double value, const QLocale& locale)
{
    constexpr double Whole = 100;
    constexpr double Tiny = 0.001;
    const double magnitude = std::abs(value);
    if (magnitude >= Whole)
        return countText(value, locale);
    if (magnitude < Tiny && magnitude > 0)
        return locale.toString(value, 'f',
                               static_cast<int>(-std::floor(std::log10(magnitude))) + 2);
    const int decimals = magnitude >= Whole / 10 ? 1 : magnitude >= 1 ? 2 : 3;
    QString text = locale.toString(value, 'f', decimals);
    while (text.contains(locale.decimalPoint()) && text.endsWith(locale.zeroDigit()))
        text.chop(1);
    return text.endsWith(locale.decimalPoint()) ? text.chopped(1) : text;
}

QString FigureView::spoken() const
{
    QStringList parts{label + QStringLiteral(": ") + value, basisWord, detail, place, difference};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

FigureView makeFigureView(const QString& label, const Quantity& figure, const Quantity* baseline,
                          const DisplayLocale& locale)
{
    FigureView view;
    view.label = label;
    view.basis = figure.basis();
    view.isRough = isRough(figure);
    view.basisWord = toQString(core::name(figure.basis()));
    if (view.isRough)
        view.basisWord += QStringLiteral(", roughly");
    view.value = figure.isAvailable() ? headlineText(figure.value(), figure.unit(), locale)
                                      : QStringLiteral("–");
    view.detail =
        figure.isAvailable() ? rangeText(figure, locale) : toQString(figure.how().note.text());
    if (baseline != nullptr)
        view.difference = differenceText(figure, *baseline, locale);
    view.explanation = explanationOf(figure, locale);
    return view;
}

} // namespace outlay::gui
