// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/chart_canvas.h"

#include "gui/style/theme.h"
#include "gui/widgets/chart_axes.h"
#include "gui/widgets/chart_marks.h"
#include "gui/widgets/chart_overlay.h"
#include "gui/widgets/kept_picture.h"

#include <QBarSeries>
#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QGraphicsLayout>
#include <QHelpEvent>
#include <QHorizontalBarSeries>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QMouseEvent>
#include <QPainter>
#include <QPieSeries>
#include <QPieSlice>
#include <QScatterSeries>
#include <QToolTip>
#include <QValueAxis>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace outlay::gui {
namespace {

/// The chart itself. It is styled in one function, after its series and axes exist: Qt Charts forgets
/// pens that were set before.
class ChartView final : public QChartView {
public:
    ChartView(const QLocale& locale, QWidget* parent) : QChartView(parent), m_axes(locale)
    {
        setRenderHint(QPainter::Antialiasing);
        setFrameShape(NoFrame);
        setFocusPolicy(Qt::NoFocus); // the chart's own widget has it
        viewport()->setFocusPolicy(Qt::NoFocus);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        chart()->setBackgroundVisible(false);
        chart()->legend()->hide();
        chart()->setAnimationOptions(QChart::NoAnimation);
        chart()->layout()->setContentsMargins(0, 0, 0, 0);
        setViewportUpdateMode(NoViewportUpdate); // it says itself when it is to be painted
        scene()->installEventFilter(this);
        viewport()->setAutoFillBackground(false); // all of it is painted here
        viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
        connect(chart(), &QChart::plotAreaChanged, this, [this] {
            limitBars();
            viewport()->update();
        });
    }

    void show(const ChartModel& model)
    {
        const bool isSame = isSameShape(model);
        m_model = &model;
        if (isSame && m_isBuilt)
            replaceValues();
        else
            rebuild();
        applyRanges();
        arrange();
        applySetColours(tokensOf(palette()));
        viewport()->update();
    }

    /// The key of the point that is nearest to a place of the view, if one is near.
    [[nodiscard]] std::optional<std::size_t> keyAt(const QPointF& at) const
    {
        std::optional<std::size_t> key;
        if (m_shape.kind != ChartModel::Kind::Scatter || m_model == nullptr)
            return key;
        double nearest = size::Medium;
        for (std::size_t s = 0; s < m_model->series.size(); ++s) {
            QAbstractSeries* owner = chart()->series().at(static_cast<qsizetype>(s));
            for (const ChartPoint& point : m_model->series[s].points) {
                const double distance =
                    QLineF(at, chart()->mapToPosition({point.x, point.y}, owner)).length();
                if (!point.key || m_hidden[s] || distance > nearest)
                    continue;
                nearest = distance;
                key = point.key;
            }
        }
        return key;
    }

    [[nodiscard]] QStringList cutTexts() const { return m_cutScales + m_cut; }

    std::function<QString(std::size_t)> hintOf;
    std::function<void(std::size_t)> chosen; // told the key of a point that is clicked

    void setShown(int series, bool isShown)
    {
        m_hidden.resize(m_shape.series.size());
        m_hidden[static_cast<std::size_t>(series)] = !isShown;
        if (m_shape.kind == ChartModel::Kind::Lines || m_shape.kind == ChartModel::Kind::Scatter)
            chart()->series().at(series)->setVisible(isShown);
        else
            applySetColours(tokensOf(palette()));
        viewport()->update();
    }

protected:
    /// A scene's queued calls end in painting all that waits in the window at once, in the middle of a change
    /// that other charts and layouts don't follow yet. Nothing here needs them: items are made ready when they
    /// are drawn, and every picture is asked for by `viewport()->update()`.
    bool eventFilter(QObject* object, QEvent* event) override
    {
        return (object == scene() && event->type() == QEvent::MetaCall) ||
               QChartView::eventFilter(object, event);
    }

    /// Qt Charts doesn't follow the palette.
    void changeEvent(QEvent* event) override
    {
        QChartView::changeEvent(event);
        if (event->type() == QEvent::PaletteChange)
            applyTheme();
    }

    void resizeEvent(QResizeEvent* event) override
    {
        if (m_model != nullptr)
            arrange();
        QChartView::resizeEvent(event);
    }

