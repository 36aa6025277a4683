// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/settings.h"

#include <utility>

namespace outlay::gui {
namespace {

constexpr int Version = 1;
constexpr qsizetype MostRecent = 10;
const char* const VersionKey = "version";

/// From older versions' names to those of today; none has changed so far.
QList<std::pair<QString, QString>> renames()
{
    return {};
}

} // namespace

Settings::Settings()
    : m_store(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("outlay"),
              QStringLiteral("outlay"))
{
    upgrade();
}

void Settings::upgrade()
{
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

namespace setting {

const Setting<int>& theme()
{
    static const Setting<int> Row{"theme", 0, [](const int& v) { return v >= 0 && v <= 2; }};
    return Row;
}

const Setting<QString>& locale()
{
    static const Setting<QString> Row{"locale", {}, [](const QString& name) {
                                          return name.isEmpty() ||
                                                 QLocale(name).language() != QLocale::C;
                                      }};
    return Row;
}

const Setting<QStringList>& recent()
{
    static const Setting<QStringList> Row{"recent", {}, [](const QStringList&) { return true; }};
    return Row;
}

const Setting<double>& probeSeconds()
{
    constexpr double Usual = 10;
    static const Setting<double> Row{"probe/seconds", Usual, [](const double& seconds) {
                                         constexpr double Least = 0.5;
                                         constexpr double Most = 86400;
                                         return seconds >= Least && seconds <= Most;
                                     }};
    return Row;
}

const Setting<QByteArray>& windowState()
{
    static const Setting<QByteArray> Row{
        "window/geometry", {}, [](const QByteArray&) { return true; }};
    return Row;
}

} // namespace setting

QLocale localeOf(const Settings& settings)
{
    const QString name = settings.value(setting::locale());
    const QLocale locale = name.isEmpty() ? QLocale::system() : QLocale(name);
    // The C locale groups no digits, and this program is in English.
    return locale.language() == QLocale::C ? QLocale(QLocale::English, QLocale::UnitedStates)
                                           : locale;
}

} // namespace outlay::gui
