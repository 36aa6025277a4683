// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Does what people do to a window, at random: the same seed does the same.
#pragma once

#include "gui/window/main_window.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLineEdit>
#include <QSlider>
#include <QTest>

#include <random>

namespace outlay::gui {

class WindowMonkey {
public:
    WindowMonkey(MainWindow& window, unsigned seed) : m_window(window), m_random(seed) {}

    void act()
    {
        switch (below(9)) {
        case 0:
        case 1:
        case 2:
            return pressOn<QSlider>({Qt::Key_Right, Qt::Key_Left, Qt::Key_PageUp, Qt::Key_PageDown,
                                     Qt::Key_Home, Qt::Key_End});
        case 3: return typeNumber();
        case 4: return m_window.setPage(static_cast<int>(below(9)));
        case 5: return choosePreset();
        case 6: return press(Qt::Key_Z, Qt::ControlModifier);
        case 7: return press(below(2) == 0 ? Qt::Key_B : Qt::Key_T, Qt::ControlModifier);
        default: return resize();
        }
    }

private:
    std::size_t below(std::size_t count)
    {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(m_random);
    }

    template <typename T>
    T* any()
    {
        QList<T*> seen;
        for (T* widget : m_window.findChildren<T*>()) {
            if (widget->isVisible() && widget->isEnabled())
                seen.append(widget);
        }
        return seen.isEmpty()
                   ? nullptr
                   : seen.at(static_cast<qsizetype>(below(static_cast<std::size_t>(seen.size()))));
    }

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers)
    {
        QTest::keyClick(&m_window, key, modifiers);
    }

    template <typename T>
    void pressOn(const std::vector<Qt::Key>& keys)
    {
        if (T* widget = any<T>()) {
            widget->setFocus();
            QTest::keyClick(widget, keys.at(below(keys.size())));
        }
    }

    void typeNumber()
    {
        static const std::vector<QString> Texts{
            QStringLiteral("0"),   QStringLiteral("1"),      QStringLiteral("17"),
            QStringLiteral("4k"),  QStringLiteral("-3"),     QStringLiteral("1e30"),
            QStringLiteral("abc"), QStringLiteral("64, 32"), QString()};
        if (auto* edit = any<QLineEdit>()) {
            edit->setFocus();
            edit->selectAll();
            QTest::keyClick(edit, Qt::Key_Delete);
            QTest::keyClicks(edit, Texts.at(below(Texts.size())));
            QTest::keyClick(edit, Qt::Key_Return);
        }
    }

    void choosePreset()
    {
        auto* box = m_window.findChild<QWidget*>(QStringLiteral("preset"));
        box->setFocus();
        QTest::keyClick(box, below(2) == 0 ? Qt::Key_Down : Qt::Key_Up);
    }

    void resize()
    {
        m_window.resize(1024 + static_cast<int>(below(900)), 640 + static_cast<int>(below(600)));
    }

    MainWindow& m_window;
    std::mt19937 m_random;
};

} // namespace outlay::gui
