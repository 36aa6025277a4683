// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/labels.h"

#include <QPainter>

namespace outlay::gui {

QLabel* makeLabel(const QString& text, TypeRole role, QWidget* parent, Wrap wrap)
{
    auto* label = new QLabel(text, parent);
    label->setFont(fontOf(role));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(wrap == Wrap::Yes);
    return label;
}

QLabel* makeQuietLabel(const QString& text, TypeRole role, QWidget* parent, Wrap wrap)
{
    QLabel* label = makeLabel(text, role, parent, wrap);
    label->setForegroundRole(SecondaryText);
    return label;
}

ElidedLabel::ElidedLabel(TypeRole role, QWidget* parent) : QLabel(parent)
{
    setFont(fontOf(role));
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void ElidedLabel::setWholeText(const QString& text)
{
    if (text == this->text())
        return;
    setText(text);
    setToolTip(text);
}

void ElidedLabel::setSmallerRoles(std::vector<TypeRole> roles)
{
    m_smaller = std::move(roles);
    update();
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 4, fontMetrics().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(
        palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, foregroundRole()));
    QFont chosen = font();
    for (const TypeRole role : m_smaller) {
        if (QFontMetrics(chosen).horizontalAdvance(text()) <= width())
            break;
        chosen = fontOf(role);
    }
    painter.setFont(chosen);
    const QString shown = QFontMetrics(chosen).elidedText(text(), Qt::ElideRight, width());
    painter.drawText(rect(), static_cast<int>(alignment()) | Qt::TextSingleLine, shown);
}

} // namespace outlay::gui
