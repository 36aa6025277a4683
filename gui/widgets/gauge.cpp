// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/gauge.h"

#include "gui/style/theme.h"
#include "gui/widgets/data_table.h"
#include "gui/widgets/focus_frame.h"

#include <QPainter>
#include <QtMath>

namespace outlay::gui {
namespace {

constexpr double HalfCircle = 180;

/// Degrees from the left end of the arc.
double degreesOf(double score)
{
    return score / 100 * HalfCircle;
}

QPointF onArc(const QPointF& centre, double radius, double score)
{
    const double angle = qDegreesToRadians(HalfCircle - degreesOf(score));
    return centre + QPointF(radius * std::cos(angle), -radius * std::sin(angle));
}

struct Band {
    double from = 0;
    double to = 0;
    QColor colour;
};

void paintBands(QPainter& painter, const QPointF& centre, double radius, const Tokens& tokens)
{
    constexpr double Gap = 0.4; // of the score
    constexpr double SixteenthsOfADegree = 16;
    const double thick = radius / 4;
    const double middle = radius - thick / 2;
    const QRectF box(centre.x() - middle, centre.y() - middle, 2 * middle, 2 * middle);
    for (const Band& band : {Band{0, GoodScore - Gap, tokens.bad},
                             Band{GoodScore + Gap, ExcellentScore - Gap, tokens.caution},
                             Band{ExcellentScore + Gap, 100, tokens.good}}) {
        painter.setPen(QPen(band.colour, thick, Qt::SolidLine, Qt::FlatCap));
        painter.drawArc(box, qRound((HalfCircle - degreesOf(band.to)) * SixteenthsOfADegree),
                        qRound(degreesOf(band.to - band.from) * SixteenthsOfADegree));
    }
}

} // namespace

Gauge::Gauge(const QString& name, QWidget* parent) : Twinned(parent)
{
    setObjectName(name);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void Gauge::show(const EfficiencyView& view)
{
    if (view == m_view)
        return;
    m_view = view;
    setAccessibleName(view.whole.name);
    setAccessibleDescription(view.description +
                             QStringLiteral(". Ctrl+T shows the numbers as a table."));
    setToolTip(view.description);
    fillTable();
    update();
}

bool Gauge::isTable() const
{
    return m_table != nullptr && !m_table->isHidden();
}

void Gauge::fillTable()
{
    if (!isTable())
        return;
    m_table->setAccessibleName(m_view.whole.name + QStringLiteral(", as a table"));
    m_table->show(m_view.table);
}

void Gauge::toggleForm()
{
    const bool wasTable = isTable();
    if (m_table == nullptr) {
        m_table = new DataTable(objectName() + QStringLiteral("Table"), QString(), this);
        m_table->setGeometry(rect());
        setTabOrder(this, m_table);
    }
    const bool hadFocus = hasFocus() || m_table->hasFocus();
    m_table->setHidden(wasTable);
    fillTable();
    if (hadFocus)
        (wasTable ? static_cast<QWidget*>(this) : m_table)->setFocus();
    update();
}

void Gauge::focusInEvent(QFocusEvent* event)
{
    Twinned::focusInEvent(event);
    update();
}

void Gauge::focusOutEvent(QFocusEvent* event)
{
    Twinned::focusOutEvent(event);
    update();
}

void Gauge::resizeEvent(QResizeEvent* event)
{
    Twinned::resizeEvent(event);
    if (m_table != nullptr)
        m_table->setGeometry(rect());
}

QSize Gauge::minimumSizeHint() const
{
    return {size::ChartInPanel, size::GaugeHeight};
}

void Gauge::paintEvent(QPaintEvent*)
{
    if (isTable())
        return;
    paintFocusFrame(*this);
    const Tokens& tokens = tokensOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetricsF figure(fontOf(TypeRole::Figure));
    const double below = figure.height() + size::Small;
    const double radius = std::min(width() / 2.0 - size::Wide, height() - below - size::Tiny);
    const QPointF centre(width() / 2.0, radius + size::Tiny);
    paintBands(painter, centre, radius, tokens);
    painter.setPen(tokens.secondary);
    painter.setFont(fontOf(TypeRole::Axis));
    const double inset = radius / 8;
    const QSizeF mark(2.0 * size::Wide, size::Large);
    const auto text = [&](double x, const QString& words) {
        painter.drawText(QRectF({x - mark.width() / 2, centre.y() + size::Tiny}, mark),
                         Qt::AlignHCenter | Qt::AlignTop, words);
    };
    text(centre.x() - radius + inset, QStringLiteral("0"));
    text(centre.x() + radius - inset, QStringLiteral("100"));
    painter.setPen(tokens.text);
    painter.setFont(fontOf(TypeRole::Figure));
    painter.drawText(QRectF(centre.x() - radius / 2, centre.y() + size::Small, radius, below),
                     Qt::AlignHCenter | Qt::AlignTop, m_view.whole.text);
    if (!m_view.whole.score)
        return;
    constexpr double Reach = 0.7;
    painter.setPen(QPen(tokens.text, size::LineWidth, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(centre, onArc(centre, radius * Reach, *m_view.whole.score));
    painter.setBrush(tokens.text);
    painter.drawEllipse(centre, size::Tiny, size::Tiny);
}

} // namespace outlay::gui
