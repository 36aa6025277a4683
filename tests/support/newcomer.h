// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The newcomer's path by mouse alone: from the open window to an exported dashboard of an own design with a
// measurement.
#pragma once

#include "gui/window/main_window.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QElapsedTimer>
#include <QFile>
#include <QFileDialog>
#include <QPushButton>
#include <QSlider>
#include <QTest>

#include <functional>

namespace outlay::tests {

class Newcomer {
public:
    explicit Newcomer(gui::MainWindow& window) : m_window(window) {}

    /// False where a widget of the path is missing or the window doesn't get on within a minute.
    [[nodiscard]] bool choose(const QString& name, const QString& text);
    [[nodiscard]] bool moveSlider(const QString& name, double share);
    [[nodiscard]] bool measure();
    /// Under the name that the dialog for files offers; where the picture is, or nothing.
    [[nodiscard]] QString exportPicture();

    [[nodiscard]] int clicks() const { return m_clicks; }
    /// That the path waited for the program.
    [[nodiscard]] double waitedS() const { return m_waitedS; }

private:
    template <typename T>
    [[nodiscard]] T* seen(const QString& name) const
    {
        for (T* widget : m_window.findChildren<T*>(name)) {
            if (widget->isVisible())
                return widget;
        }
        return nullptr;
    }
    bool click(QWidget* widget, const QPoint& at);
    bool click(QWidget* widget)
    {
        return widget != nullptr && click(widget, widget->rect().center());
    }
    bool waitFor(const std::function<bool()>& is);

    gui::MainWindow& m_window;
    int m_clicks = 0;
    double m_waitedS = 0;
};

inline bool Newcomer::click(QWidget* widget, const QPoint& at)
{
    ++m_clicks;
    QTest::mouseClick(widget, Qt::LeftButton, {}, at);
    return true;
}

inline bool Newcomer::waitFor(const std::function<bool()>& is)
{
    constexpr int MostMs = 60'000;
    QElapsedTimer timer;
    timer.start();
    const bool was = QTest::qWaitFor(is, MostMs);
    QTest::qWait(1); // what is replaced goes
    m_waitedS += static_cast<double>(timer.elapsed()) / 1000;
    return was;
}

inline bool Newcomer::choose(const QString& name, const QString& text)
{
    auto* box = seen<QComboBox>(name);
    if (!click(box) || !waitFor([&] { return box->view()->isVisible(); }))
        return false;
    const int row = box->findText(text);
    const QModelIndex index = box->model()->index(row, 0);
    if (row < 0)
        return false;
    box->view()->scrollTo(index);
    QTest::qWait(2 * QApplication::doubleClickInterval()); // so soon a list takes no second click
    click(box->view()->viewport(), box->view()->visualRect(index).center());
    return waitFor([&] { return box->currentText() == text; });
}

inline bool Newcomer::moveSlider(const QString& name, double share)
{
    auto* slider = seen<QSlider>(name);
    if (slider == nullptr)
        return false;
    const int before = slider->value();
    const QPoint to(static_cast<int>(share * slider->width()), slider->height() / 2);
    click(slider, to);
    return slider->value() != before;
}

inline bool Newcomer::measure()
{
    return click(seen<QPushButton>(QStringLiteral("probeButton"))) && waitFor([&] {
               return m_window.document().report().training.here.basis() == core::Basis::Measured;
           });
}

inline QString Newcomer::exportPicture()
{
    for (const QString& name : {QStringLiteral("buttonExport"), QStringLiteral("pictureAccept")}) {
        if (!waitFor([&] { return seen<QAbstractButton>(name) != nullptr; }))
            return {};
        click(seen<QAbstractButton>(name));
    }
    const auto dialog = [&] { return m_window.findChild<QFileDialog*>(); };
    if (!waitFor([&] { return dialog() != nullptr && dialog()->isVisible(); }))
        return {};
    const QString path = dialog()->selectedFiles().value(0);
    auto* buttons = dialog()->findChild<QDialogButtonBox*>();
    if (buttons == nullptr || !click(buttons->button(QDialogButtonBox::Save)))
        return {};
    return waitFor([&] { return QFile::exists(path); }) ? path : QString();
}

} // namespace outlay::tests
