// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/chart_overlay.h"

#include "gui/style/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPen>

#include <algorithm>
#include <array>
#include <cmath>

namespace outlay::gui {
namespace {

constexpr std::size_t MarkedPoints = 30; // all samples are shown where they are few

/// Circle, square, triangle, diamond, and the hollow ones of the first two.
void drawMarker(QPainter& painter, std::size_t colour, const QPointF& at, const Tokens& tokens)
{
    constexpr double Half = size::MarkerSize / 2.0;
    constexpr std::size_t Shapes = 4;
    const bool isHollow = colour >= Shapes;
    painter.setPen(QPen(tokens.series.at(colour), size::LineWidth));
    painter.setBrush(isHollow ? tokens.card : tokens.series.at(colour));
    const QRectF box(at.x() - Half, at.y() - Half, 2 * Half, 2 * Half);
    switch (colour % Shapes) {
    case 0: painter.drawEllipse(box); break;
    case 1: painter.drawRect(box); break;
    case 2:
        painter.drawPolygon(QPolygonF{{{at.x(), box.top()}, box.bottomRight(), box.bottomLeft()}});
        break;
    default:
        painter.drawPolygon(QPolygonF{{{at.x(), box.top()},
                                       {box.right(), at.y()},
                                       {at.x(), box.bottom()},
                                       {box.left(), at.y()}}});
    }
}

void drawWhisker(QPainter& painter, const QPointF& from, const QPointF& to, const Tokens& tokens)
{
    painter.setPen(QPen(tokens.text, 1.5));
    painter.drawLine(from, to);
    const bool isFlat = std::abs(from.y() - to.y()) < std::abs(from.x() - to.x());
    const QPointF across = isFlat ? QPointF(0, size::Tiny) : QPointF(size::Tiny, 0);
    for (const QPointF& end : {from, to})
        painter.drawLine(end - across, end + across);
}

class Overlay {
public:
    Overlay(QPainter& painter, const ChartModel& model, const OverlayPlace& place,
            const Tokens& tokens)
        : m_painter(painter), m_model(model), m_place(place), m_tokens(tokens)
    {
    }

    void bars(bool isFlat) const
    {
        for (std::size_t s = 0; s < m_model.series.size(); ++s) {
            if (!m_place.isShown(s))
                continue;
            const std::vector<ChartPoint>& points = m_model.series[s].points;
            for (std::size_t i = 0; i < points.size(); ++i)
                bar(s, static_cast<double>(i), points[i], isFlat);
        }
    }

    void points(bool isScatter) const
    {
        for (std::size_t s = 0; s < m_model.series.size(); ++s) {
            const ChartSeries& series = m_model.series[s];
            const bool isMarked = isScatter || series.points.size() <= MarkedPoints;
            if (!m_place.isShown(s) || !isMarked)
                continue;
            for (const ChartPoint& point : series.points) {
                const QPointF at = m_place.at(s, point.x, point.y);
                if (point.low && point.high && *point.low < *point.high)
                    drawWhisker(m_painter, m_place.at(s, point.x, *point.low),
                                m_place.at(s, point.x, *point.high), m_tokens);
                if (point.weight > 0)
                    bubble(series, point, at);
                else
                    drawMarker(m_painter, series.colour, at, m_tokens);
            }
        }
    }

    void middle() const
    {
        const qsizetype end = m_model.middle.indexOf(QLatin1Char('\n'));
        const QRectF plot = m_place.plot;
        const double down = end < 0 ? 0 : size::Medium;
        m_painter.setPen(m_tokens.text);
        m_painter.setFont(fontOf(TypeRole::PageTitle));
        m_painter.drawText(plot.translated(0, -down), Qt::AlignCenter, m_model.middle.left(end));
        if (end < 0)
            return;
        m_painter.setPen(m_tokens.secondary);
        m_painter.setFont(fontOf(TypeRole::Axis));
        m_painter.drawText(plot.translated(0, down), Qt::AlignCenter, m_model.middle.mid(end + 1));
    }

    void limits() const
    {
        m_painter.setFont(fontOf(TypeRole::Axis));
        for (const ChartLimit& limit : m_model.limits) {
            const bool isX = limit.of == ChartLimit::Of::X;
            const QPointF at =
                m_place.at(0, isX ? limit.at : m_model.x.low, isX ? m_model.y.high : limit.at);
            const QRectF plot = m_place.plot;
            if (!plot.adjusted(-1, -1, 1, 1).contains(at))
                continue;
            m_painter.setPen(QPen(m_tokens.bad, size::Hairline, Qt::DashLine));
            m_painter.drawLine(at, isX ? QPointF(at.x(), plot.bottom())
                                       : QPointF(plot.right(), at.y()));
            m_painter.setPen(m_tokens.text);
            m_painter.drawText(at + QPointF(size::Tiny, isX ? size::Medium : -size::Tiny),
                               limit.name);
        }
    }

private:
    void fill(std::size_t s, double category, const ChartPoint& point, bool isFlat) const
    {
        const ChartSeries& series = m_model.series[s];
        if (!hasOwnColours(series))
            return;
        const QPointF half =
            isFlat ? QPointF(0, m_place.barThickness / 2) : QPointF(m_place.barThickness / 2, 0);
        const QRectF box(m_place.at(s, category, 0) - half,
                         m_place.at(s, category, point.y) + half);
        m_painter.fillRect(box.normalized(),
                           m_tokens.series.at(point.colour.value_or(series.colour)));
    }

