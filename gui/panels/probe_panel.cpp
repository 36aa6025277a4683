// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/panels/program_face.h"
#include "gui/style/flat_style.h"
#include "gui/view/probe_view.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/data_table.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/panel_grid.h"
#include "gui/widgets/titled_chart.h"

#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QStringList>
#include <QVBoxLayout>

namespace outlay::gui {
namespace {

constexpr int Permille = 1000;
constexpr GridRules ChartRules{.leastWidth = size::LeastCard,
                               .leastHeight = size::ChartOnPage,
                               .mostColumns = 2,
                               .fillsLastRow = true};

/// Its faces: the running measurement, of a design or a program, and the newest one that is stored.
class ProbePanel final : public Panel {
public:
    ProbePanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Probe"), parent), m_locale(locale),
          m_faces(new QStackedWidget(this)), m_running(new QWidget(this)),
          m_stored(new QWidget(this)), m_program(new ProgramFace(locale, this)),
          m_phase(makeLabel(QString(), TypeRole::Body, m_running)),
          m_progress(new QProgressBar(m_running)),
          m_live(new Chart(QStringLiteral("liveChart"), locale, m_running)),
          m_liveLeague(new TitledChart(QStringLiteral("liveLeague"), locale, m_running)),
          m_machine(makeQuietLabel(QString(), TypeRole::Body, m_stored, Wrap::Yes)),
          m_figures(new DataTable(QStringLiteral("probeTable"), QStringLiteral("Measured figures"),
                                  m_stored)),
          m_variantsNote(makeQuietLabel(QString(), TypeRole::Secondary, m_stored, Wrap::Yes)),
          m_variants(new DataTable(QStringLiteral("variantsTable"),
                                   QStringLiteral("Variants against the plain way"), m_stored)),
          m_league(new TitledChart(QStringLiteral("leagueChart"), locale, m_stored)),
          m_charts(new PanelGrid(ChartRules, m_stored)),
          m_steps(new TitledChart(QStringLiteral("stepChart"), locale, m_charts)),
          m_batches(new TitledChart(QStringLiteral("batchChart"), locale, m_charts)),
          m_together(new TitledChart(QStringLiteral("togetherChart"), locale, m_charts)),
          m_findings(makeLabel(QString(), TypeRole::Secondary, m_stored, Wrap::Yes))
    {
        buildRunning();
        buildStored();
        m_faces->addWidget(m_stored);
        m_faces->addWidget(m_running);
        m_faces->addWidget(m_program);
        connect(m_program, &ProgramFace::stopWanted, this, &Panel::cancelWanted);
        content()->addWidget(m_faces, 1);
    }

    void setInput(const PanelInput& input) override
    {
        if (input.program != nullptr)
            return show(makeLiveProgramView(*input.program, m_locale));
        m_faces->setCurrentWidget(input.live != nullptr ? m_running : m_stored);
        if (input.live != nullptr)
            show(makeLiveProbeView(*input.live, m_locale));
        else
            show(makeProbeView(input.report.probe, m_locale));
    }

private:
    void buildRunning()
    {
        auto* cancel = new QPushButton(QStringLiteral("Cancel"), m_running);
        cancel->setObjectName(QStringLiteral("cancelProbe"));
        cancel->setToolTip(
            QStringLiteral("Stop measuring, and keep what is measured so far (Esc)"));
        connect(cancel, &QPushButton::clicked, this, &Panel::cancelWanted);
        m_phase->setObjectName(QStringLiteral("probePhase"));
        m_progress->setObjectName(QStringLiteral("probeProgress"));
        m_progress->setAccessibleName(QStringLiteral("Progress of the measurement"));
        m_progress->setRange(0, Permille);
        m_progress->setTextVisible(false);
        m_progress->setFixedHeight(size::Small);
        auto* row = new QHBoxLayout;
        row->addWidget(m_phase, 1);
        row->addWidget(cancel);
        auto* layout = new QVBoxLayout(m_running);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addLayout(row);
        layout->addWidget(m_progress);
        layout->addWidget(m_live, 1);
        layout->addWidget(m_liveLeague, 2);
    }

