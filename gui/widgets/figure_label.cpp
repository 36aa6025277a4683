// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/figure_label.h"

#include "gui/widgets/badge.h"
#include "gui/widgets/card.h"
#include "gui/widgets/focus_frame.h"
#include "gui/widgets/labels.h"

#include <QEvent>
#include <QGridLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QScreen>
#include <QVBoxLayout>

#include <array>

namespace outlay::gui {
namespace {

/// A card in a window of its own that never takes the focus.
QWidget* makeExplanation(const FigureView& view, QWidget* owner)
{
    auto* card = new Card(view.label, owner);
    card->setWindowFlags(Qt::ToolTip);
    card->setAttribute(Qt::WA_DeleteOnClose);
    card->setAttribute(Qt::WA_ShowWithoutActivating);
    card->setObjectName(QStringLiteral("explanation"));
    card->setSubtitle(view.value);
    card->setFixedWidth(size::ExplainWidth);
    auto* rows = new QGridLayout;
    rows->setHorizontalSpacing(size::Medium);
    rows->setVerticalSpacing(size::Tiny);
    rows->setColumnStretch(1, 1);
    int row = 0;
    for (const ExplanationRow& line : view.explanation) {
        rows->addWidget(makeQuietLabel(line.name, TypeRole::Secondary, card), row, 0, Qt::AlignTop);
        rows->addWidget(makeLabel(line.text, TypeRole::Secondary, card, Wrap::Yes), row, 1);
        ++row;
    }
    card->content()->addLayout(rows);
    return card;
}

TypeRole valueRole(FigureLabel::Size size)
{
    switch (size) {
    case FigureLabel::Size::Headline: return TypeRole::Figure;
    case FigureLabel::Size::Inline: return TypeRole::CardTitle;
    case FigureLabel::Size::Line: break;
    }
    return TypeRole::StrongBody;
}

} // namespace

FigureLabel::FigureLabel(Size size, const QString& name, QWidget* parent)
    : QFrame(parent), m_size(size), m_label(new ElidedLabel(TypeRole::Secondary, this)),
      m_value(new ElidedLabel(valueRole(size), this)),
      m_detail(new ElidedLabel(TypeRole::Secondary, this)),
      m_place(new ElidedLabel(TypeRole::Secondary, this)),
      m_difference(new ElidedLabel(TypeRole::Secondary, this)), m_badge(new Badge(this)),
      m_layout(new QGridLayout(this))
{
    setObjectName(name);
    setFocusPolicy(Qt::StrongFocus);
    m_label->setForegroundRole(SecondaryText);
    m_detail->setForegroundRole(SecondaryText);
    m_place->setForegroundRole(SecondaryText);
    m_place->setSmallerRoles({TypeRole::Axis});
    m_place->setFirstWordOptional();
    m_place->setVisible(m_size == Size::Headline);
    m_value->setSmallerRoles({TypeRole::PageTitle, TypeRole::CardTitle, TypeRole::Secondary});
    m_label->setSmallerRoles({TypeRole::Axis});
    m_layout->setHorizontalSpacing(size::Small);
    if (m_size == Size::Line)
        placeInLine();
    else
        placeInRows();
    m_difference->setSmallerRoles({TypeRole::Axis});
    m_detail->setSmallerRoles({TypeRole::Axis});
    m_difference->hide();
}

void FigureLabel::placeInLine()
{
    m_layout->setContentsMargins(size::Tiny, 0, size::Tiny, 0);
    m_layout->setVerticalSpacing(0);
    // Label and value are whole; the detail has what is left, and is in the card where that is little.
    constexpr std::array Shares{4, 3, 4};
    for (int column = 0; column < static_cast<int>(Shares.size()); ++column)
        m_layout->setColumnStretch(column, Shares.at(static_cast<std::size_t>(column)));
    m_label->setSmallerRoles({TypeRole::Axis});
    m_value->setSmallerRoles({TypeRole::Secondary});
    m_detail->setWholeOrNothing();
    m_layout->addWidget(m_label, 0, 0);
    m_layout->addWidget(m_value, 0, 1);
    m_layout->addWidget(m_detail, 0, 2);
    m_layout->addWidget(m_difference, 0, 2);
    m_layout->addWidget(m_badge, 0, 3);
}

void FigureLabel::placeInRows()
{
    m_layout->setContentsMargins(size::Small, size::Tiny, size::Small, size::Tiny);
    m_layout->setVerticalSpacing(size::Tiny);
    m_layout->setColumnStretch(0, 1);
    m_layout->addWidget(m_label, 0, 0);
    m_layout->addWidget(m_badge, 0, 1);
    m_layout->addWidget(m_value, 1, 0, 1, 2);
    // With a baseline the difference is the news; the interval is in the card.
    m_layout->addWidget(m_detail, 3, 0, 1, 2);
    m_layout->addWidget(m_difference, 3, 0, 1, 2);
    m_layout->addWidget(m_place, 4, 0, 1, 2);
}

void FigureLabel::show(const FigureView& view)
{
    if (view == m_view)
        return;
    m_view = view;
    m_label->setWholeText(view.label);
    m_value->setWholeText(view.value);
    m_detail->setWholeText(view.detail);
    m_place->setWholeText(view.place);
    m_difference->setWholeText(view.difference);
    m_badge->setBasis(view.basis, view.isRough, view.basisWord);
    setAccessibleName(view.spoken());
    setAccessibleDescription(QStringLiteral("Press Enter for how it was got"));
    fitLine();
    if (m_card != nullptr)
        explain();
}

/// In a line, what is left beside label, value and badge goes to the detail.
void FigureLabel::fitLine()
{
    const bool hasDifference = !m_view.difference.isEmpty();
    bool hasRoom = true;
    if (m_size == Size::Line) {
        constexpr int LeastValue = 5 * size::Large; // so that values stand below one another
        constexpr int LeastDetail = 4 * size::Large;
        const auto widthOf = [](const QLabel& label, TypeRole role) {
            return QFontMetrics(fontOf(role)).horizontalAdvance(label.text()) + size::Tiny;
        };
        const int all = width() - m_badge->sizeHint().width() - 4 * size::Small;
        int name = widthOf(*m_label, TypeRole::Secondary);
        int value = std::max(LeastValue, widthOf(*m_value, TypeRole::StrongBody));
        hasRoom = all - name - value >= LeastDetail;
        if (all < name + value) {
            name = widthOf(*m_label, TypeRole::Axis);
            value = widthOf(*m_value, TypeRole::Secondary);
        }
        m_label->setMinimumWidth(name);
        m_value->setMinimumWidth(value);
    }
    m_difference->setVisible(hasDifference && hasRoom);
    m_detail->setVisible(!hasDifference && hasRoom);
}

void FigureLabel::explain()
{
    closeCard();
    m_card = makeExplanation(m_view, this);
    m_card->adjustSize();
    QPoint at = mapToGlobal(QPoint(0, height() + size::Tiny));
    const QRect room = screen()->availableGeometry();
    at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - m_card->width())));
    if (at.y() + m_card->height() > room.bottom())
        at.setY(mapToGlobal(QPoint()).y() - m_card->height() - size::Tiny);
    m_card->move(at);
    m_card->show();
}