    void bar(std::size_t s, double category, const ChartPoint& point, bool isFlat) const
    {
        fill(s, category, point, isFlat);
        QPointF end = m_place.at(s, category, point.y);
        if (point.low && point.high && *point.low < *point.high) {
            drawWhisker(m_painter, m_place.at(s, category, *point.low),
                        m_place.at(s, category, *point.high), m_tokens);
            end = m_place.at(s, category, std::max(point.y, *point.high));
        }
        if (point.reference) {
            const QPointF tick = m_place.at(s, category, *point.reference);
            const QPointF across = isFlat ? QPointF(0, size::Medium) : QPointF(size::Medium, 0);
            m_painter.setPen(QPen(m_tokens.text, size::LineWidth));
            m_painter.drawLine(tick - across, tick + across);
            end.setX(isFlat ? std::max(end.x(), tick.x()) : end.x());
        }
        // Grouped bars have no room for labels of their own; the table twin has them.
        if (point.label.isEmpty() || m_model.series.size() > 1)
            return;
        QFont font = fontOf(TypeRole::Axis);
        font.setBold(point.isStrong);
        m_painter.setPen(m_tokens.text);
        m_painter.setFont(font);
        constexpr double Room = 200;
        const QRectF beside(end.x() + size::Small, end.y() - Room / 2, Room, Room);
        const QRectF above(end.x() - Room / 2, end.y() - Room - size::Tiny, Room, Room);
        if (isFlat)
            m_painter.drawText(beside, Qt::AlignLeft | Qt::AlignVCenter,
                               QFontMetricsF(font).elidedText(point.label, Qt::ElideRight,
                                                              m_place.right - beside.left()));
        else
            m_painter.drawText(above, Qt::AlignHCenter | Qt::AlignBottom, point.label);
    }

    void bubble(const ChartSeries& series, const ChartPoint& point, const QPointF& at) const
    {
        double heaviest = 0;
        for (const ChartSeries& other : m_model.series) {
            for (const ChartPoint& p : other.points)
                heaviest = std::max(heaviest, p.weight);
        }
        const double radius = size::Tiny + size::Wide * std::sqrt(point.weight / heaviest);
        constexpr int Alpha = 200;
        QColor fill = m_tokens.series.at(series.colour);
        m_painter.setPen(QPen(fill, size::Hairline));
        fill.setAlpha(Alpha);
        m_painter.setBrush(fill);
        m_painter.drawEllipse(at, radius, radius);
        m_painter.setPen(m_tokens.text);
        m_painter.setFont(fontOf(TypeRole::Axis));
        const QFontMetricsF metrics(m_painter.font());
        const double width = metrics.horizontalAdvance(point.label);
        // Labels stay inside: left of a bubble that is far to the right.
        const bool isRight = at.x() + radius + size::Tiny + width <= m_place.plot.right();
        const double x =
            isRight ? at.x() + radius + size::Tiny : at.x() - radius - size::Tiny - width;
        m_painter.drawText(QPointF(x, at.y() + metrics.ascent() / 2), point.label);
    }

    QPainter& m_painter;
    const ChartModel& m_model;
    const OverlayPlace& m_place;
    const Tokens& m_tokens;
};

} // namespace

void paintOverlay(QPainter& painter, const ChartModel& model, const OverlayPlace& place,
                  const Tokens& tokens)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const Overlay overlay(painter, model, place, tokens);
    switch (model.kind) {
    case ChartModel::Kind::HorizontalBars: overlay.bars(true); break;
    case ChartModel::Kind::Bars: overlay.bars(false); break;
    case ChartModel::Kind::Lines: overlay.points(false); break;
    case ChartModel::Kind::Scatter: overlay.points(true); break;
    case ChartModel::Kind::Doughnut: overlay.middle(); break;
    }
    overlay.limits();
    painter.restore();
}

bool hasOwnColours(const ChartSeries& series)
{
    return std::any_of(series.points.begin(), series.points.end(),
                       [](const ChartPoint& p) { return p.colour.has_value(); });
}

int labelRoom(const ChartModel& model)
{
    if (model.kind != ChartModel::Kind::HorizontalBars || model.series.size() != 1)
        return 0;
    QFont font = fontOf(TypeRole::Axis);
    font.setBold(true); // as the one to read first is
    const QFontMetricsF metrics(font);
    double room = 0;
    for (const ChartPoint& point : model.series.front().points)
        room = std::max(room, metrics.horizontalAdvance(point.label));
    return static_cast<int>(std::ceil(room)) + size::Small;
}

QPen linePen(std::size_t colour, const Tokens& tokens)
{
    constexpr std::array Styles{Qt::SolidLine,   Qt::DashLine,  Qt::DotLine,
                                Qt::DashDotLine, Qt::SolidLine, Qt::DashLine};
    constexpr std::size_t Thin = 4; // the last two are thin
    return {tokens.series.at(colour),
            static_cast<double>(colour < Thin ? size::LineWidth : size::Hairline),
            Styles.at(colour), Qt::RoundCap, Qt::RoundJoin};
}

} // namespace outlay::gui
