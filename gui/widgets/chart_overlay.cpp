// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/chart_overlay.h"

#include "gui/style/theme.h"
#include "gui/widgets/chart_marks.h"
#include "gui/widgets/chart_text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPen>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace outlay::gui {
namespace {

constexpr std::size_t MarkedPoints = 30; // all samples are shown where they are few
constexpr std::size_t Crowd = 100;       // more than these are small dots

constexpr double Turn = 2 * std::numbers::pi;

double valueOf(const ChartSeries& slice)
{
    return slice.points.empty() ? 0 : slice.points.front().y;
}

const QString& labelOf(const ChartPoint& point, bool isBrief)
{
    return isBrief && !point.brief.isEmpty() ? point.brief : point.label;
}

/// As wide as the plot can be with each label behind its own bar.
double plotBeside(const ChartModel& model, int width, bool isBrief)
{
    QFont font = fontOf(TypeRole::Axis);
    font.setBold(true); // as the one to read first is
    const QFontMetricsF metrics(font);
    double plot = width;
    for (const ChartPoint& point : model.series.front().points) {
        const double end =
            std::max({point.y, point.high.value_or(0), point.reference.value_or(0)}) / model.y.high;
        const double beside =
            width - metrics.horizontalAdvance(labelOf(point, isBrief)) - 2 * size::Small;
        if (end > 0)
            plot = std::min(plot, beside / end);
    }
    return plot;
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
        bubbles();
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
                    continue;
                if (isScatter && series.points.size() > Crowd)
                    drawDot(m_painter, series.colour, at, m_tokens);
                else
                    drawMarker(m_painter, series.colour, at, m_tokens);
            }
        }
        if (isScatter)
            pointNames();
    }

    /// Lines between the slices: a border around each takes twice as long as the slices themselves.
    void gaps() const
    {
        const double whole = total();
        const double radius = std::min(m_place.plot.width(), m_place.plot.height()) / 2;
        m_painter.setPen(QPen(m_tokens.card, size::LineWidth));
        double at = 0;
        for (const ChartSeries& series : m_model.series) {
            at += valueOf(series);
            const double angle = Turn * at / whole; // from the top, clockwise
            const QPointF outwards(std::sin(angle), -std::cos(angle));
            if (valueOf(series) > 0 && valueOf(series) < whole)
                m_painter.drawLine(m_place.plot.center() + size::DoughnutHole * radius * outwards,
                                   m_place.plot.center() + radius * outwards);
        }
    }

    /// The numbers that the legend has, for who can't tell the colours apart.
    void numbers() const
    {
        constexpr double LeastShare = 0.06; // a narrower slice has no room for one
        const double whole = total();
        const double radius = std::min(m_place.plot.width(), m_place.plot.height()) / 2;
        const double along = (1 + size::DoughnutHole) / 2 * radius;
        const double side = (1 - size::DoughnutHole) * radius;
        m_painter.setFont(fontOf(TypeRole::Axis));
        double at = 0;
        int number = 0;
        for (const ChartSeries& series : m_model.series) {
            ++number;
            const double share = valueOf(series) / whole;
            const double angle = Turn * (at + share / 2);
            at += share;
            if (!(share >= LeastShare))
                continue;
            QRectF box(0, 0, side, side);
            box.moveCenter(m_place.plot.center() +
                           along * QPointF(std::sin(angle), -std::cos(angle)));
            m_painter.setPen(textOn(m_tokens.mark(series.colour)));
            m_painter.drawText(box, Qt::AlignCenter, QString::number(number));
        }
    }

    void middle() const
    {
        const qsizetype end = m_model.middle.indexOf(QLatin1Char('\n'));
        const QRectF plot = m_place.plot;
        const double down = end < 0 ? 0 : size::Medium;
        m_painter.setPen(m_tokens.text);
        const QString figure = m_model.middle.left(end);
        m_painter.setFont(
            fontWithin(size::DoughnutHole * std::min(plot.width(), plot.height()), figure));
        m_painter.drawText(plot.translated(0, -down), Qt::AlignCenter, figure);
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
            if (!plot.adjusted(-size::Hairline, -size::Hairline, size::Hairline, size::Hairline)
                     .contains(at))
                continue;
            m_painter.setPen(limit.isSet ? QPen(m_tokens.bad, size::LineMiddle, Qt::DashLine)
                                         : QPen(m_tokens.secondary, size::Hairline, Qt::DotLine));
            m_painter.drawLine(at, isX ? QPointF(at.x(), plot.bottom())
                                       : QPointF(plot.right(), at.y()));
            m_painter.setPen(limit.isSet ? m_tokens.text : m_tokens.secondary);
            drawLimitName(limit, at);
        }
    }

    [[nodiscard]] const QStringList& cut() const { return m_cut; }

