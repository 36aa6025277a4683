// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/chart.h"

#include "gui/style/theme.h"
#include "gui/widgets/chart_canvas.h"
#include "gui/widgets/chart_legend.h"
#include "gui/widgets/data_table.h"
#include "gui/widgets/focus_frame.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/limit_handle.h"

#include <QEvent>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace outlay::gui {

Chart::Chart(const QString& name, const DisplayLocale& locale, QWidget* parent)
    : Twinned(parent), m_locale(locale), m_pages(new QStackedLayout), m_picture(new QWidget(this)),
      m_canvas(makeChartCanvas(locale, m_picture)), m_legend(new ChartLegend(m_picture)),
      m_empty(makeQuietLabel(QString(), TypeRole::Body, this, Wrap::Yes))
{
    setObjectName(name);
    setFocusPolicy(Qt::StrongFocus);
    m_canvas->setObjectName(name + QStringLiteral("Canvas"));
    m_empty->setAlignment(Qt::AlignCenter);
    auto* layout = new QVBoxLayout(m_picture);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(size::Tiny);
    layout->addWidget(m_legend);
    layout->addWidget(m_canvas, 1);
    m_pages->addWidget(m_picture);
    m_pages->addWidget(m_empty);
    auto* framed = new QVBoxLayout(this); // stacked pages take no heed of margins of their own
    framed->setContentsMargins(size::FocusWidth, size::FocusWidth, size::FocusWidth,
                               size::FocusWidth);
    framed->addLayout(m_pages);
    setMinimumHeight(size::ChartInPanel);
    connect(m_canvas, &ChartCanvas::pointChosen, this, &Chart::pointChosen);
    connect(m_canvas, &ChartCanvas::plotMoved, this, &Chart::placeHandles);
    connect(m_legend, &ChartLegend::toggled, this,
            [this](int series, bool isShown) { m_canvas->setShown(series, isShown); });
}

void Chart::show(const ChartModel& model)
{
    if (model == m_model)
        return;
    m_model = model;
    setAccessibleName(model.title);
    setAccessibleDescription(model.description +
                             QStringLiteral(". Ctrl+T shows the numbers as a table."));
    setToolTip(model.description);
    auto* layout = static_cast<QBoxLayout*>(m_picture->layout());
    layout->setDirection(model.kind == ChartModel::Kind::Doughnut ? QBoxLayout::RightToLeft
                                                                  : QBoxLayout::TopToBottom);
    fillTable();
    m_empty->setText(model.empty);
    if (!model.isEmpty()) {
        if (m_hasLegend)
            m_legend->show(m_model);
        m_canvas->show(m_model);
    }
    placeHandles();
    choosePage();
}

void Chart::setHints(const std::function<QString(std::size_t key)>& hintOf)
{
    m_canvas->hintOf = hintOf;
}

void Chart::setLegendShown(bool isShown)
{
    if (isShown == m_hasLegend)
        return;
    m_hasLegend = isShown;
    if (isShown)
        m_legend->show(m_model);
    else
        m_legend->hide();
}

const ChartAxis& Chart::axisOf(const ChartLimit& limit) const
{
    return limit.of == ChartLimit::Of::X ? m_model.x : m_model.y;
}

