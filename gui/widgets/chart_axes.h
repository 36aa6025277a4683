// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The scales of a chart: lines, numbers, names and titles, and the room that they need around the plot.
// Qt Charts would lay each label out as a document, several times for each change; that alone took a third
// of a slider's tick.
#pragma once

#include "gui/style/tokens.h"
#include "gui/view/axis_ticks.h"

#include <QLocale>
#include <QMargins>
#include <QRectF>
#include <QStringList>

class QFontMetricsF;
class QPainter;

namespace outlay::gui {

class ChartAxes {
public:
    explicit ChartAxes(const QLocale& locale) : m_locale(locale) {}

    /// For another model or another size: whether lines or words differ from those before. `model` must live
    /// until the next one.
    bool arrange(const ChartModel& model, const QSizeF& size);
    /// Around the plot.
    [[nodiscard]] QMargins margins() const { return m_margins; }
    /// Labels of horizontal bars have to be short.
    [[nodiscard]] bool isBrief() const { return m_isBrief; }

    /// What lies under the series.
    void paintGrid(QPainter& painter, const QRectF& plot, const Tokens& tokens) const;
    /// What stands around them. Returns the words for which there was no room.
    [[nodiscard]] QStringList paintWords(QPainter& painter, const QRectF& plot,
                                         const Tokens& tokens) const;

private:
    struct Scale {
        std::vector<AxisTick> ticks;
        QString title;

        bool operator==(const Scale&) const = default;
    };
    /// What is painted in a plot of a given place.
    struct Scales {
        Scale across;                // below the plot
        Scale up;                    // left of it
        std::vector<AxisTick> names; // beside bars that lie
        bool hasWords = false;       // in place of numbers below
        QSizeF size;

        bool operator==(const Scales&) const = default;
    };

    void arrangeBars();
    void arrangeUpright();
    void sayInWords(const QFontMetricsF& metrics);
    [[nodiscard]] double roomBelow(std::size_t tick, const QFontMetricsF& metrics,
                                   const QRectF& plot) const;
    [[nodiscard]] double beyond(const QFontMetricsF& metrics, double length) const;
    [[nodiscard]] std::vector<AxisTick> categories() const;
    [[nodiscard]] bool isFlat() const { return m_model->kind == ChartModel::Kind::HorizontalBars; }
    void paintAcross(QPainter& painter, const QRectF& plot, QStringList& cut) const;
    void paintUp(QPainter& painter, const QRectF& plot, QStringList& cut) const;
    void paintNames(QPainter& painter, const QRectF& plot, QStringList& cut) const;
    void paintTitles(QPainter& painter, const QRectF& plot, QStringList& cut) const;

    QLocale m_locale;
    const ChartModel* m_model = nullptr;
    Scales m_scales;
    QMargins m_margins;
    bool m_isBrief = false;
};

} // namespace outlay::gui
