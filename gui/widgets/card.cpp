// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/card.h"

#include "gui/widgets/labels.h"

#include <QPainter>
#include <QPaintEvent>
#include <QVBoxLayout>

namespace outlay::gui {

Card::Card(QWidget* parent) : QFrame(parent), m_content(new QVBoxLayout(this))
{
    m_content->setContentsMargins(size::Large, size::Medium, size::Large, size::Large);
    m_content->setSpacing(size::Small);
}

Card::Card(const QString& title, QWidget* parent) : Card(parent)
{
    auto* head = new QVBoxLayout;
    head->setSpacing(size::Tiny / 2);
    head->addWidget(makeLabel(title, TypeRole::CardTitle, this));
    m_subtitle = new ElidedLabel(TypeRole::Secondary, this);
    m_subtitle->setForegroundRole(SecondaryText);
    head->addWidget(m_subtitle);
    m_content->addLayout(head);
    setAccessibleName(title);
}

void Card::setSubtitle(const QString& text)
{
    m_subtitle->setWholeText(text);
    setAccessibleDescription(text);
}

void Card::paintEvent(QPaintEvent* event)
{
    const Tokens& tokens = tokensOf(palette());
    constexpr double Half = 0.5;
    constexpr int Edge = size::CardRadius;
    QPainter painter(this);
    // Mostly a figure inside has changed: then corners and border stay as they are.
    if (rect().adjusted(Edge, Edge, -Edge, -Edge).contains(event->rect()))
        return painter.fillRect(event->rect(), tokens.card);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(tokens.cardBorder);
    painter.setBrush(tokens.card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(Half, Half, -Half, -Half), size::CardRadius,
                            size::CardRadius);
}

} // namespace outlay::gui