void Chart::addHandle()
{
    const std::size_t index = m_handles.size();
    auto* handle = new LimitHandle(objectName() + QStringLiteral("Limit%1").arg(index), m_canvas);
    connect(handle, &LimitHandle::dragStarted, this, [this] { --m_drag; });
    connect(handle, &LimitHandle::draggedTo, this, [this, index](const QPointF& place) {
        const ChartLimit& limit = m_model.limits.at(index);
        const QPointF value = m_canvas->valueAt(place);
        moveLimit(
            index,
            draggedLimit(limit.of == ChartLimit::Of::X ? value.x() : value.y(), axisOf(limit)),
            m_drag);
    });
    connect(handle, &LimitHandle::stepped, this, [this, index](int steps) {
        const ChartLimit& limit = m_model.limits.at(index);
        // One that lies beyond the chart waits at its edge: up from there is nowhere.
        const bool isBeyond = limit.isSet && limit.at >= axisOf(limit).high;
        if (isBeyond && steps > 0)
            return;
        moveLimit(index, movedLimit(limit, axisOf(limit), steps), 0);
    });
    connect(handle, &LimitHandle::sentLow, this,
            [this, index] { moveLimit(index, axisOf(m_model.limits.at(index)).low, 0); });
    connect(handle, &LimitHandle::removed, this,
            [this, index] { moveLimit(index, std::nullopt, 0); });
    m_handles.push_back(handle);
}

void Chart::moveLimit(std::size_t limit, std::optional<double> at, int drag)
{
    const ChartLimit& now = m_model.limits.at(limit);
    if (at == (now.isSet ? std::optional(now.at) : std::nullopt))
        return;
    Q_EMIT limitMoved(limit, at, drag);
}

void Chart::placeHandles()
{
    const bool hasAxes =
        m_model.kind == ChartModel::Kind::Scatter || m_model.kind == ChartModel::Kind::Lines;
    const bool hasPlot = !m_model.isEmpty() && hasAxes &&
                         std::any_of(m_model.limits.begin(), m_model.limits.end(),
                                     [](const ChartLimit& limit) { return limit.isMovable; });
    while (hasPlot && m_handles.size() < m_model.limits.size())
        addHandle();
    for (std::size_t i = 0; i < m_handles.size(); ++i) {
        const bool isUsed = hasPlot && i < m_model.limits.size() && m_model.limits[i].isMovable;
        if (!isUsed) {
            m_handles[i]->hide();
            continue;
        }
        const ChartLimit& limit = m_model.limits[i];
        const bool isX = limit.of == ChartLimit::Of::X;
        m_handles[i]->show(
            limit, m_canvas->plotArea(),
            m_canvas->placeOf({isX ? limit.at : m_model.x.low, isX ? m_model.y.low : limit.at}));
    }
}

void Chart::setForm(Form form)
{
    m_form = form;
    fillTable();
    choosePage();
}

DataTable* Chart::table()
{
    if (m_table == nullptr) {
        m_table = new DataTable(objectName() + QStringLiteral("Table"), QString(), this);
        m_pages->addWidget(m_table);
        setTabOrder(this, m_table);
    }
    return m_table;
}

void Chart::fillTable()
{
    if (m_form != Form::Table)
        return;
    table()->setAccessibleName(m_model.title + QStringLiteral(", as a table"));
    table()->show(tableOf(m_model, m_locale));
}

void Chart::choosePage()
{
    QWidget* page = m_form == Form::Table ? static_cast<QWidget*>(table()) : m_picture;
    m_pages->setCurrentWidget(m_model.isEmpty() ? m_empty : page);
}

void Chart::focusInEvent(QFocusEvent* event)
{
    Twinned::focusInEvent(event);
    update();
}

void Chart::focusOutEvent(QFocusEvent* event)
{
    Twinned::focusOutEvent(event);
    update();
}

void Chart::paintEvent(QPaintEvent*)
{
    paintFocusFrame(*this);
}

void Chart::toggleForm()
{
    const bool isTable = m_form == Form::Table;
    const bool hadFocus = hasFocus() || table()->hasFocus();
    setForm(isTable ? Form::Picture : Form::Table);
    if (hadFocus)
        (isTable ? static_cast<QWidget*>(this) : table())->setFocus();
}

int heightOnPage(const ChartModel& model)
{
    constexpr int Scale = 2 * size::Control; // below the bars
    const int bars = static_cast<int>(model.categories.size()) * size::Wide;
    return model.kind == ChartModel::Kind::HorizontalBars ? Scale + bars : size::ChartOnPage;
}

} // namespace outlay::gui
