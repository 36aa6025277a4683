// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/chart_axes.h"

#include "gui/style/theme.h"
#include "gui/widgets/chart_overlay.h"
#include "gui/widgets/chart_text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace outlay::gui {
namespace {

double widest(const std::vector<AxisTick>& ticks, const QFontMetricsF& metrics)
{
    double width = 0;
    for (const AxisTick& tick : ticks)
        width = std::max(width, metrics.horizontalAdvance(tick.label));
    return width;
}

/// A name as it is, or divided at the space that leaves the shortest lines.
QStringList linesOf(const QString& name, const QFontMetricsF& metrics, double room)
{
    QStringList best{name};
    double shortest = metrics.horizontalAdvance(name);
    if (shortest <= room)
        return best;
    for (qsizetype space = name.indexOf(QLatin1Char(' ')); space >= 0;
         space = name.indexOf(QLatin1Char(' '), space + 1)) {
        const QStringList lines{name.left(space), name.mid(space + 1)};
        const double longest =
            std::max(metrics.horizontalAdvance(lines[0]), metrics.horizontalAdvance(lines[1]));
        if (longest >= shortest)
            continue;
        shortest = longest;
        best = lines;
    }
    return best;
}

QFontMetricsF axisMetrics()
{
    return QFontMetricsF(fontOf(TypeRole::Axis));
}

} // namespace

bool ChartAxes::arrange(const ChartModel& model, const QSizeF& size)
{
    const Scales before = std::exchange(m_scales, {});
    m_model = &model;
    m_scales.size = size;
    m_scales.hasWords = model.kind == ChartModel::Kind::Bars || !model.x.words.empty();
    m_isBrief = false;
    if (isFlat())
        arrangeBars();
    else if (model.kind == ChartModel::Kind::Doughnut)
        m_margins = QMargins(size::Tiny, size::Tiny, size::Tiny, size::Tiny);
    else
        arrangeUpright();
    return m_scales != before;
}

std::vector<AxisTick> ChartAxes::categories() const
{
    std::vector<AxisTick> ticks;
    const auto count = static_cast<double>(m_model->categories.size());
    for (const QString& name : m_model->categories)
        ticks.push_back({(static_cast<double>(ticks.size()) + 0.5) / count, name});
    return ticks;
}

void ChartAxes::arrangeBars()
{
    const QFontMetricsF metrics = axisMetrics();
    m_scales.names = categories();
    const int width = static_cast<int>(m_scales.size.width());
    const int names = nameRoom(*m_model, width);
    const LabelRoom labels = labelRoom(*m_model, width - names - size::Small);
    m_isBrief = labels.isBrief;
    const int plot = width - names - labels.width - 2 * size::Small;
    // The bars' labels say it, where numbers below would be cut.
    constexpr int LeastScale = 6 * size::Wide;
    double bottom = size::Tiny;
    if (plot >= LeastScale || m_model->series.size() > 1) {
        const std::vector<AxisTick> ticks = ticksOf(m_model->y, m_locale);
        m_scales.across = {thinned(ticks, plot, widest(ticks, metrics) + size::Medium),
                           m_model->y.title};
        bottom += metrics.height() * (m_scales.across.title.isEmpty() ? 1 : 2);
    }
    const double right = std::max(labels.width + size::Small + 0.0, beyond(metrics, plot));
    m_margins = QMargins(names, size::Small, static_cast<int>(std::ceil(right)),
                         static_cast<int>(std::ceil(bottom)));
}

