// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/chart_canvas.h"

#include "gui/style/theme.h"
#include "gui/widgets/chart_overlay.h"

#include <QBarCategoryAxis>
#include <QBarSeries>
#include <QBarSet>
#include <QCategoryAxis>
#include <QChart>
#include <QChartView>
#include <QGraphicsLayout>
#include <QHorizontalBarSeries>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QMouseEvent>
#include <QPainter>
#include <QPieSeries>
#include <QPieSlice>
#include <QScatterSeries>
#include <QValueAxis>
#include <QVBoxLayout>

#include <algorithm>

namespace outlay::gui {
namespace {

/// The chart itself. It is styled in one function, after its series and axes exist: Qt Charts forgets
/// pens that were set before.
class ChartView final : public QChartView {
public:
    explicit ChartView(QWidget* parent) : QChartView(parent)
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
        m_overlay = new OverlayItem(*this);
        connect(chart(), &QChart::plotAreaChanged, this, &ChartView::limitBars);
    }

    void show(const ChartModel& model)
    {
        const bool isSame = isSameShape(model);
        m_model = &model;
        if (isSame && m_isBuilt) {
            replaceCategories();
            replaceValues();
        } else {
            rebuild();
        }
        applyRanges();
        applySetColours(tokensOf(palette()));
        m_overlay->update();
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

    [[nodiscard]] const QStringList& cutTexts() const { return m_cut; }

    std::function<void(std::size_t)> chosen; // told the key of a point that is clicked

    void applyTheme()
    {
        if (!m_isBuilt)
            return;
        const Tokens& tokens = tokensOf(palette());
        setBackgroundBrush(tokens.card);
        for (QAbstractAxis* axis : chart()->axes())
            style(*axis, tokens);
        for (std::size_t i = 0; i < m_shape.series.size(); ++i)
            style(i, tokens);
        m_overlay->update();
    }

    void setShown(int series, bool isShown)
    {
        m_hidden.resize(m_shape.series.size());
        m_hidden[static_cast<std::size_t>(series)] = !isShown;
        if (m_shape.kind == ChartModel::Kind::Lines || m_shape.kind == ChartModel::Kind::Scatter)
            chart()->series().at(series)->setVisible(isShown);
        else
            applySetColours(tokensOf(palette()));
        m_overlay->update();
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        if (m_model != nullptr)
            applyMargins();
        QChartView::resizeEvent(event);
    }

    void mousePressEvent(QMouseEvent* event) override
    {
        if (const auto key = keyAt(mapToScene(event->pos())); key && chosen)
            chosen(*key);
        QChartView::mousePressEvent(event);
    }

private:
    /// A child of the chart above its series.
    class OverlayItem final : public QGraphicsItem {
    public:
        explicit OverlayItem(ChartView& canvas) : QGraphicsItem(canvas.chart()), m_canvas(canvas)
        {
            constexpr double OnTop = 1000;
            setZValue(OnTop);
        }
        [[nodiscard]] QRectF boundingRect() const override { return m_canvas.chart()->rect(); }
        void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override
        {
            m_canvas.paintOver(*painter);
        }

    private:
        ChartView& m_canvas;
    };

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
               model.x.words == m_shape.x.words && model.y.words == m_shape.y.words &&
               std::equal(model.series.begin(), model.series.end(), m_shape.series.begin(),
                          m_shape.series.end(), [](const ChartSeries& a, const ChartSeries& b) {
                              return a.colour == b.colour && a.name == b.name;
                          });
    }