    bool viewportEvent(QEvent* event) override
    {
        if (event->type() != QEvent::ToolTip)
            return QChartView::viewportEvent(event);
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto key = keyAt(mapToScene(help->pos()));
        const QString hint = key && hintOf ? hintOf(*key) : QString();
        if (hint.isEmpty())
            return QChartView::viewportEvent(event);
        QToolTip::showText(help->globalPos(), hint, viewport());
        return true;
    }

    void mousePressEvent(QMouseEvent* event) override
    {
        if (const auto key = keyAt(mapToScene(event->pos())); key && chosen)
            chosen(*key);
        QChartView::mousePressEvent(event);
    }

    /// Scales change less often than what is shown on them.
    void drawBackground(QPainter* painter, const QRectF&) override
    {
        const Tokens& tokens = tokensOf(palette());
        const QRectF plot = chart()->plotArea();
        if (std::exchange(m_plot, plot) != plot)
            m_scales.forget();
        m_scales.draw(*painter, size(), [&](QPainter& own) {
            own.fillRect(rect(), tokens.card);
            if (!isReady())
                return;
            m_axes.paintGrid(own, plot, tokens);
            m_cutScales = m_axes.paintWords(own, plot, tokens);
        });
    }

    void drawForeground(QPainter* painter, const QRectF&) override
    {
        if (isReady())
            m_cut = paintOverlay(*painter, *m_model, overlayPlace(), tokensOf(palette()));
    }

private:
    void applyTheme()
    {
        if (!m_isBuilt)
            return;
        const Tokens& tokens = tokensOf(palette());
        for (std::size_t i = 0; i < m_shape.series.size(); ++i)
            style(i, tokens);
        m_scales.forget();
        viewport()->update();
    }

    [[nodiscard]] bool isReady() const
    {
        return m_isBuilt && m_model != nullptr && !chart()->series().isEmpty();
    }

    [[nodiscard]] bool isFlat() const { return m_shape.kind == ChartModel::Kind::HorizontalBars; }

    /// Horizontal bars count their categories from below.
    [[nodiscard]] std::size_t placeOf(std::size_t category) const
    {
        return isFlat() ? m_shape.categories.size() - 1 - category : category;
    }

    [[nodiscard]] bool isSameShape(const ChartModel& model) const
    {
        return model.kind == m_shape.kind && model.categories.size() == m_shape.categories.size() &&
               model.x.isLog == m_shape.x.isLog && model.y.isLog == m_shape.y.isLog &&
               std::equal(model.series.begin(), model.series.end(), m_shape.series.begin(),
                          m_shape.series.end(), [](const ChartSeries& a, const ChartSeries& b) {
                              return a.colour == b.colour && a.name == b.name;
                          });
    }

    void rebuild()
    {
        m_shape = *m_model;
        m_hidden.assign(m_shape.series.size(), false);
        chart()->removeAllSeries();
        for (QAbstractAxis* axis : chart()->axes()) {
            chart()->removeAxis(axis);
            delete axis;
        }
        m_across = nullptr;
        m_up = nullptr;
        switch (m_shape.kind) {
        case ChartModel::Kind::Bars: addBars(new QBarSeries); break;
        case ChartModel::Kind::HorizontalBars: addBars(new QHorizontalBarSeries); break;
        case ChartModel::Kind::Lines: addPoints<QLineSeries>(); break;
        case ChartModel::Kind::Scatter: addPoints<QScatterSeries>(); break;
        case ChartModel::Kind::Doughnut: addSlices(); break;
        }
        m_isBuilt = true;
        replaceValues();
        applyTheme();
        limitBars();
    }

    void addBars(QAbstractBarSeries* bars)
    {
        for (const ChartSeries& series : m_shape.series) {
            auto* set = new QBarSet(series.name);
            for (std::size_t i = 0; i < m_shape.categories.size(); ++i)
                set->append(0);
            bars->append(set);
        }
        chart()->addSeries(bars); // the chart owns it
        addAxes(Scale::Plain, Scale::Plain);
        bars->attachAxis(m_across);
        bars->attachAxis(m_up);
    }