void ChartAxes::arrangeUpright()
{
    const QFontMetricsF metrics = axisMetrics();
    const double line = metrics.height();
    const bool isBars = m_model->kind == ChartModel::Kind::Bars;
    m_scales.across = {isBars ? categories() : ticksOf(m_model->x, m_locale), m_model->x.title};
    sayInWords(metrics);
    const double top = std::max<double>(size::Small, line / 2);
    const double bottom = line * (m_scales.across.title.isEmpty() ? 1 : 2) + size::Tiny;
    m_scales.up = {
        thinned(ticksOf(m_model->y, m_locale), m_scales.size.height() - top - bottom, 1.5 * line),
        m_model->y.title};
    const double left =
        widest(m_scales.up.ticks, metrics) + size::Small + (m_scales.up.title.isEmpty() ? 0 : line);
    double right = size::Small;
    if (!isBars && m_model->x.words.empty() && !m_scales.across.ticks.empty()) {
        const double width = m_scales.size.width() - left - right;
        const double room = widest(m_scales.across.ticks, metrics) + size::Medium;
        m_scales.across.ticks = thinned(m_scales.across.ticks, width, room);
        right = std::max(right, beyond(metrics, width));
    }
    m_margins = QMargins(static_cast<int>(std::ceil(left)), static_cast<int>(std::ceil(top)),
                         static_cast<int>(right), static_cast<int>(std::ceil(bottom)));
}

/// Words below the plot say what of ("low effort") where they have room, for a title below them takes a line of it.
void ChartAxes::sayInWords(const QFontMetricsF& metrics)
{
    if (m_model->x.words.empty() || m_scales.across.title.isEmpty())
        return;
    std::vector<AxisTick> whole = m_scales.across.ticks;
    for (AxisTick& tick : whole)
        tick.label += QLatin1Char(' ') + m_scales.across.title.toLower();
    const double left = widest(ticksOf(m_model->y, m_locale), metrics) + metrics.height();
    const double room = (m_scales.size.width() - left - 2 * size::Small) /
                        static_cast<double>(m_model->x.words.size());
    if (widest(whole, metrics) + size::Small <= room)
        m_scales.across = {std::move(whole), {}};
}

/// How far the last number below the plot reaches over the end of its axis.
double ChartAxes::beyond(const QFontMetricsF& metrics, double length) const
{
    if (m_scales.across.ticks.empty())
        return 0;
    const AxisTick& last = m_scales.across.ticks.back();
    return std::ceil(metrics.horizontalAdvance(last.label) / 2 - (1 - last.place) * length);
}

void ChartAxes::paintGrid(QPainter& painter, const QRectF& plot, const Tokens& tokens) const
{
    if (m_model == nullptr || m_model->kind == ChartModel::Kind::Doughnut)
        return;
    painter.setRenderHint(QPainter::Antialiasing, false); // thin and of one colour
    painter.setPen(QPen(tokens.grid, size::Hairline));
    if (isFlat()) {
        for (const AxisTick& tick : m_scales.across.ticks) {
            const double x = plot.left() + tick.place * plot.width();
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        }
    } else {
        for (const AxisTick& tick : m_scales.up.ticks) {
            const double y = plot.bottom() - tick.place * plot.height();
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        }
    }
    painter.setPen(QPen(tokens.cardBorder, size::Hairline));
    painter.drawLine(plot.topLeft(), plot.bottomLeft());
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    painter.setRenderHint(QPainter::Antialiasing);
}

/// Of the words below the plot each may have what its neighbours leave, numbers stand at their lines with all
/// the room that thinning left.
double ChartAxes::roomBelow(std::size_t tick, const QFontMetricsF& metrics,
                            const QRectF& plot) const
{
    const std::vector<AxisTick>& ticks = m_scales.across.ticks;
    double room = m_scales.hasWords ? plot.width() : m_scales.size.width();
    for (std::size_t i = 0; m_scales.hasWords && i < ticks.size(); ++i) {
        if (i + 1 != tick && i != tick + 1)
            continue;
        const double apart = std::abs(ticks[i].place - ticks[tick].place) * plot.width();
        const double taken = std::min(metrics.horizontalAdvance(ticks[i].label), apart);
        room = std::min(room, 2 * apart - taken - size::Tiny);
    }
    return room;
}

