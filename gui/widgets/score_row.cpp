// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/score_row.h"

#include "gui/style/theme.h"

#include <QPainter>

namespace outlay::gui {
namespace {

constexpr int NameWidth = 5 * size::Large;
constexpr int BarWidth = 3 * size::Large;
constexpr int NumberWidth = 2 * size::Large;

} // namespace

ScoreRow::ScoreRow(const QString& name, QWidget* parent) : QWidget(parent)
{
    setObjectName(name);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ScoreRow::show(const ScoreView& score)
{
    if (score == m_score)
        return;
    m_score = score;
    setAccessibleName(QStringLiteral("%1: %2 of 100").arg(score.name, score.text));
    setAccessibleDescription(score.remedy);
    QStringList hint{score.why};
    if (!score.range.isEmpty())
        hint.append(QStringLiteral("%1 in 80 of 100 cases").arg(score.range));
    hint.append(score.remedy);
    hint.removeAll(QString());
    setToolTip(hint.join(QLatin1Char('\n')));
    update();
}

QSize ScoreRow::sizeHint() const
{
    return {NameWidth + BarWidth + NumberWidth + 4 * size::Large,
            QFontMetrics(fontOf(TypeRole::Secondary)).height()};
}

void ScoreRow::paintEvent(QPaintEvent*)
{
    const Tokens& tokens = tokensOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(fontOf(TypeRole::Secondary));
    painter.setPen(tokens.text);
    const QRectF all = rect();
    const auto text = [&](double x, double width, int align, const QString& words) {
        const QString shown =
            painter.fontMetrics().elidedText(words, Qt::ElideRight, static_cast<int>(width));
        painter.drawText(QRectF(x, 0, width, all.height()), align | Qt::AlignVCenter, shown);
    };
    text(0, NameWidth, Qt::AlignLeft, m_score.name);
    const double barX = NameWidth;
    const QRectF bar(barX, (all.height() - size::Tiny) / 2, BarWidth, size::Tiny);
    text(barX + BarWidth, NumberWidth, Qt::AlignRight, m_score.text);
    painter.setPen(tokens.secondary);
    const double rest = barX + BarWidth + NumberWidth + size::Small;
    text(rest, std::max(0.0, all.width() - rest), Qt::AlignLeft, m_score.remedy);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tokens.grid);
    painter.drawRoundedRect(bar, bar.height() / 2, bar.height() / 2);
    if (!m_score.score)
        return;
    QRectF filled = bar;
    filled.setWidth(bar.width() * *m_score.score / 100);
    painter.setBrush(tokens.series.front());
    painter.drawRoundedRect(filled, bar.height() / 2, bar.height() / 2);
    if (m_score.range.isEmpty())
        return;
    // From where to where it may be, as on the charts.
    painter.setPen(QPen(tokens.text, size::LineWidth, Qt::SolidLine, Qt::FlatCap));
    const double low = bar.x() + bar.width() * m_score.low / 100;
    const double high = bar.x() + bar.width() * m_score.high / 100;
    painter.drawLine(QPointF(low, bar.center().y()), QPointF(high, bar.center().y()));
    for (const double x : {low, high})
        painter.drawLine(QPointF(x, bar.top() - 1), QPointF(x, bar.bottom() + 1));
}

} // namespace outlay::gui