    void buildStored()
    {
        auto* run = new QPushButton(QStringLiteral("Run probe"), m_stored);
        run->setObjectName(QStringLiteral("runProbeHere"));
        run->setToolTip(QStringLiteral("Measure this design on this machine (Ctrl+R)"));
        setMainButton(run);
        connect(run, &QPushButton::clicked, this, &Panel::probeWanted);
        m_charts->add(m_steps);
        m_charts->add(m_batches);
        m_charts->add(m_together);
        m_findings->setObjectName(QStringLiteral("probeFindings"));
        auto* all = new QPushButton(QStringLiteral("With variants"), m_stored);
        all->setObjectName(QStringLiteral("runVariantsHere"));
        all->setToolTip(QStringLiteral("Measure this design and the other ways to run it, which "
                                       "takes some minutes (Ctrl+Shift+R)"));
        connect(all, &QPushButton::clicked, this, &Panel::variantsWanted);
        m_variantsNote->setObjectName(QStringLiteral("variantsNote"));
        auto* program = new QPushButton(QStringLiteral("Measure a program…"), m_stored);
        program->setObjectName(QStringLiteral("measureProgramHere"));
        program->setToolTip(QStringLiteral("Run your own training for a while, and see how long "
                                           "all of it takes (Ctrl+M)"));
        connect(program, &QPushButton::clicked, this, &Panel::programWanted);
        auto* row = new QHBoxLayout;
        row->addWidget(m_machine, 1);
        row->addWidget(program, 0, Qt::AlignTop);
        row->addWidget(all, 0, Qt::AlignTop);
        row->addWidget(run, 0, Qt::AlignTop);
        auto* layout = new QVBoxLayout(m_stored);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(size::Medium);
        layout->addLayout(row);
        layout->addWidget(m_figures, 1);
        layout->addWidget(m_variantsNote);
        layout->addWidget(m_league);
        layout->addWidget(m_variants);
        layout->addWidget(m_charts, 1);
        layout->addWidget(m_findings);
    }

    void show(const LiveProgramView& view)
    {
        setSubtitle(QStringLiteral("Measuring your program on this machine"));
        m_faces->setCurrentWidget(m_program);
        m_program->show(view);
    }

    void show(const LiveProbeView& view)
    {
        setSubtitle(QStringLiteral("Measuring this design on this machine"));
        m_phase->setText(view.phase);
        m_progress->setValue(view.donePermille);
        m_live->show(view.throughput);
        m_liveLeague->show(view.league);
    }

    void show(const ProbeView& view)
    {
        setSubtitle(view.verdict);
        m_machine->setText(view.machine);
        m_figures->show(view.figures);
        m_figures->fitRows();
        m_figures->setVisible(!view.figures.rows.empty());
        m_variantsNote->setText(view.variantsNote);
        m_variantsNote->setVisible(!view.variantsNote.isEmpty());
        m_league->show(view.league);
        m_variants->show(view.variants);
        m_variants->fitRows();
        m_variants->setVisible(!view.variants.rows.empty());
        m_steps->show(view.steps);
        m_batches->show(view.throughput);
        m_together->show(view.together);
        m_findings->setText(
            QStringList(view.findings.begin(), view.findings.end()).join(QLatin1Char('\n')));
        m_findings->setVisible(!view.findings.empty());
    }

    DisplayLocale m_locale;
    QStackedWidget* m_faces;
    QWidget* m_running;
    QWidget* m_stored;
    ProgramFace* m_program;
    QLabel* m_phase;
    QProgressBar* m_progress;
    Chart* m_live;
    TitledChart* m_liveLeague;
    QLabel* m_machine;
    DataTable* m_figures;
    QLabel* m_variantsNote;
    DataTable* m_variants;
    TitledChart* m_league;
    PanelGrid* m_charts;
    TitledChart* m_steps;
    TitledChart* m_batches;
    TitledChart* m_together;
    QLabel* m_findings;
};

} // namespace

Panel* makeProbePanel(const DisplayLocale& locale, QWidget* parent)
{
    return new ProbePanel(locale, parent);
}

} // namespace outlay::gui