    /// Few bars in a large chart stay bars.
    void limitBars()
    {
        auto* bars = qobject_cast<QAbstractBarSeries*>(chart()->series().value(0));
        if (bars == nullptr || m_shape.categories.empty())
            return;
        constexpr double MostShare = 0.6;
        const QRectF plot = chart()->plotArea();
        const double each = (isFlat() ? plot.height() : plot.width()) /
                            static_cast<double>(m_shape.categories.size());
        const double thickest = size::ThickestBar * static_cast<double>(m_shape.series.size());
        const double share = std::min(MostShare, thickest / std::max(1.0, each));
        bars->setBarWidth(share);
        m_barThickness = share * each;
    }

    template <typename Series>
    void addPoints()
    {
        addAxes(scaleOf(m_shape.x), scaleOf(m_shape.y));
        for (std::size_t i = 0; i < m_shape.series.size(); ++i) {
            auto* series = new Series;
            chart()->addSeries(series);
            series->attachAxis(m_across);
            series->attachAxis(m_up);
        }
    }

    /// They only say which values the plot spans, and are never seen: ChartAxes draws the scales.
    enum class Scale { Plain, Logarithmic };
    static Scale scaleOf(const ChartAxis& axis)
    {
        return axis.isLog ? Scale::Logarithmic : Scale::Plain;
    }

    void addAxes(Scale across, Scale up)
    {
        m_across = addAxis(across, Qt::AlignBottom);
        m_up = addAxis(up, Qt::AlignLeft);
    }

    QAbstractAxis* addAxis(Scale scale, Qt::Alignment side)
    {
        QAbstractAxis* axis = nullptr;
        if (scale == Scale::Logarithmic)
            axis = new QLogValueAxis;
        else
            axis = new QValueAxis;
        axis->setVisible(false);
        chart()->addAxis(axis, side);
        return axis;
    }

    void addSlices()
    {
        auto* pie = new QPieSeries;
        pie->setHoleSize(size::DoughnutHole);
        pie->setPieSize(1.0);
        for (const ChartSeries& series : m_shape.series)
            pie->append(series.name, 0);
        chart()->addSeries(pie);
    }

    void replaceValues()
    {
        for (std::size_t i = 0; i < m_model->series.size(); ++i) {
            const std::vector<ChartPoint>& points = m_model->series[i].points;
            const QList<QAbstractSeries*> all = chart()->series();
            if (auto* bars = qobject_cast<QAbstractBarSeries*>(all.first())) {
                QBarSet* set = bars->barSets().at(static_cast<qsizetype>(i));
                for (std::size_t j = 0; j < points.size() && j < m_shape.categories.size(); ++j)
                    set->replace(static_cast<int>(placeOf(j)), points[j].y);
            } else if (auto* pie = qobject_cast<QPieSeries*>(all.first())) {
                pie->slices()
                    .at(static_cast<qsizetype>(i))
                    ->setValue(points.empty() ? 0 : points.front().y);
            } else if (auto* line = qobject_cast<QLineSeries*>(all.at(static_cast<qsizetype>(i)))) {
                // Those of a scatter are drawn by the overlay; their series only lend the axes.
                QList<QPointF> list;
                for (const ChartPoint& point : points)
                    list.append({point.x, point.y});
                line->replace(list);
            }
        }
    }

    /// Room for the words around the plot.
    void arrange()
    {
        if (m_axes.arrange(*m_model, size()))
            m_scales.forget();
        chart()->setMargins(m_axes.margins());
    }

    void applyRanges()
    {
        if (m_across == nullptr)
            return;
        const bool isBars = isFlat() || m_shape.kind == ChartModel::Kind::Bars;
        QAbstractAxis* values = isFlat() ? m_across : m_up;
        QAbstractAxis* places = isFlat() ? m_up : m_across;
        values->setRange(m_model->y.low, m_model->y.high);
        if (isBars) // each has a field of its own, numbered from 0 in its middle
            places->setRange(-0.5, static_cast<double>(m_shape.categories.size()) - 0.5);
        else
            places->setRange(m_model->x.low, m_model->x.high);
    }

