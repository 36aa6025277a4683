// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/vary_dialog.h"

#include "gui/session/vary_session.h"
#include "gui/style/tokens.h"
#include "gui/view/format.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/labels.h"

#include <QComboBox>
#include <QDialog>
#include <QGridLayout>
#include <QPushButton>
#include <QShortcut>
#include <QTimer>

#include <chrono>

namespace outlay::gui {
namespace {

constexpr std::chrono::milliseconds Pace{150};

class VaryDialog final : public QDialog {
public:
    VaryDialog(const VaryRequest& request, const DisplayLocale& locale, QWidget& window)
        : QDialog(&window), m_field(request.field), m_locale(locale), m_sessions(request.sessions),
          m_session(new VarySession(m_sessions.document.catalogs(), this)),
          m_state(makeQuietLabel(QString(), TypeRole::Secondary, this, Wrap::Yes)),
          m_where(new QComboBox(this)), m_measure(new QPushButton(this)),
          m_layout(new QGridLayout(this))
    {
        setObjectName(QStringLiteral("varyDialog"));
        setAttribute(Qt::WA_DeleteOnClose);
        setWindowTitle(QStringLiteral("Vary: ") + m_field.label);
        m_state->setObjectName(QStringLiteral("varyState"));
        m_layout->setSpacing(size::Large);
        resize(2 * size::Dialog, 2 * size::ChartOnPage);
        // Keys of the window don't reach a window beside it.
        auto* tables = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_T), this);
        connect(tables, &QShortcut::activated, this, [this] { toggleForms(*this); });
        m_pace.setSingleShot(true);
        m_pace.setInterval(Pace);
        connect(&m_pace, &QTimer::timeout, this, &VaryDialog::draw);
        connect(m_session, &VarySession::progressed, this, [this] {
            if (!m_pace.isActive())
                m_pace.start();
        });
        connect(m_session, &VarySession::finished, this, &VaryDialog::draw);
        buildFoot();
        followMeasuring();
        draw();
        m_session->start(m_sessions.document.experiment(), m_field);
    }

private:
    void buildFoot()
    {
        HostsSession& hosts = m_sessions.hosts;
        if (!hosts.isRead())
            hosts.read();
        m_where->setObjectName(QStringLiteral("varyHost"));
        m_where->setAccessibleName(QStringLiteral("Machine to measure on"));
        m_where->addItem(QStringLiteral("this machine"));
        m_profiles.emplace_back(); // without a name
        for (const HostEntry& entry : hosts.list().hosts) {
            m_where->addItem(toQString(entry.profile.name));
            m_profiles.push_back(entry.profile);
        }
        m_measure->setObjectName(QStringLiteral("varyMeasure"));
        m_foot = new QHBoxLayout;
        m_foot->addWidget(m_state, 1);
        m_foot->addWidget(makeLabel(QStringLiteral("Measure on"), TypeRole::Body, this));
        m_foot->addWidget(m_where);
        m_foot->addWidget(m_measure);
        connect(m_where, &QComboBox::currentIndexChanged, this, &VaryDialog::showMeasured);
        connect(m_measure, &QPushButton::clicked, this, &VaryDialog::measureOrStop);
    }

    void followMeasuring()
    {
        Document& document = m_sessions.document;
        // What is measured for one experiment isn't kept in another.
        connect(&document, &Document::opened, this, [this] {
            m_isOther = true;
            draw();
        });
        connect(&document, &Document::changed, this, [this] {
            if (m_sessions.document.experiment().measurements != m_session->measurements())
                showMeasured();
        });
        connect(&m_sessions.hosts, &HostsSession::changed, this, &VaryDialog::draw);
        // One measurement at a time, whoever makes it.
        ProbeSession& probe = m_sessions.probe;
        connect(&probe, &ProbeSession::started, this, &VaryDialog::draw);
        connect(&probe, &ProbeSession::done, this, &VaryDialog::draw);
        connect(&probe, &ProbeSession::cancelled, this, &VaryDialog::draw);
        connect(&probe, &ProbeSession::failed, this, &VaryDialog::draw);
        connect(&m_sessions.program, &ProgramSession::started, this, &VaryDialog::draw);
        connect(&m_sessions.program, &ProgramSession::over, this, &VaryDialog::draw);
        connect(&m_sessions.hosts, &HostsSession::over, this, [this] {
            m_isMeasuring = false;
            draw();
        });
    }