QStringList ChartAxes::paintWords(QPainter& painter, const QRectF& plot, const Tokens& tokens) const
{
    QStringList cut;
    if (m_model == nullptr || m_model->kind == ChartModel::Kind::Doughnut)
        return cut;
    painter.setFont(fontOf(TypeRole::Axis));
    painter.setPen(tokens.secondary);
    if (isFlat())
        paintNames(painter, plot, cut);
    else
        paintUp(painter, plot, cut);
    paintAcross(painter, plot, cut);
    paintTitles(painter, plot, cut);
    return cut;
}

void ChartAxes::paintAcross(QPainter& painter, const QRectF& plot, QStringList& cut) const
{
    const QFontMetricsF metrics = axisMetrics();
    double end = 0;
    for (std::size_t i = 0; i < m_scales.across.ticks.size(); ++i) {
        const AxisTick& tick = m_scales.across.ticks[i];
        const QString text = fittedText(tick.label, metrics, roomBelow(i, metrics, plot), cut);
        const double width = metrics.horizontalAdvance(text);
        const double left = plot.left() + tick.place * plot.width() - width / 2;
        constexpr double Touch = 1;
        if (left < end - Touch || left + width > m_scales.size.width() + Touch)
            cut.append(tick.label); // it lies on the one before it, or outside
        end = left + width;
        painter.drawText(QPointF(left, plot.bottom() + size::Tiny + metrics.ascent()), text);
    }
}

void ChartAxes::paintUp(QPainter& painter, const QRectF& plot, QStringList& cut) const
{
    const QFontMetricsF metrics = axisMetrics();
    const double right = plot.left() - size::Tiny;
    const double room = right - (m_scales.up.title.isEmpty() ? 0 : metrics.height());
    for (const AxisTick& tick : m_scales.up.ticks) {
        const QString text = fittedText(tick.label, metrics, room, cut);
        const double y = plot.bottom() - tick.place * plot.height();
        painter.drawText(QPointF(right - metrics.horizontalAdvance(text),
                                 y - metrics.height() / 2 + metrics.ascent()),
                         text);
    }
}

/// Beside their bars, on two lines where one is too short.
void ChartAxes::paintNames(QPainter& painter, const QRectF& plot, QStringList& cut) const
{
    const QFontMetricsF metrics = axisMetrics();
    const double right = plot.left() - size::Tiny;
    const double row =
        plot.height() / static_cast<double>(std::max<std::size_t>(1, m_scales.names.size()));
    for (const AxisTick& tick : m_scales.names) {
        const QStringList lines = row >= 2 * metrics.height() ? linesOf(tick.label, metrics, right)
                                                              : QStringList(tick.label);
        const double height = metrics.height() * static_cast<double>(lines.size());
        double y = plot.top() + tick.place * plot.height() - height / 2 + metrics.ascent();
        for (const QString& line : lines) {
            const QString text = fittedText(line, metrics, right, cut);
            painter.drawText(QPointF(right - metrics.horizontalAdvance(text), y), text);
            y += metrics.height();
        }
    }
}

void ChartAxes::paintTitles(QPainter& painter, const QRectF& plot, QStringList& cut) const
{
    const QFontMetricsF metrics = axisMetrics();
    if (!m_scales.across.title.isEmpty()) {
        const QString text = fittedText(m_scales.across.title, metrics, m_scales.size.width(), cut);
        const double half = metrics.horizontalAdvance(text) / 2;
        const double x =
            std::clamp(plot.center().x(), half, std::max(half, m_scales.size.width() - half));
        painter.drawText(
            QPointF(x - half, plot.bottom() + size::Tiny + metrics.height() + metrics.ascent()),
            text);
    }
    if (!m_scales.up.title.isEmpty()) {
        const QString text = fittedText(m_scales.up.title, metrics, m_scales.size.height(), cut);
        const double half = metrics.horizontalAdvance(text) / 2;
        const double y =
            std::clamp(plot.center().y(), half, std::max(half, m_scales.size.height() - half));
        constexpr double Upwards = -90;
        painter.save();
        painter.translate(metrics.ascent(), y + half);
        painter.rotate(Upwards);
        painter.drawText(QPointF(0, 0), text);
        painter.restore();
    }
}

} // namespace outlay::gui
