// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/message_bar.h"

#include "gui/style/icons.h"
#include "gui/widgets/labels.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace outlay::gui {
namespace {

QString iconName(BarMessage::Kind kind)
{
    switch (kind) {
    case BarMessage::Kind::Info: return QStringLiteral("info");
    case BarMessage::Kind::Warning: return QStringLiteral("warning");
    case BarMessage::Kind::Error: return QStringLiteral("error");
    }
    return {};
}

QColor colourOf(BarMessage::Kind kind, const Tokens& tokens)
{
    switch (kind) {
    case BarMessage::Kind::Info: return tokens.accent;
    case BarMessage::Kind::Warning: return tokens.caution;
    case BarMessage::Kind::Error: return tokens.bad;
    }
    return tokens.accent;
}

/// Sentences that stand behind a file's name elsewhere begin here. A name stays as it is.
QString capitalised(QString text)
{
    const QString word = text.section(QLatin1Char(' '), 0, 0);
    const bool isWord = std::all_of(word.begin(), word.end(), [](QChar c) { return c.isLetter(); });
    if (isWord && !text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

} // namespace

MessageBar::MessageBar(QWidget* above, QWidget* parent)
    : QFrame(parent), m_above(above), m_icon(new QLabel(this)),
      m_text(makeLabel(QString(), TypeRole::Body, this, Wrap::Yes)),
      m_detailsButton(new QPushButton(QStringLiteral("Details"), this)),
      m_action(new QPushButton(this)), m_close(new QToolButton(this)),
      m_details(new QPlainTextEdit(this))
{
    setObjectName(QStringLiteral("messageBar"));
    m_text->setObjectName(QStringLiteral("messageText"));
    m_detailsButton->setObjectName(QStringLiteral("messageDetails"));
    m_detailsButton->setCheckable(true);
    m_action->setObjectName(QStringLiteral("messageAction"));
    m_close->setObjectName(QStringLiteral("messageClose"));
    m_close->setAccessibleName(QStringLiteral("Close the message"));
    m_close->setToolTip(QStringLiteral("Close the message (Esc)"));
    m_close->setAutoRaise(true);
    m_details->setObjectName(QStringLiteral("messageLog"));
    m_details->setAccessibleName(QStringLiteral("Details of the message"));
    m_details->setReadOnly(true);
    m_details->setFont(fontOf(TypeRole::Mono));
    m_details->setMaximumHeight(size::ChartInPanel);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(size::Large, size::Small, size::Small, size::Small);
    auto* row = new QHBoxLayout;
    row->setSpacing(size::Small);
    row->addWidget(m_icon);
    row->addWidget(m_text, 1);
    row->addWidget(m_detailsButton);
    row->addWidget(m_action);
    row->addWidget(m_close);
    layout->addLayout(row);
    layout->addWidget(m_details);
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_detailsButton, &QPushButton::toggled, m_details, &QWidget::setVisible);
    connect(m_action, &QPushButton::clicked, this, [this] {
        hide();
        if (m_message.action)
            m_message.action();
    });
    m_above->installEventFilter(this);
    hide();
}

/// As high as its words need at this width.
void MessageBar::place()
{
    const QRect above = m_above->geometry();
    const int height = layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(above.width())
                                                     : sizeHint().height();
    setGeometry(above.left(), above.bottom() + 1, above.width(), height);
    raise();
}

bool MessageBar::event(QEvent* event)
{
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show)
        place();
    return QFrame::event(event);
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move)
        place();
    return QFrame::eventFilter(watched, event);
}

void MessageBar::show(const BarMessage& message)
{
    m_message = message;
    m_text->setText(capitalised(message.text));
    m_details->setPlainText(message.details);
    m_details->hide();
    m_detailsButton->setChecked(false);
    m_detailsButton->setVisible(!message.details.isEmpty());
    m_action->setText(message.actionText);
    m_action->setVisible(!message.actionText.isEmpty());
    setAccessibleName(m_text->text());
    paintIcons();
    QFrame::show();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void MessageBar::retract(const QString& text)
{
    if (this->text() == text)
        hide();
}

QString MessageBar::text() const
{
    return m_text->text();
}

void MessageBar::paintIcons()
{
    const Tokens& tokens = tokensOf(palette());
    m_icon->setPixmap(iconPixmap(iconName(m_message.kind), colourOf(m_message.kind, tokens),
                                 devicePixelRatioF()));
    m_close->setIcon(iconOf(QStringLiteral("close"), tokens.secondary));
}

void MessageBar::paintEvent(QPaintEvent*)
{
    const Tokens& tokens = tokensOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), tokens.card);
    painter.fillRect(QRect(0, 0, size::Tiny, height()), colourOf(m_message.kind, tokens));
    painter.setPen(tokens.cardBorder);
    painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

void MessageBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        return hide();
    QFrame::keyPressEvent(event);
}

void MessageBar::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        paintIcons();
}

} // namespace outlay::gui