private:
    /// Of all slices.
    [[nodiscard]] double total() const
    {
        double whole = 0;
        for (const ChartSeries& series : m_model.series)
            whole += valueOf(series);
        return whole;
    }

    /// Right of or above the line, unless the chart ends there.
    void drawLimitName(const ChartLimit& limit, const QPointF& at) const
    {
        const QFontMetricsF metrics(m_painter.font());
        const double width = metrics.horizontalAdvance(limit.name);
        const QRectF plot = m_place.plot;
        if (limit.of == ChartLimit::Of::X) {
            const bool isRight = at.x() + size::Tiny + width <= m_place.right;
            const double x = isRight ? at.x() + size::Tiny : at.x() - size::Tiny - width;
            // Below that of a limit at the upper end.
            m_painter.drawText(QPointF(x, plot.top() + 2 * metrics.height()), limit.name);
        } else {
            const bool isAbove = at.y() - metrics.height() >= plot.top();
            const double y = isAbove ? at.y() - size::Tiny : at.y() + metrics.ascent() + 1;
            m_painter.drawText(QPointF(plot.left() + size::Tiny, y), limit.name);
        }
    }

    void fill(std::size_t s, double category, const ChartPoint& point, bool isFlat) const
    {
        const ChartSeries& series = m_model.series[s];
        if (!hasOwnColours(series))
            return;
        const QPointF half =
            isFlat ? QPointF(0, m_place.barThickness / 2) : QPointF(m_place.barThickness / 2, 0);
        const QRectF box(m_place.at(s, category, point.base.value_or(0)) - half,
                         m_place.at(s, category, point.y) + half);
        m_painter.fillRect(box.normalized(), m_tokens.mark(point.colour.value_or(series.colour)));
    }

    void bar(std::size_t s, double category, const ChartPoint& point, bool isFlat) const
    {
        fill(s, category, point, isFlat);
        QPointF end = m_place.at(s, category, std::max(point.y, point.base.value_or(point.y)));
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
        if (isFlat)
            drawBeside(point, end);
        else
            drawAbove(point, end);
    }

    /// Drawn at a point: a text in a box is laid out as a paragraph, which takes several times as long.
    void drawBeside(const ChartPoint& point, const QPointF& end) const
    {
        const QFontMetricsF metrics(setLabelFont(point));
        const double left = end.x() + size::Small;
        m_painter.drawText(
            QPointF(left, end.y() - metrics.height() / 2 + metrics.ascent()),
            fittedText(labelOf(point, m_place.isBrief), metrics, m_place.right - left, m_cut));
    }
    void drawAbove(const ChartPoint& point, const QPointF& end) const
    {
        const QFontMetricsF metrics(setLabelFont(point));
        m_painter.drawText(QPointF(end.x() - metrics.horizontalAdvance(point.label) / 2,
                                   end.y() - size::Tiny - metrics.descent()),
                           point.label);
    }

    QFont setLabelFont(const ChartPoint& point) const
    {
        QFont font = fontOf(TypeRole::Axis);
        font.setBold(point.isStrong);
        m_painter.setPen(m_tokens.text);
        m_painter.setFont(font);
        return font;
    }

    [[nodiscard]] double heaviest() const
    {
        double most = 0;
        for (const ChartSeries& series : m_model.series) {
            for (const ChartPoint& point : series.points)
                most = std::max(most, point.weight);
        }
        return most;
    }

    /// It stays in its field, so that it neither leaves the chart nor covers another field's.
    [[nodiscard]] double largestBubble() const
    {
        const auto fields = [](const ChartAxis& axis) {
            return static_cast<double>(std::max<std::size_t>(1, axis.words.size()));
        };
        const double field = std::min(m_place.plot.width() / fields(m_model.x),
                                      m_place.plot.height() / fields(m_model.y));
        // Neighbours may touch, and hide nothing of each other.
        const double free = leastDistance() / 2 - size::Tiny;
        return std::clamp(std::min(field / 3, free), 1.0, double{size::Wide});
    }

    [[nodiscard]] double leastDistance() const
    {
        std::vector<QPointF> places;
        for (std::size_t s = 0; s < m_model.series.size(); ++s) {
            for (const ChartPoint& point : m_model.series[s].points) {
                if (m_place.isShown(s) && point.weight > 0)
                    places.push_back(m_place.at(s, point.x, point.y));
            }
        }
        double least = HUGE_VAL;
        for (auto a = places.begin(); a != places.end(); ++a) {
            for (auto b = places.begin(); b != a; ++b)
                least = std::min(least, QLineF(*a, *b).length());
        }
        return least;
    }

    [[nodiscard]] double radiusOf(const ChartPoint& point) const
    {
        if (m_largest < 0)
            m_largest = largestBubble();
        return size::Tiny + m_largest * std::sqrt(point.weight / heaviest());
    }

    /// Inside the plot as a whole.
    [[nodiscard]] QPointF keptInside(const QPointF& at, double radius) const
    {
        const QRectF room = m_place.plot.adjusted(radius, radius, -radius, -radius);
        if (room.width() <= 0 || room.height() <= 0)
            return at;
        return {std::clamp(at.x(), room.left(), room.right()),
                std::clamp(at.y(), room.top(), room.bottom())};
    }

    /// The largest first, so that none hides a smaller one.
    void bubbles() const
    {
        std::vector<std::pair<std::size_t, const ChartPoint*>> all;
        for (std::size_t s = 0; s < m_model.series.size(); ++s) {
            for (const ChartPoint& point : m_model.series[s].points) {
                if (m_place.isShown(s) && point.weight > 0)
                    all.emplace_back(s, &point);
            }
        }
        std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
            return a.second->weight > b.second->weight;
        });
        for (const auto& [s, point] : all)
            bubble(m_model.series[s], *point, m_place.at(s, point->x, point->y));
    }

    void bubble(const ChartSeries& series, const ChartPoint& point, const QPointF& place) const
    {
        const double radius = radiusOf(point);
        const QPointF at = keptInside(place, radius);
        QColor fill = m_tokens.mark(series.colour);
        m_painter.setPen(QPen(fill, size::LineWidth)); // which alone has the contrast of a mark
        fill.setAlpha(size::BubbleAlpha);
        m_painter.setBrush(fill);
        drawShape(m_painter, series.colour, at, radius);
    }

    void pointNames() const
    {
        for (std::size_t s = 0; s < m_model.series.size(); ++s) {
            for (const ChartPoint& point : m_model.series[s].points) {
                if (m_place.isShown(s) && !point.label.isEmpty())
                    nameOf(m_model.series[s], point, m_place.at(s, point.x, point.y));
            }
        }
    }

    /// After all bubbles and marks, so that none covers a name.
    void nameOf(const ChartSeries& series, const ChartPoint& point, const QPointF& given) const
    {
        const double radius = point.weight > 0 ? radiusOf(point) : double{size::MarkerSize} / 2;
        const QPointF at = point.weight > 0 ? keptInside(given, radius) : given;
        const QFontMetricsF metrics(setLabelFont(point));
        const double width = metrics.horizontalAdvance(point.label);
        if (point.weight > 0 && width + size::Small <= 2 * radius) {
            constexpr int Middle = 128;
            constexpr int Whole = 255;
            const int seen = (qGray(m_tokens.mark(series.colour).rgb()) * size::BubbleAlpha +
                              qGray(m_tokens.card.rgb()) * (Whole - size::BubbleAlpha)) /
                             Whole;
            const bool isLight = seen > Middle;
            m_painter.setPen(isLight ? lightTokens().text : darkTokens().text);
            m_painter.drawText(QRectF(at.x() - radius, at.y() - radius, 2 * radius, 2 * radius),
                               Qt::AlignCenter, point.label);
            return;
        }
        // Labels stay inside, off other bubbles and off each other: above or below, where the right isn't free.
        const double middle = at.y() + metrics.ascent() / 2;
        const double away = radius + size::Tiny;
        const QPointF left(at.x() - away - width, middle);
        std::array places{QPointF(at.x() + away, middle),
                          QPointF(at.x() - width / 2, at.y() - away - metrics.descent()),
                          QPointF(at.x() - width / 2, at.y() + away + metrics.ascent()), left};
        if (leastDistance() < size::Wide) // where some have to be above, all are that can
            std::swap(places[0], places[1]);
        const auto isFree = [&](const QPointF& baseline) {
            const QRectF box(baseline.x(), baseline.y() - metrics.ascent(), width,
                             metrics.ascent());
            const bool isTaken =
                std::any_of(m_names.begin(), m_names.end(),
                            [&](const QRectF& name) { return name.intersects(box); });
            return box.left() >= m_place.plot.left() && box.right() <= m_place.plot.right() &&
                   box.top() >= 0 && box.bottom() <= m_place.plot.bottom() && !isTaken &&
                   !liesOnBubble(box, point);
        };
        const auto* const free = std::find_if(places.begin(), places.end(), isFree);
        const bool isRight = at.x() + away + width <= m_place.plot.right();
        const QPointF place = free != places.end() ? *free
                              : isRight            ? QPointF(at.x() + away, middle)
                                                   : left;
        m_painter.drawText(place, point.label);
        m_names.emplace_back(place.x(), place.y() - metrics.ascent(), width, metrics.ascent());
    }

    [[nodiscard]] bool liesOnBubble(const QRectF& box, const ChartPoint& own) const
    {
        for (std::size_t s = 0; s < m_model.series.size(); ++s) {
            for (const ChartPoint& point : m_model.series[s].points) {
                if (!m_place.isShown(s) || point.weight <= 0 || &point == &own)
                    continue;
                const double radius = radiusOf(point);
                const QPointF at = keptInside(m_place.at(s, point.x, point.y), radius);
                const QPointF nearest(std::clamp(at.x(), box.left(), box.right()),
                                      std::clamp(at.y(), box.top(), box.bottom()));
                if (QLineF(at, nearest).length() < radius)
                    return true;
            }
        }
        return false;
    }

    QPainter& m_painter;
    const ChartModel& m_model;
    const OverlayPlace& m_place;
    const Tokens& m_tokens;
    mutable double m_largest = -1;       // until it is asked for
    mutable std::vector<QRectF> m_names; // of points, as far as they are drawn
    mutable QStringList m_cut;
};

} // namespace

