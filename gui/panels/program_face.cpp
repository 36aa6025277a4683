// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/program_face.h"

#include "gui/style/theme.h"
#include "gui/widgets/data_table.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/panel_grid.h"
#include "gui/widgets/titled_chart.h"

#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace outlay::gui {
namespace {

constexpr int Whole = 1000; // permille
constexpr GridRules LiveCharts{
    .leastWidth = size::LeastCard, .leastHeight = size::ChartOnPage, .mostColumns = 2};

} // namespace

ProgramFace::ProgramFace(const DisplayLocale& locale, QWidget* parent)
    : QWidget(parent), m_phase(makeLabel(QString(), TypeRole::Body, this, Wrap::Yes)),
      m_progress(new QProgressBar(this)),
      m_figures(new DataTable(QStringLiteral("programTable"),
                              QStringLiteral("What is seen of the program"), this)),
      m_charts(new PanelGrid(LiveCharts, this)),
      m_steps(new TitledChart(QStringLiteral("programSteps"), locale, m_charts)),
      m_whole(new TitledChart(QStringLiteral("programWhole"), locale, m_charts)),
      m_outputTitle(makeLabel(QStringLiteral("What it prints"), TypeRole::CardTitle, this)),
      m_output(makeQuietLabel(QString(), TypeRole::Secondary, this, Wrap::Yes))
{
    auto* stop = new QPushButton(QStringLiteral("Stop"), this);
    stop->setObjectName(QStringLiteral("stopProgram"));
    stop->setToolTip(
        QStringLiteral("End the program as by Ctrl+C, and keep what is measured so far (Esc)"));
    connect(stop, &QPushButton::clicked, this, &ProgramFace::stopWanted);
    m_phase->setObjectName(QStringLiteral("programPhase"));
    m_progress->setObjectName(QStringLiteral("programProgress"));
    m_progress->setAccessibleName(QStringLiteral("Progress of the measurement"));
    m_progress->setRange(0, Whole);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(size::Small);
    m_output->setObjectName(QStringLiteral("programOutput"));
    m_charts->add(m_steps);
    m_charts->add(m_whole);
    auto* row = new QHBoxLayout;
    row->addWidget(m_phase, 1);
    row->addWidget(stop, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(size::Medium);
    layout->addLayout(row);
    layout->addWidget(m_progress);
    layout->addWidget(m_figures);
    layout->addWidget(m_charts, 1);
    layout->addWidget(m_outputTitle);
    layout->addWidget(m_output);
}

void ProgramFace::show(const LiveProgramView& view)
{
    m_phase->setText(view.phase);
    m_progress->setVisible(view.donePermille.has_value());
    m_progress->setValue(view.donePermille.value_or(0));
    m_figures->show(view.figures);
    m_figures->fitRows();
    m_figures->setVisible(!view.figures.rows.empty());
    m_steps->show(view.steps);
    m_whole->show(view.whole);
    m_output->setText(view.output);
    for (QLabel* label : {m_outputTitle, m_output})
        label->setVisible(!view.output.isEmpty());
}

} // namespace outlay::gui
