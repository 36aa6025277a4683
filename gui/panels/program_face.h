// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The probe page while a person's own program is measured.
#pragma once

#include "gui/view/program_view.h"

#include <QWidget>

class QLabel;
class QProgressBar;

namespace outlay::gui {

class DataTable;
class PanelGrid;
class TitledChart;

class ProgramFace final : public QWidget {
    Q_OBJECT
public:
    ProgramFace(const DisplayLocale& locale, QWidget* parent);

    void show(const LiveProgramView& view);

Q_SIGNALS:
    void stopWanted();

private:
    QLabel* m_phase;
    QProgressBar* m_progress;
    DataTable* m_figures;
    PanelGrid* m_charts;
    TitledChart* m_steps;
    TitledChart* m_whole;
    QLabel* m_outputTitle;
    QLabel* m_output;
};

} // namespace outlay::gui
