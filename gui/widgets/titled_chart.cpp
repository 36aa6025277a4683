// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/titled_chart.h"

#include "gui/widgets/chart.h"
#include "gui/widgets/labels.h"

#include <QVBoxLayout>

namespace outlay::gui {

TitledChart::TitledChart(const QString& name, const DisplayLocale& locale, QWidget* parent)
    : QWidget(parent), m_title(makeLabel(QString(), TypeRole::StrongBody, this)),
      m_subtitle(makeQuietLabel(QString(), TypeRole::Secondary, this, Wrap::Yes)),
      m_chart(new Chart(name, locale, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(size::Tiny);
    layout->addWidget(m_title);
    layout->addWidget(m_subtitle);
    layout->addWidget(m_chart, 1);
    connect(m_chart, &Chart::limitMoved, this, &TitledChart::limitMoved);
}

void TitledChart::show(const ChartModel& model)
{
    m_title->setText(model.title);
    m_subtitle->setText(model.subtitle);
    m_chart->show(model);
}

void TitledChart::show(const std::optional<ChartModel>& model)
{
    if (model) {
        m_chart->setMinimumHeight(heightOnPage(*model));
        show(*model);
    }
    setVisible(model.has_value());
}

} // namespace outlay::gui
