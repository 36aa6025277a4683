// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/style/flat_style.h"
#include "gui/style/tokens.h"
#include "gui/view/hosts_view.h"
#include "gui/widgets/choice_box.h"
#include "gui/widgets/data_table.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/titled_chart.h"

#include <QProgressBar>
#include <QPushButton>
#include <QStringList>
#include <QVBoxLayout>

namespace outlay::gui {
namespace {

constexpr int WholeProgress = 1000;

class HostsPanel final : public Panel {
public:
    HostsPanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Hosts"), parent), m_locale(locale),
          m_host(new ChoiceBox(QStringLiteral("hostChoice"), QStringLiteral("Host"), this)),
          m_measure(new QPushButton(QStringLiteral("Measure there"), this)),
          m_check(new QPushButton(QStringLiteral("Check"), this)),
          m_stop(new QPushButton(QStringLiteral("Cancel"), this)),
          m_running(makeLabel(QString(), TypeRole::Body, this)), m_progress(new QProgressBar(this)),
          m_empty(makeLabel(QString(), TypeRole::Body, this, Wrap::Yes)),
          m_hosts(new DataTable(QStringLiteral("hostsTable"),
                                QStringLiteral("Machines to measure on"), this)),
          m_chart(new TitledChart(QStringLiteral("hostsChart"), locale, this)),
          m_findings(makeLabel(QString(), TypeRole::Secondary, this, Wrap::Yes))
    {
        m_empty->setObjectName(QStringLiteral("hostsEmpty"));
        m_empty->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        m_hosts->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
        m_findings->setObjectName(QStringLiteral("hostsFindings"));
        m_running->setObjectName(QStringLiteral("hostsRunning"));
        m_progress->setAccessibleName(QStringLiteral("Progress of the measurement there"));
        m_progress->setRange(0, WholeProgress);
        m_progress->setTextVisible(false);
        m_progress->setFixedHeight(size::Small);
        content()->addLayout(makeTools());
        content()->addWidget(m_running);
        content()->addWidget(m_progress);
        content()->addWidget(m_empty);
        content()->addWidget(m_hosts);
        content()->addWidget(m_findings);
        content()->addWidget(m_chart, 1);
        content()->addStretch(0);
    }

    void setInput(const PanelInput& input) override
    {
        if (input.hosts != nullptr)
            show(makeHostsView(*input.hosts, input.report.hosts, m_locale));
    }

private:
    QHBoxLayout* makeTools()
    {
        m_host->setMinimumWidth(size::FieldWidth);
        m_measure->setObjectName(QStringLiteral("measureThere"));
        m_measure->setToolTip(QStringLiteral("Measure this design on that host"));
        m_check->setObjectName(QStringLiteral("checkHosts"));
        m_check->setToolTip(QStringLiteral("Read the profiles again, and ask each host"));
        m_stop->setObjectName(QStringLiteral("cancelThere"));
        QLabel* caption = makeLabel(QStringLiteral("Host"), TypeRole::Body, this);
        caption->setBuddy(m_host);
        auto* tools = new QHBoxLayout;
        tools->setSpacing(size::Medium);
        tools->addWidget(caption);
        tools->addWidget(m_host);
        tools->addWidget(m_measure);
        tools->addWidget(m_check);
        tools->addStretch(1);
        tools->addWidget(m_stop);
        connect(m_measure, &QPushButton::clicked, this,
                [this] { Q_EMIT hostWanted(m_host->place()); });
        connect(m_check, &QPushButton::clicked, this, &Panel::hostsWanted);
        connect(m_stop, &QPushButton::clicked, this, &Panel::cancelWanted);
        return tools;
    }

    void show(const HostsView& view)
    {
        const bool isRunning = !view.running.isEmpty();
        const bool hasHosts = view.empty.isEmpty();
        setSubtitle(view.summary);
        m_host->setChoices(view.names);
        m_host->setEnabled(hasHosts && !isRunning);
        m_measure->setEnabled(hasHosts && !isRunning);
        m_check->setEnabled(!isRunning);
        m_stop->setVisible(isRunning);
        m_running->setText(view.running);
        m_running->setVisible(isRunning);
        m_progress->setValue(view.donePermille);
        m_progress->setVisible(isRunning);
        m_empty->setText(view.empty);
        m_empty->setVisible(!hasHosts);
        m_hosts->show(view.hosts);
        m_hosts->fitRows();
        m_hosts->setVisible(!view.hosts.rows.empty());
        m_findings->setText(
            QStringList(view.findings.begin(), view.findings.end()).join(QLatin1Char('\n')));
        m_findings->setVisible(!view.findings.empty());
        m_chart->show(std::optional(view.chart));
    }

    DisplayLocale m_locale;
    ChoiceBox* m_host;
    QPushButton* m_measure;
    QPushButton* m_check;
    QPushButton* m_stop;
    QLabel* m_running;
    QProgressBar* m_progress;
    QLabel* m_empty;
    DataTable* m_hosts;
    TitledChart* m_chart;
    QLabel* m_findings;
};

} // namespace

Panel* makeHostsPanel(const DisplayLocale& locale, QWidget* parent)
{
    return new HostsPanel(locale, parent);
}

} // namespace outlay::gui
