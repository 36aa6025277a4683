// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/top_bar.h"

#include "gui/style/flat_style.h"
#include "gui/style/icons.h"
#include "gui/widgets/labels.h"
#include "gui/window/actions.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace outlay::gui {

TopBar::TopBar(const Actions& actions, QMenu* menu, QWidget* parent)
    : QWidget(parent), m_actions(actions), m_layout(new QHBoxLayout(this)),
      m_pageLayout(new QHBoxLayout), m_pages(new QButtonGroup(this))
{
    setObjectName(QStringLiteral("topBar"));
    m_layout->setContentsMargins(size::Large, size::Small, size::Large, size::Small);
    m_layout->setSpacing(size::Tiny);
    m_layout->addWidget(makeLabel(QStringLiteral("outlay"), TypeRole::CardTitle, this));
    m_layout->addSpacing(size::Small);
    for (const char* id : {"actionOpen", "actionSave", "actionPin", "actionUndo", "actionRedo"})
        addButton(actions, QLatin1String(id));
    m_layout->addStretch(1);
    m_layout->addLayout(m_pageLayout);
    m_pageList = new QComboBox(this); // made in the order in which the keys come by
    m_pageList->setObjectName(QStringLiteral("pageList"));
    m_pageList->setAccessibleName(QStringLiteral("Page"));
    m_pageList->hide();
    connect(m_pageList, &QComboBox::activated, this, &TopBar::pageChosen);
    m_layout->addWidget(m_pageList);
    m_layout->addStretch(1);
    addButton(actions, QStringLiteral("actionExport"));
    m_menu = new QToolButton(this);
    m_menu->setObjectName(QStringLiteral("menuButton"));
    m_menu->setAccessibleName(QStringLiteral("Menu"));
    m_menu->setToolTip(QStringLiteral("Menu (F10)"));
    m_menu->setShortcut(Qt::Key_F10);
    m_menu->setAutoRaise(true);
    m_menu->setFocusPolicy(Qt::StrongFocus);
    m_menu->setPopupMode(QToolButton::InstantPopup);
    m_menu->setMenu(menu);
    m_layout->addWidget(m_menu);
    m_probe = new QPushButton(QStringLiteral("Run probe"), this);
    m_probe->setObjectName(QStringLiteral("probeButton"));
    m_probe->setToolTip(actions[QStringLiteral("actionProbe")]->toolTip());
    setMainButton(m_probe);
    m_layout->addWidget(m_probe);
    connect(m_probe, &QPushButton::clicked, actions[QStringLiteral("actionProbe")],
            &QAction::trigger);
    connect(m_pages, &QButtonGroup::idClicked, this, &TopBar::pageChosen);
    applyTheme();
}

QToolButton* TopBar::addButton(const Actions& actions, const QString& id)
{
    auto* button = new QToolButton(this);
    button->setDefaultAction(actions[id]);
    button->setObjectName(QString(id).replace(QStringLiteral("action"), QStringLiteral("button")));
    button->setAccessibleName(actions[id]->text());
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    m_layout->addWidget(button);
    m_buttons.push_back(button);
    return button;
}

void TopBar::addPage(const QString& id, const QString& title)
{
    const int index = static_cast<int>(m_pages->buttons().size());
    auto* button = new QToolButton(this);
    button->setObjectName(id + QStringLiteral("Button"));
    button->setText(title);
    button->setAccessibleName(title + QStringLiteral(" page"));
    button->setCheckable(true);
    button->setChecked(index == 0);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    constexpr int KeyOfTenth = 9; // behind 9 lies 0
    const int digit = index == KeyOfTenth ? Qt::Key_0 : static_cast<int>(Qt::Key_1) + index;
    const QKeySequence keys(static_cast<int>(Qt::CTRL) | digit);
    // Not the button's own shortcut: that would wait for an animation.
    auto* key = new QAction(title, this);
    key->setShortcut(keys);
    addAction(key);
    connect(key, &QAction::triggered, this, [this, index] { Q_EMIT pageChosen(index); });
    button->setToolTip(
        QStringLiteral("%1 (%2)").arg(title, keys.toString(QKeySequence::NativeText)));
    setTabOrder(index == 0 ? m_pageList : static_cast<QWidget*>(m_pages->button(index - 1)),
                button);
    m_pages->addButton(button, index);
    m_pageLayout->addWidget(button);
    m_pageList->addItem(title);
    fitButtons();
}

void TopBar::setPage(int index)
{
    m_pages->button(index)->setChecked(true);
    m_pageList->setCurrentIndex(index);
}

void TopBar::setRunning(bool isRunning)
{
    m_probe->setText(isRunning ? QStringLiteral("Measuring…") : QStringLiteral("Run probe"));
    m_probe->setEnabled(!isRunning);
    fitButtons(); // it is as wide as its words
}

void TopBar::applyTheme()
{
    const Tokens& tokens = tokensOf(palette());
    m_probe->setIcon(iconOf(QStringLiteral("play"), tokens.onAccent));
    m_menu->setIcon(iconOf(QStringLiteral("menu"), tokens.text));
}

void TopBar::paintEvent(QPaintEvent*)
{
    const Tokens& tokens = tokensOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), tokens.card);
    painter.setPen(tokens.cardBorder);
    painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

void TopBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitButtons();
}

/// Only now they have the fonts that they are shown with.
void TopBar::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    fitButtons();
}

/// Whether all of it has room then.
bool TopBar::fitsWith(bool hasPages, bool hasTexts)
{
    for (QAbstractButton* button : m_pages->buttons())
        button->setVisible(hasPages);
    m_pageList->setVisible(!hasPages);
    for (QToolButton* button : m_buttons) {
        const bool isPlain = button->objectName() == QLatin1String("buttonUndo") ||
                             button->objectName() == QLatin1String("buttonRedo");
        button->setToolButtonStyle(hasTexts && !isPlain ? Qt::ToolButtonTextBesideIcon
                                                        : Qt::ToolButtonIconOnly);
    }
    m_pageLayout->invalidate(); // it keeps what its buttons asked for before they had their font
    m_layout->invalidate();
    return m_layout->sizeHint().width() <= width();
}

/// A button a page says more than words beside icons that are known.
void TopBar::fitButtons()
{
    if (fitsWith(true, true) || fitsWith(true, false) || fitsWith(false, true))
        return;
    (void)fitsWith(false, false);
}

void TopBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_probe != nullptr)
        applyTheme();
}

} // namespace outlay::gui
