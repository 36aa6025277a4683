// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/settings.h"

#include "core/carbon/carbon_catalog.h"

#include <QDate>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace outlay::gui {
namespace {

constexpr int Version = 2;
constexpr qsizetype MostRecent = 10;
const char* const Program = "outlay";
const char* const VersionKey = "version";

/// From older versions' names to those of today.
QList<std::pair<QString, QString>> renames()
{
    return {{QStringLiteral("recent"), QStringLiteral("files/recent")}};
}

/// Of a row that takes whatever it is given.
template <typename T>
QString anything(const T&)
{
    return {};
}

QString checkIndex(int index, int count)
{
    return index >= 0 && index < count ? QString() : QStringLiteral("Choose one of the list.");
}

QString checkNumber(double value, double least, double most)
{
    return value >= least && value <= most ? QString()
                                           : QStringLiteral("Give a number from %1 to %2.")
                                                 .arg(QLocale::c().toString(least, 'g', 6),
                                                      QLocale::c().toString(most, 'f', 0));
}

QString checkCurrency(const QString& code)
{
    const auto& rows = currencyRows();
    const bool isKnown = std::any_of(rows.begin(), rows.end(), [&](const CurrencyRow& row) {
        return code == QLatin1String(row.code);
    });
    return isKnown ? QString() : QStringLiteral("Choose one of the list.");
}

QString checkDay(const QString& day)
{
    return day.isEmpty() || QDate::fromString(day, Qt::ISODate).isValid()
               ? QString()
               : QStringLiteral("Give a day as year-month-day, such as 2026-11-20.");
}

QString checkPlace(const QString& place)
{
    const auto& catalog = core::carbonCatalog();
    const bool isKnown =
        place.isEmpty() || !catalog || catalog->region(place.toStdString()) != nullptr;
    return isKnown ? QString()
                   : QStringLiteral("No region has this name: give provider and region, such as "
                                    "aws/eu-central-1, or nothing for this machine.");
}

QString checkWorker(const QString& path)
{
    const QFileInfo file(path);
    if (path.isEmpty())
        return {};
    if (!file.isFile())
        return QStringLiteral("There is no such file: choose outlay-probe.");
    return file.isExecutable()
               ? QString()
               : QStringLiteral("This file can't be run: choose outlay-probe, or allow to run it.");
}

} // namespace

Settings::Settings()
    : m_store(QSettings::IniFormat, QSettings::UserScope, QLatin1String(Program),
              QLatin1String(Program))
{
    upgrade();
}

void Settings::upgrade()
{
    // Settings of a newer version are left as they are.
    if (m_store.value(QLatin1String(VersionKey)).toInt() >= Version)
        return;
    for (const auto& [before, now] : renames()) {
        if (m_store.contains(before) && !m_store.contains(now))
            m_store.setValue(now, m_store.value(before));
        m_store.remove(before);
    }
    m_store.setValue(QLatin1String(VersionKey), Version);
}

void Settings::addRecent(const QString& path)
{
    QStringList recent = value(setting::recent());
    recent.removeAll(path);
    recent.prepend(path);
    set(setting::recent(), QStringList(recent.mid(0, MostRecent)));
}

void Settings::removeRecent(const QString& path)
{
    QStringList recent = value(setting::recent());
    recent.removeAll(path);
    set(setting::recent(), recent);
}

namespace setting {

const Setting<int>& theme()
{
    static const Setting<int> Row{"theme", 0, [](const int& v) { return checkIndex(v, 3); }};
    return Row;
}

const Setting<QString>& locale()
{
    static const Setting<QString> Row{
        "locale", {}, [](const QString& name) {
            const bool isKnown = name.isEmpty() || QLocale(name).language() != QLocale::C;
            return isKnown ? QString() : QStringLiteral("Choose one of the list.");
        }};
    return Row;
}

const Setting<int>& distance()
{
    static const Setting<int> Row{"distance", 0, [](const int& v) { return checkIndex(v, 2); }};
    return Row;
}

const Setting<QString>& currency()
{
    static const Setting<QString> Row{"currency/code", QStringLiteral("USD"), checkCurrency};
    return Row;
}

const Setting<double>& currencyRate()
{
    static const Setting<double> Row{"currency/rate", 0, [](const double& rate) {
                                         constexpr double Least = 1e-6;
                                         constexpr double Most = 1e6;
                                         return rate == 0 ? QString()
                                                          : checkNumber(rate, Least, Most);
                                     }};
    return Row;
}

const Setting<QString>& currencyAsOf()
{
    static const Setting<QString> Row{"currency/as_of", {}, checkDay};
    return Row;
}

const Setting<QString>& place()
{
    static const Setting<QString> Row{"experiment/place", {}, checkPlace};
    return Row;
}

const Setting<QString>& priceBook()
{
    // Whether it can be read is found out by reading it, which takes a while.
    static const Setting<QString> Row{"prices/file", {}, anything<QString>};
    return Row;
}

const Setting<QString>& worker()
{
    static const Setting<QString> Row{"probe/worker", {}, checkWorker};
    return Row;
}

const Setting<double>& probeSeconds()
{
    constexpr double Usual = 10;
    static const Setting<double> Row{"probe/seconds", Usual, [](const double& seconds) {
                                         constexpr double Least = 0.5;
                                         constexpr double Most = 86400;
                                         return checkNumber(seconds, Least, Most);
                                     }};
    return Row;
}

const Setting<QString>& programCommand()
{
    static const Setting<QString> Row{"program/command", {}, anything<QString>};
    return Row;
}

const Setting<QString>& programFolder()
{
    static const Setting<QString> Row{"program/folder", {}, anything<QString>};
    return Row;
}

const Setting<QString>& trackFolder()
{
    static const Setting<QString> Row{"track/folder", {}, anything<QString>};
    return Row;
}

const Setting<QStringList>& recent()
{
    static const Setting<QStringList> Row{"files/recent", {}, anything<QStringList>};
    return Row;
}

const Setting<QByteArray>& windowState()
{
    static const Setting<QByteArray> Row{"window/geometry", {}, anything<QByteArray>};
    return Row;
}

} // namespace setting

namespace {

QString storedText(const Setting<QString>& row)
{
    const QSettings store(QSettings::IniFormat, QSettings::UserScope, QLatin1String(Program),
                          QLatin1String(Program));
    return store.value(QLatin1String(row.key)).toString();
}

} // namespace

QString storedPriceBook()
{
    return storedText(setting::priceBook());
}

QString storedWorker()
{
    return storedText(setting::worker());
}

DisplayLocale displayLocaleOf(const Settings& settings)
{
    const QString name = settings.value(setting::locale());
    const QLocale numbers = name.isEmpty() ? QLocale::system() : QLocale(name);
    // The C locale groups no digits, and this program is in English.
    DisplayLocale locale = numbers.language() == QLocale::C
                               ? QLocale(QLocale::English, QLocale::UnitedStates)
                               : numbers;
    locale.distance = static_cast<DistanceUnit>(settings.value(setting::distance()));
    const DisplayCurrency currency{.code = settings.value(setting::currency()),
                                   .perDollar = settings.value(setting::currencyRate()),
                                   .asOf = settings.value(setting::currencyAsOf())};
    const bool isDollar = currency.code == setting::currency().usual;
    if (!isDollar && currency.perDollar > 0 && !currency.asOf.isEmpty())
        locale.currency = currency;
    return locale;
}

} // namespace outlay::gui