void FigureLabel::closeCard()
{
    if (m_card != nullptr)
        m_card->close();
    m_card = nullptr;
}

bool FigureLabel::event(QEvent* event)
{
    // A tooltip's own delay and place, with a card for its content.
    if (event->type() == QEvent::ToolTip) {
        explain();
        return true;
    }
    // While the card is open, Esc is for it and not for the window's actions.
    if (event->type() == QEvent::ShortcutOverride && m_card != nullptr &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QFrame::event(event);
}

void FigureLabel::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter ||
                         event->key() == Qt::Key_Space;
    if (isEnter)
        m_card == nullptr ? explain() : closeCard();
    else if (event->key() == Qt::Key_Escape && m_card != nullptr)
        closeCard();
    else
        QFrame::keyPressEvent(event);
}

void FigureLabel::focusInEvent(QFocusEvent* event)
{
    QFrame::focusInEvent(event);
    update();
}

void FigureLabel::focusOutEvent(QFocusEvent* event)
{
    closeCard();
    QFrame::focusOutEvent(event);
    update();
}

void FigureLabel::leaveEvent(QEvent* event)
{
    if (!hasFocus())
        closeCard();
    QFrame::leaveEvent(event);
}

void FigureLabel::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    if (m_size == Size::Line)
        return fitLine();
    const bool isBeside = width() >= size::BadgeBesideFrom;
    m_layout->removeWidget(m_badge);
    m_layout->addWidget(m_badge, isBeside ? 0 : 2, isBeside ? 1 : 0, Qt::AlignLeft);
}

void FigureLabel::paintEvent(QPaintEvent*)
{
    paintFocusFrame(*this);
}

} // namespace outlay::gui