    [[nodiscard]] const core::Profile& profile() const
    {
        return m_profiles.at(static_cast<std::size_t>(std::max(0, m_where->currentIndex())));
    }

    void showMeasured()
    {
        if (m_isOther)
            return;
        m_session->showMeasured(m_sessions.document.experiment().measurements, profile().name);
    }

    void measureOrStop()
    {
        if (m_isMeasuring)
            return m_sessions.hosts.cancel();
        if (m_sessions.isMeasuring())
            return draw();
        m_isMeasuring = true; // before it can have ended
        m_sessions.hosts.measureAll(
            m_session->missingJobs(m_sessions.settings.value(setting::probeSeconds())), profile());
        m_isMeasuring = m_sessions.hosts.isRunning();
        draw();
    }

    void drawFoot()
    {
        const std::size_t missing =
            m_session->missingJobs(m_sessions.settings.value(setting::probeSeconds())).size();
        const bool isBusy = m_sessions.isMeasuring() && !m_isMeasuring;
        m_measure->setText(m_isMeasuring  ? QStringLiteral("Stop")
                           : missing == 0 ? QStringLiteral("All measured")
                           : missing == 1 ? QStringLiteral("Measure 1 value")
                                          : QStringLiteral("Measure %1 values").arg(missing));
        m_measure->setEnabled(m_isMeasuring ||
                              (missing > 0 && m_session->isComplete() && !isBusy && !m_isOther));
        m_where->setEnabled(!m_isMeasuring && !m_isOther);
        m_state->setText(stateText(isBusy));
    }

    [[nodiscard]] QString stateText(bool isBusy) const
    {
        if (m_isMeasuring)
            return launchText(m_sessions.hosts.counts());
        if (m_isOther)
            return QStringLiteral("another experiment is open: nothing more is measured here");
        if (isBusy)
            return QStringLiteral("another measurement is running");
        const QString done = QStringLiteral("%1 values").arg(m_session->points().size());
        return m_session->refused() == 0
                   ? done
                   : done + QStringLiteral("; %1 more can't be with the other settings")
                                .arg(m_session->refused());
    }

    void draw()
    {
        constexpr int Columns = 2;
        const std::vector<ChartModel> charts =
            makeVaryView(m_field, m_session->points(), m_locale, m_where->currentText());
        while (m_charts.size() < charts.size()) {
            const auto i = static_cast<int>(m_charts.size());
            m_charts.push_back(new Chart(QStringLiteral("varyChart%1").arg(i), m_locale, this));
            QLabel* title = makeLabel(charts[m_charts.size() - 1].title, TypeRole::CardTitle, this);
            m_layout->addWidget(title, 2 * (i / Columns), i % Columns);
            m_layout->addWidget(m_charts.back(), 2 * (i / Columns) + 1, i % Columns);
            m_layout->setRowStretch(2 * (i / Columns) + 1, 1);
        }
        if (m_foot->parent() == nullptr) {
            m_layout->addLayout(m_foot, m_layout->rowCount(), 0, 1, Columns);
            setTabOrder(m_charts.back(), m_where); // as they are read
            setTabOrder(m_where, m_measure);
            m_charts.front()->setFocus();
        }
        for (std::size_t i = 0; i < charts.size(); ++i)
            m_charts[i]->show(charts[i]);
        drawFoot();
    }

    FormField m_field;
    DisplayLocale m_locale;
    Sessions m_sessions;
    VarySession* m_session;
    QLabel* m_state;
    QComboBox* m_where;
    QPushButton* m_measure;
    QGridLayout* m_layout;
    QHBoxLayout* m_foot = nullptr;
    std::vector<Chart*> m_charts;
    QTimer m_pace;                         // collects points, which come faster than anybody looks
    std::vector<core::Profile> m_profiles; // as the list has them
    bool m_isMeasuring = false;            // asked for here
    bool m_isOther = false;                // the open experiment is
};

} // namespace

void showVaryDialog(const VaryRequest& request, const DisplayLocale& locale, QWidget& window)
{
    auto* dialog = new VaryDialog(request, locale, window);
    dialog->show();
}

} // namespace outlay::gui
