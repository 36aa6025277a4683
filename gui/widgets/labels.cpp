// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/labels.h"

#include <QEvent>
#include <QPainter>
#include <QStyle>

#include <algorithm>

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
    for (ElidedLabel* peer : m_peers)
        peer->update();
}

void ElidedLabel::setSmallerRoles(std::vector<TypeRole> roles)
{
    m_smaller = std::move(roles);
    m_fittedWidth = -1;
    update();
}

void ElidedLabel::setPeers(std::vector<ElidedLabel*> peers)
{
    m_peers = std::move(peers);
    m_fittedWidth = -1;
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
    fit();
    painter.setFont(m_chosen);
    const QSize size = m_shown.size().toSize();
    const QRect place = QStyle::alignedRect(layoutDirection(), alignment(), size, rect());
    painter.drawStaticText(place.topLeft(), m_shown);
}

void ElidedLabel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange)
        m_fittedWidth = -1;
    QLabel::changeEvent(event);
}

bool ElidedLabel::fitsIn(const QFont& font) const
{
    return QFontMetrics(font).horizontalAdvance(text()) <= width();
}

QFont ElidedLabel::fontAt(std::size_t step) const
{
    return step == 0 ? font() : fontOf(m_smaller.at(step - 1));
}

/// The first of its sizes in which the text is whole, else the last.
std::size_t ElidedLabel::neededStep() const
{
    std::size_t step = 0;
    while (step < m_smaller.size() && !fitsIn(fontAt(step)))
        ++step;
    return step;
}

void ElidedLabel::fit()
{
    const bool isFitted = m_fitted == text() && m_fittedWidth == width();
    if (isFitted && m_peers.empty())
        return;
    std::size_t step = neededStep();
    for (const ElidedLabel* peer : m_peers)
        step = std::max(step, std::min(peer->neededStep(), m_smaller.size()));
    if (isFitted && step == m_step)
        return;
    m_fitted = text();
    m_fittedWidth = width();
    m_step = step;
    m_chosen = fontAt(m_step);
    m_shown.setTextFormat(Qt::PlainText);
    m_shown.setText(fitsIn(m_chosen) ? m_fitted : cut());
    m_shown.prepare({}, m_chosen);
}

/// Whole parts, if one has room; what is said in brackets goes first.
QString ElidedLabel::cut() const
{
    QString shown = m_fitted;
    const QFontMetrics metrics(m_chosen);
    const auto elided = [&] { return metrics.elidedText(shown, Qt::ElideRight, m_fittedWidth); };
    while (elided() != shown) {
        const qsizetype aside =
            shown.endsWith(QLatin1Char(')')) ? shown.lastIndexOf(QStringLiteral(" (")) : -1;
        const qsizetype last = aside > 0 ? aside : shown.lastIndexOf(QStringLiteral(" · "));
        if (last <= 0)
            break;
        shown.truncate(last); // the tooltip has the rest
    }
    const qsizetype word = shown.indexOf(QLatin1Char(' '));
    if (m_isFirstWordOptional && elided() != shown && word > 0)
        shown.remove(0, word + 1);
    return m_isWholeOrNothing && elided() != shown ? QString() : elided();
}

QFont ElidedLabel::shownFont()
{
    fit();
    return m_chosen;
}

bool ElidedLabel::isCut()
{
    fit();
    const QChar ellipsis(0x2026);
    return m_shown.text().endsWith(ellipsis) && !m_fitted.endsWith(ellipsis);
}

} // namespace outlay::gui