QStringList paintOverlay(QPainter& painter, const ChartModel& model, const OverlayPlace& place,
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
    case ChartModel::Kind::Doughnut:
        overlay.gaps();
        overlay.numbers();
        overlay.middle();
        break;
    }
    overlay.limits();
    painter.restore();
    return overlay.cut();
}

bool hasOwnColours(const ChartSeries& series)
{
    return std::any_of(series.points.begin(), series.points.end(),
                       [](const ChartPoint& p) { return p.colour.has_value(); });
}

int nameRoom(const ChartModel& model, int width)
{
    if (model.kind != ChartModel::Kind::HorizontalBars)
        return 0;
    constexpr std::size_t Few = 5; // they have the height for two lines each
    const double mostShare = model.categories.size() <= Few ? 0.3 : 0.4;
    const QFontMetricsF metrics(fontOf(TypeRole::Axis));
    double room = 0;
    for (const QString& name : model.categories)
        room = std::max(room, metrics.horizontalAdvance(name));
    return static_cast<int>(std::min(std::ceil(room) + size::Tiny, mostShare * width));
}

LabelRoom labelRoom(const ChartModel& model, int width)
{
    if (model.kind != ChartModel::Kind::HorizontalBars || model.series.size() != 1)
        return {};
    constexpr double LeastPlot = 0.35;
    constexpr double LeastOfAll = 0.15;
    LabelRoom room;
    double plot = plotBeside(model, width, room.isBrief);
    room.isBrief = plot < LeastPlot * width;
    if (room.isBrief)
        plot = plotBeside(model, width, true);
    room.width = width - static_cast<int>(std::max(plot, LeastOfAll * width));
    return room;
}

} // namespace outlay::gui
