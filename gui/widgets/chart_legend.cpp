// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/chart_legend.h"

#include "gui/widgets/chart_marks.h"
#include "gui/widgets/labels.h"

#include <QEvent>
#include <QGridLayout>
#include <QPainter>
#include <QToolButton>

namespace outlay::gui {
namespace {

/// As the series is drawn: lines by their dashes, marks by their shape, bars and slices by colour.
QIcon swatch(const ChartModel& model, std::size_t colour, const Tokens& tokens, double ratio)
{
    const int wide = model.kind == ChartModel::Kind::Lines ? size::Wide : size::Medium;
    QPixmap picture(qRound(wide * ratio), qRound(size::Medium * ratio));
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box(0, 0, wide, size::Medium);
    switch (model.kind) {
    case ChartModel::Kind::Lines:
        painter.setPen(linePen(colour, tokens));
        painter.drawLine(QPointF(size::Hairline, box.center().y()),
                         QPointF(wide - size::Hairline, box.center().y()));
        break;
    case ChartModel::Kind::Scatter: drawMarker(painter, colour, box.center(), tokens); break;
    default:
        painter.setPen(Qt::NoPen);
        painter.setBrush(tokens.mark(colour));
        painter.drawRoundedRect(box, size::FocusWidth, size::FocusWidth);
    }
    return picture;
}

/// What decides which widgets there are.
bool isSameLegend(const ChartModel& a, const ChartModel& b)
{
    return a.kind == b.kind && a.series.size() == b.series.size() &&
           std::equal(a.series.begin(), a.series.end(), b.series.begin(),
                      [](const ChartSeries& x, const ChartSeries& y) {
                          return x.name == y.name && x.colour == y.colour;
                      });
}

} // namespace

ChartLegend::ChartLegend(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(size::Tiny);
    layout->setVerticalSpacing(size::Tiny);
}

void ChartLegend::show(const ChartModel& model)
{
    const bool isDoughnut = model.kind == ChartModel::Kind::Doughnut;
    // One series needs no name: the title says what it is.
    setVisible(isDoughnut || model.series.size() > 1);
    if (isSameLegend(model, m_shown)) {
        m_shown = model;
        for (std::size_t i = 0; isDoughnut && i < model.series.size(); ++i)
            fillRow(model.series[i], static_cast<int>(i));
        return;
    }
    m_shown = model;
    applyTheme();
}

void ChartLegend::applyTheme()
{
    m_chips.clear();
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
    if (!isVisibleTo(parentWidget()))
        return;
    int index = 0;
    for (const ChartSeries& series : m_shown.series) {
        if (m_shown.kind == ChartModel::Kind::Doughnut)
            addRow(series, index);
        else
            addChip(series, index);
        ++index;
    }
}

void ChartLegend::addChip(const ChartSeries& series, int index)
{
    auto* chip = new QToolButton(this);
    chip->setObjectName(QStringLiteral("legend%1").arg(index));
    chip->setAccessibleName(QStringLiteral("Show ") + series.name);
    chip->setText(series.name);
    chip->setFont(fontOf(TypeRole::Axis)); // three fit side by side in a card
    chip->setIcon(swatch(m_shown, series.colour, tokensOf(palette()), devicePixelRatioF()));
    chip->setIconSize(
        {m_shown.kind == ChartModel::Kind::Lines ? size::Wide : size::Medium, size::Medium});
    chip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    chip->setCheckable(true);
    chip->setChecked(true);
    connect(chip, &QToolButton::toggled, this,
            [this, index](bool isOn) { Q_EMIT toggled(index, isOn); });
    m_chips.push_back(chip);
    arrangeChips();
}

void ChartLegend::arrangeChips()
{
    if (m_chips.empty())
        return;
    int wanted = 0;
    for (const QToolButton* chip : m_chips)
        wanted += chip->sizeHint().width() + size::Tiny;
    // A narrow card has no room for all side by side: then they are two rows.
    const auto count = static_cast<int>(m_chips.size());
    const int columns = wanted > width() ? (count + 1) / 2 : count;
    auto* grid = static_cast<QGridLayout*>(layout());
    for (int i = 0; i < count; ++i) {
        grid->removeWidget(m_chips[static_cast<std::size_t>(i)]);
        grid->addWidget(m_chips[static_cast<std::size_t>(i)], i / columns, i % columns,
                        Qt::AlignLeft);
    }
    // The chips stand side by side at the left.
    for (int column = 0; column <= count; ++column)
        grid->setColumnStretch(column, column == columns ? 1 : 0);
}

/// Marks are pictures, which don't follow the palette.
void ChartLegend::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyTheme();
}

void ChartLegend::resizeEvent(QResizeEvent* event)
{
    arrangeChips();
    QWidget::resizeEvent(event);
}

void ChartLegend::addRow(const ChartSeries& slice, int index)
{
    auto* mark = new QLabel(this);
    mark->setPixmap(swatch(m_shown, slice.colour, tokensOf(palette()), devicePixelRatioF())
                        .pixmap(size::Medium, size::Medium));
    QLabel* value = makeLabel(QString(), TypeRole::Mono, this);
    value->setObjectName(QStringLiteral("value%1").arg(index));
    value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* grid = static_cast<QGridLayout*>(layout());
    grid->setHorizontalSpacing(size::Small);
    grid->setVerticalSpacing(0);
    const int row = 2 * index;
    grid->addWidget(mark, row, 0);
    // The slice has the number, too: colours alone don't tell it to everybody.
    auto* name = makeLabel(QStringLiteral("%1  %2").arg(index + 1).arg(slice.name),
                           TypeRole::Secondary, this);
    name->setObjectName(QStringLiteral("slice%1").arg(index));
    grid->addWidget(name, row, 1);
    grid->addWidget(value, row, 2);
    auto* basis = makeLabel(QString(), TypeRole::Axis, this);
    basis->setObjectName(QStringLiteral("basis%1").arg(index));
    basis->setForegroundRole(SecondaryText);
    // Below it: beside it there would be no room left for the ring.
    grid->addWidget(basis, row + 1, 2, Qt::AlignRight | Qt::AlignTop);
    fillRow(slice, index);
}

void ChartLegend::fillRow(const ChartSeries& slice, int index)
{
    const ChartPoint point = slice.points.empty() ? ChartPoint() : slice.points.front();
    const auto fill = [&](const char* name, const QString& text) {
        if (auto* label = findChild<QLabel*>(QLatin1String(name) + QString::number(index))) {
            label->setText(text);
            label->setToolTip(point.hint);
        }
    };
    fill("value", point.label);
    fill("basis", point.basis);
}

} // namespace outlay::gui