    /// Other names of as many bars: building the chart anew would take ten times as long.
    void replaceCategories()
    {
        if (m_model->categories == m_shape.categories)
            return;
        m_shape.categories = m_model->categories;
        QStringList names;
        for (std::size_t i = 0; i < m_shape.categories.size(); ++i)
            names.append(m_shape.categories[placeOf(i)]);
        for (QAbstractAxis* axis : chart()->axes()) {
            if (auto* categories = qobject_cast<QBarCategoryAxis*>(axis))
                categories->setCategories(names);
        }
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
        m_values = nullptr;
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
        QStringList names;
        for (std::size_t i = 0; i < m_shape.categories.size(); ++i)
            names.append(m_shape.categories[placeOf(i)]);
        for (const ChartSeries& series : m_shape.series) {
            auto* set = new QBarSet(series.name);
            for (std::size_t i = 0; i < m_shape.categories.size(); ++i)
                set->append(0);
            bars->append(set);
        }
        chart()->addSeries(bars); // the chart owns it
        auto* categories = new QBarCategoryAxis;
        categories->append(names);
        m_values = new QValueAxis;
        chart()->addAxis(categories, isFlat() ? Qt::AlignLeft : Qt::AlignBottom);
        chart()->addAxis(m_values, isFlat() ? Qt::AlignBottom : Qt::AlignLeft);
        bars->attachAxis(categories);
        bars->attachAxis(m_values);
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
        QAbstractAxis* x = addAxis(m_shape.x, Qt::AlignBottom);
        m_values = addAxis(m_shape.y, Qt::AlignLeft);
        for (std::size_t i = 0; i < m_shape.series.size(); ++i) {
            auto* series = new Series;
            chart()->addSeries(series);
            series->attachAxis(x);
            series->attachAxis(m_values);
        }
    }

    QAbstractAxis* addAxis(const ChartAxis& model, Qt::Alignment side)
    {
        QAbstractAxis* axis = nullptr;
        if (!model.words.empty())
            axis = wordAxis(model);
        else if (model.isLog)
            axis = new QLogValueAxis;
        else
            axis = new QValueAxis;
        chart()->addAxis(axis, side);
        return axis;
    }

    static QAbstractAxis* wordAxis(const ChartAxis& model)
    {
        constexpr double Half = 0.5;
        auto* axis = new QCategoryAxis;
        axis->setStartValue(Half);
        for (std::size_t i = 0; i < model.words.size(); ++i)
            axis->append(model.words[i], static_cast<double>(i) + 1 + Half);
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionCenter);
        return axis;
    }

