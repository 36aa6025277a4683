// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/chart.h"

#include "gui/style/theme.h"
#include "gui/widgets/chart_canvas.h"
#include "gui/widgets/chart_legend.h"
#include "gui/widgets/data_table.h"
#include "gui/widgets/labels.h"

#include <QEvent>
#include <QPainter>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace outlay::gui {

Chart::Chart(const QString& name, const QLocale& locale, QWidget* parent)
    : QWidget(parent), m_locale(locale), m_pages(new QStackedLayout(this)),
      m_picture(new QWidget(this)), m_canvas(makeChartCanvas(m_picture)),
      m_legend(new ChartLegend(m_picture)),
      m_table(new DataTable(name + QStringLiteral("Table"), QString(), this)),
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
    m_pages->addWidget(m_table);
    m_pages->addWidget(m_empty);
    m_pages->setContentsMargins(size::FocusWidth, size::FocusWidth, size::FocusWidth,
                                size::FocusWidth);
    setMinimumHeight(size::ChartInPanel);
    connect(m_canvas, &ChartCanvas::pointChosen, this, &Chart::pointChosen);
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
    m_table->setAccessibleName(model.title + QStringLiteral(", as a table"));
    if (m_form == Form::Table)
        m_table->show(tableOf(model, m_locale));
    m_empty->setText(model.empty);
    if (!model.isEmpty()) {
        m_legend->show(m_model);
        m_canvas->show(m_model);
    }
    choosePage();
}

void Chart::setForm(Form form)
{
    m_form = form;
    if (form == Form::Table)
        m_table->show(tableOf(m_model, m_locale));
    choosePage();
}

void Chart::choosePage()
{
    QWidget* page = m_form == Form::Table ? static_cast<QWidget*>(m_table) : m_picture;
    m_pages->setCurrentWidget(m_model.isEmpty() ? m_empty : page);
}

void Chart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        m_canvas->applyTheme();
        m_legend->applyTheme();
    }
}

void Chart::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void Chart::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void Chart::paintEvent(QPaintEvent*)
{
    if (!hasFocus())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(tokensOf(palette()).accent, size::FocusWidth));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), size::ControlRadius,
                            size::ControlRadius);
}

void Chart::toggleForm()
{
    const bool isTable = m_form == Form::Table;
    const bool hadFocus = hasFocus() || m_table->hasFocus();
    setForm(isTable ? Form::Picture : Form::Table);
    if (hadFocus)
        (isTable ? static_cast<QWidget*>(this) : m_table)->setFocus();
}

} // namespace outlay::gui