    void style(std::size_t i, const Tokens& tokens)
    {
        const QColor colour = tokens.mark(m_shape.series[i].colour);
        const QList<QAbstractSeries*> all = chart()->series();
        if (qobject_cast<QAbstractBarSeries*>(all.first()) != nullptr) {
            applySetColours(tokens);
        } else if (auto* pie = qobject_cast<QPieSeries*>(all.first())) {
            QPieSlice* slice = pie->slices().at(static_cast<qsizetype>(i));
            slice->setBrush(colour);
            slice->setPen(Qt::NoPen); // the overlay parts them
        } else if (auto* scatter =
                       qobject_cast<QScatterSeries*>(all.at(static_cast<qsizetype>(i)))) {
            scatter->setColor(Qt::transparent); // the overlay draws marks of the right shape
            scatter->setBorderColor(Qt::transparent);
        } else if (auto* line = qobject_cast<QXYSeries*>(all.at(static_cast<qsizetype>(i)))) {
            line->setPen(linePen(m_shape.series[i].colour, tokens));
        }
    }

    void applySetColours(const Tokens& tokens)
    {
        auto* bars = qobject_cast<QAbstractBarSeries*>(chart()->series().value(0));
        if (bars == nullptr)
            return;
        std::size_t i = 0;
        for (QBarSet* set : bars->barSets()) {
            const QColor colour = tokens.mark(m_shape.series[i].colour);
            // A model that became empty is not shown, but keeps its place here.
            const bool isOverlaid =
                m_hidden[i] || i >= m_model->series.size() || hasOwnColours(m_model->series[i]);
            set->setColor(isOverlaid ? QColor(Qt::transparent) : colour);
            set->setBorderColor(Qt::transparent);
            ++i;
        }
    }

    [[nodiscard]] OverlayPlace overlayPlace() const
    {
        return {chart()->plotArea(),
                [this](std::size_t series, double x, double y) {
                    const QList<QAbstractSeries*> all = chart()->series();
                    const bool isBar = qobject_cast<QAbstractBarSeries*>(all.first()) != nullptr;
                    QAbstractSeries* owner =
                        isBar ? all.first() : all.at(static_cast<qsizetype>(series));
                    if (!isFlat())
                        return chart()->mapToPosition({x, y}, owner);
                    const auto category = placeOf(static_cast<std::size_t>(x));
                    return chart()->mapToPosition({y, static_cast<double>(category)}, owner);
                },
                [this](std::size_t series) { return !m_hidden[series]; },
                m_barThickness,
                chart()->size().width(),
                m_axes.isBrief()};
    }

    ChartModel m_shape;                  // what the series were built for
    const ChartModel* m_model = nullptr; // what they show now; the Chart's
    std::vector<bool> m_hidden;
    ChartAxes m_axes;
    QAbstractAxis* m_across = nullptr;
    QAbstractAxis* m_up = nullptr;
    KeptPicture m_scales; // and the card under them
    QRectF m_plot;        // that they were painted around
    QStringList m_cutScales;
    QStringList m_cut; // of what lies over the series
    double m_barThickness = 0;
    bool m_isBuilt = false;
};

/// The view with the interface that the rest of the program knows.
class QtChartCanvas final : public ChartCanvas {
public:
    QtChartCanvas(const QLocale& locale, QWidget* parent)
        : ChartCanvas(parent), m_view(new ChartView(locale, this))
    {
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(m_view);
        m_view->hintOf = [this](std::size_t key) { return hintOf ? hintOf(key) : QString(); };
        m_view->chosen = [this](std::size_t key) { Q_EMIT pointChosen(key); };
        connect(m_view->chart(), &QChart::plotAreaChanged, this, &ChartCanvas::plotMoved);
    }

    void show(const ChartModel& model) override { m_view->show(model); }
    void setShown(int series, bool isShown) override { m_view->setShown(series, isShown); }
    QStringList cutTexts() const override { return m_view->cutTexts(); }
    QRectF plotArea() const override { return m_view->chart()->plotArea(); }
    QPointF placeOf(const QPointF& value) const override
    {
        return m_view->chart()->mapToPosition(value);
    }
    QPointF valueAt(const QPointF& place) const override
    {
        return m_view->chart()->mapToValue(place);
    }

private:
    ChartView* m_view;
};

} // namespace

ChartCanvas* makeChartCanvas(const QLocale& locale, QWidget* parent)
{
    return new QtChartCanvas(locale, parent);
}

} // namespace outlay::gui