    void addSlices()
    {
        constexpr double Hole = 0.62;
        auto* pie = new QPieSeries;
        pie->setHoleSize(Hole);
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
            } else if (auto* line = qobject_cast<QXYSeries*>(all.at(static_cast<qsizetype>(i)))) {
                QList<QPointF> list;
                for (const ChartPoint& point : points)
                    list.append({point.x, point.y});
                line->replace(list);
            }
        }
    }

    static void setRange(QAbstractAxis* axis, const ChartAxis& model)
    {
        const QString format = QStringLiteral("%.%1f").arg(model.decimals);
        axis->setRange(model.low, model.high);
        axis->setTitleText(model.title);
        axis->setTitleVisible(!model.title.isEmpty());
        if (qobject_cast<QCategoryAxis*>(axis) != nullptr)
            return;
        if (auto* plain = qobject_cast<QValueAxis*>(axis)) {
            plain->setTickCount(std::max(2, model.ticks));
            plain->setLabelFormat(format);
        } else if (auto* log = qobject_cast<QLogValueAxis*>(axis)) {
            log->setLabelFormat(QStringLiteral("%g"));
        }
    }

    /// Labels may reach beyond the plot, but names at the other side need their room, too.
    void applyMargins()
    {
        const int names = nameRoom(*m_model, width());
        const auto [room, isBrief] = labelRoom(*m_model, width() - names - size::Small);
        m_isBrief = isBrief;
        chart()->setMargins(QMargins(names, size::Small, room + size::Small, 0));
        auto* values = qobject_cast<QValueAxis*>(m_values);
        if (!isFlat() || values == nullptr)
            return;
        // The bars' labels say it, where numbers below would be cut.
        constexpr int LeastScale = 6 * size::Wide;
        const int plot = width() - names - room - 2 * size::Small;
        const bool hasScale = plot >= LeastScale || m_shape.series.size() > 1;
        values->setLabelsVisible(hasScale);
        values->setTitleVisible(hasScale && !m_model->y.title.isEmpty());
        int intervals = std::max(1, m_model->y.ticks - 1);
        while (intervals > 1 && plot / intervals < 2 * size::Wide)
            intervals = intervals % 2 == 0 ? intervals / 2 : 1;
        values->setTickCount(intervals + 1);
    }

    void applyRanges()
    {
        if (m_values == nullptr)
            return applyMargins();
        setRange(m_values, m_model->y);
        applyMargins();
        const bool isXy =
            m_shape.kind == ChartModel::Kind::Lines || m_shape.kind == ChartModel::Kind::Scatter;
        for (QAbstractAxis* axis : chart()->axes()) {
            if (axis != m_values && isXy)
                setRange(axis, m_model->x);
            else if (axis != m_values)
                axis->setTitleText(m_model->x.title);
        }
    }

    void style(QAbstractAxis& axis, const Tokens& tokens) const
    {
        axis.setLabelsVisible(!isFlat() || &axis == m_values); // the overlay writes names
        axis.setLabelsFont(fontOf(TypeRole::Axis));
        axis.setLabelsColor(tokens.secondary);
        axis.setTitleFont(fontOf(TypeRole::Axis));
        axis.setTitleBrush(tokens.secondary);
        axis.setLinePen(QPen(tokens.cardBorder, size::Hairline));
        axis.setGridLinePen(QPen(tokens.grid, size::Hairline));
        axis.setShadesVisible(false);
        // Only the lines that a bar is read against, and for points the horizontal ones.
        axis.setGridLineVisible(&axis == m_values);
        axis.setMinorGridLineVisible(false);
    }

    void style(std::size_t i, const Tokens& tokens)
    {
        const QColor colour = tokens.series.at(m_shape.series[i].colour);
        const QList<QAbstractSeries*> all = chart()->series();
        if (qobject_cast<QAbstractBarSeries*>(all.first()) != nullptr) {
            applySetColours(tokens);
        } else if (auto* pie = qobject_cast<QPieSeries*>(all.first())) {
            QPieSlice* slice = pie->slices().at(static_cast<qsizetype>(i));
            slice->setColor(colour);
            slice->setBorderColor(tokens.card);
            slice->setBorderWidth(size::LineWidth);
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
            const QColor colour = tokens.series.at(m_shape.series[i].colour);
            const bool isOverlaid = m_hidden[i] || hasOwnColours(m_model->series[i]);
            set->setColor(isOverlaid ? QColor(Qt::transparent) : colour);
            set->setBorderColor(Qt::transparent);
            ++i;
        }
    }

    void paintOver(QPainter& painter)
    {
        if (!m_isBuilt || m_model == nullptr || chart()->series().isEmpty())
            return;
        const QList<QAbstractSeries*> all = chart()->series();
        const OverlayPlace place{
            chart()->plotArea(),
            [&](std::size_t series, double x, double y) {
                const bool isBar = qobject_cast<QAbstractBarSeries*>(all.first()) != nullptr;
                QAbstractSeries* owner =
                    isBar ? all.first() : all.at(static_cast<qsizetype>(series));
                if (!isFlat())
                    return chart()->mapToPosition({x, y}, owner);
                const auto category = placeOf(static_cast<std::size_t>(x));
                return chart()->mapToPosition({y, static_cast<double>(category)}, owner);
            },
            [&](std::size_t series) { return !m_hidden[series]; },
            m_barThickness,
            chart()->size().width(),
            m_isBrief};
        m_cut = paintOverlay(painter, *m_model, place, tokensOf(palette()));
    }

    ChartModel m_shape;                  // what the series were built for
    const ChartModel* m_model = nullptr; // what they show now; the Chart's
    std::vector<bool> m_hidden;
    QAbstractAxis* m_values = nullptr;
    OverlayItem* m_overlay = nullptr;
    QStringList m_cut;
    double m_barThickness = 0;
    bool m_isBuilt = false;
    bool m_isBrief = false; // the labels of the bars
};

/// The view with the interface that the rest of the program knows.
class QtChartCanvas final : public ChartCanvas {
public:
    explicit QtChartCanvas(QWidget* parent) : ChartCanvas(parent), m_view(new ChartView(this))
    {
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(m_view);
        m_view->chosen = [this](std::size_t key) { Q_EMIT pointChosen(key); };
        connect(m_view->chart(), &QChart::plotAreaChanged, this, &ChartCanvas::plotMoved);
    }

    void show(const ChartModel& model) override { m_view->show(model); }
    void applyTheme() override { m_view->applyTheme(); }
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

ChartCanvas* makeChartCanvas(QWidget* parent)
{
    return new QtChartCanvas(parent);
}

} // namespace outlay::gui
