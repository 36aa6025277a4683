// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the program remembers between runs: typed rows with defaults; what doesn't pass is the default.
#pragma once

#include "gui/view/display_locale.h"

#include <QSettings>
#include <QStringList>

namespace outlay::gui {

template <typename T>
struct Setting {
    const char* key;
    T usual;
    QString (*check)(const T&); // what is wrong with a value, as a sentence; empty: nothing
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
        return row.check(value).isEmpty() ? value : row.usual;
    }

    template <typename T>
    void set(const Setting<T>& row, const T& value)
    {
        m_store.setValue(QLatin1String(row.key), value);
    }

    /// Most recent first.
    void addRecent(const QString& path);
    void removeRecent(const QString& path);

private:
    /// Keys of older versions get their new names.
    void upgrade();

    QSettings m_store;
};

namespace setting {
[[nodiscard]] const Setting<int>& theme();      // a ThemeChoice
[[nodiscard]] const Setting<QString>& locale(); // empty: the desktop's
[[nodiscard]] const Setting<int>& distance();   // a DistanceUnit
[[nodiscard]] const Setting<QString>& currency();
[[nodiscard]] const Setting<double>& currencyRate();  // what a dollar is worth; 0: not given
[[nodiscard]] const Setting<QString>& currencyAsOf(); // the rate's day; empty: not given
[[nodiscard]] const Setting<QString>& place();        // of new experiments; empty: here
[[nodiscard]] const Setting<QString>& priceBook();    // a file; empty: the usual one
[[nodiscard]] const Setting<QString>& worker();       // a program; empty: the one beside this
[[nodiscard]] const Setting<double>& probeSeconds();
[[nodiscard]] const Setting<QString>& programCommand(); // that was measured last
[[nodiscard]] const Setting<QString>& programFolder();  // that it ran in; empty: the current one
[[nodiscard]] const Setting<QString>& trackFolder();    // of experiments; empty: none chosen
[[nodiscard]] const Setting<QStringList>& recent();
[[nodiscard]] const Setting<QByteArray>& windowState();
} // namespace setting

/// The price book and the worker that were chosen, for those who have no settings of their own; nothing is written.
[[nodiscard]] QString storedPriceBook();
[[nodiscard]] QString storedWorker();

/// In dollars unless currency, rate and day are all known.
[[nodiscard]] DisplayLocale displayLocaleOf(const Settings& settings);

} // namespace outlay::gui
