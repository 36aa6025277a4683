// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A window that is used for long: measurements one after the other, to their ends or cancelled at random moments, and
// what people do over a day.
#pragma once

#include "gui/widgets/message_bar.h"
#include "tests/gui/window_test.h"
#include "tests/support/footprint.h"
#include "tests/support/window_monkey.h"

#include <QAction>
#include <QDialog>

#include <random>

namespace outlay::gui {

class LongUse {
public:
    /// `folder`: where it saves.
    LongUse(MainWindow& window, const QString& folder, unsigned seed)
        : m_window(window), m_monkey(window, seed), m_random(seed),
          m_file(folder + QStringLiteral("/long_use.json"))
    {
    }

    /// False where it doesn't end.
    [[nodiscard]] bool probe()
    {
        trigger("actionProbe");
        return awaitRest();
    }

    /// Cancelled at a moment of its first `withinMs`, whatever it does then.
    [[nodiscard]] bool cancelledProbe(int withinMs)
    {
        trigger("actionProbe");
        QTest::qWait(std::uniform_int_distribution<int>(0, withinMs)(m_random));
        return cancel();
    }

    void save()
    {
        if (const auto saved = m_window.files().saveAs(m_file); !saved)
            qFatal("%s", saved.error().sentence().c_str());
    }

    /// As a person acts, and now and then what a monkey on keys doesn't find: dialogs, a file, a measurement.
    void act()
    {
        constexpr int Now = 40;
        if (std::uniform_int_distribution<int>(1, Now)(m_random) > 1)
            m_monkey.act();
        else
            actRarely();
        // As an event loop does behind each: else what the window has dropped would pile up.
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

private:
    void actRarely()
    {
        switch (std::uniform_int_distribution<int>(0, 6)(m_random)) {
        case 0: return lookAt("actionAbout");
        case 1: return lookAt("actionHelp");
        case 2: return lookAt("actionSettings");
        case 3: return lookAt("actionChange");
        case 4: return save();
        case 5: return trigger("actionCopy");
        default: static_cast<void>(probe());
        }
    }

    void trigger(const char* action) { find<QAction>(m_window, action)->trigger(); }

    void lookAt(const char* action)
    {
        trigger(action);
        QCoreApplication::processEvents();
        for (QDialog* dialog : m_window.findChildren<QDialog*>())
            dialog->close();
        QCoreApplication::processEvents();
    }

    /// Nothing runs, and what ran was collected.
    [[nodiscard]] bool awaitRest()
    {
        constexpr int Longest = 60'000;
        return QTest::qWaitFor(
            [this] { return !m_window.isMeasuring() && core::ProcessTree::members().empty(); },
            Longest);
    }

    [[nodiscard]] bool cancel()
    {
        // The first Escape may close a message.
        for (int i = 0; i < 2 && m_window.isMeasuring(); ++i)
            trigger("actionCancel");
        return awaitRest();
    }

    MainWindow& m_window;
    WindowMonkey m_monkey;
    std::mt19937 m_random;
    QString m_file;
};

} // namespace outlay::gui
