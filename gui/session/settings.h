// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the program remembers between runs: typed rows with defaults; what doesn't pass is the default.
#pragma once

#include <QLocale>
#include <QSettings>
#include <QStringList>

namespace outlay::gui {

template <typename T>
struct Setting {
    const char* key;
    T usual;
    bool (*check)(const T&);
};

class Settings final {
public:
    Settings();

    template <typename T>
    [[nodiscard]] T value(const Setting<T>& row) const
    {
        const QVariant stored = m_store.value(QLatin1String(row.key));
        const bool isReadable = stored.isValid() && stored.canConvert<T>();
        const T value = isReadable ? stored.value<T>() : row.usual;
        return row.check(value) ? value : row.usual;
    }

    template <typename T>
    void set(const Setting<T>& row, const T& value)
    {
        m_store.setValue(QLatin1String(row.key), value);
    }

    /// Most recent first.
    void addRecent(const QString& path);

private:
    /// Keys of older versions get their new names.
    void upgrade();

    QSettings m_store;
};

namespace setting {
[[nodiscard]] const Setting<int>& theme();      // a ThemeChoice
[[nodiscard]] const Setting<QString>& locale(); // empty: the desktop's
[[nodiscard]] const Setting<QStringList>& recent();
[[nodiscard]] const Setting<double>& probeSeconds();
[[nodiscard]] const Setting<QByteArray>& windowState();
} // namespace setting

[[nodiscard]] QLocale localeOf(const Settings& settings);

} // namespace outlay::gui
