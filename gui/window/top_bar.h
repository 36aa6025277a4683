// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The window's first row: files at the left, pages in the middle, export and probe at the right.
#pragma once

#include <QWidget>

#include <vector>

class QButtonGroup;
class QComboBox;
class QHBoxLayout;
class QMenu;
class QPushButton;
class QToolButton;

namespace outlay::gui {

class Actions;

class TopBar final : public QWidget {
    Q_OBJECT
public:
    TopBar(const Actions& actions, QMenu* menu, QWidget* parent);

    /// Pages are chosen with Ctrl+1, Ctrl+2, ...
    void addPage(const QString& id, const QString& title);
    void setPage(int index);
    void setRunning(bool isRunning);

Q_SIGNALS:
    void pageChosen(int index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QToolButton* addButton(const Actions& actions, const QString& id);
    void applyTheme();
    [[nodiscard]] bool fitsWith(bool hasPages, bool hasTexts);
    void fitButtons();

    const Actions& m_actions;
    QHBoxLayout* m_layout;
    QHBoxLayout* m_pageLayout;
    QButtonGroup* m_pages;
    QComboBox* m_pageList = nullptr;     // in place of the buttons where there is no room for them
    std::vector<QToolButton*> m_buttons; // with text where there is room
    QToolButton* m_menu = nullptr;
    QPushButton* m_probe = nullptr;
};

} // namespace outlay::gui
