// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/vary_dialog.h"

#include "gui/session/vary_session.h"
#include "gui/style/tokens.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/labels.h"

#include <QDialog>
#include <QGridLayout>
#include <QShortcut>

namespace outlay::gui {
namespace {

class VaryDialog final : public QDialog {
public:
    VaryDialog(const VaryRequest& request, const DisplayLocale& locale, QWidget& window)
        : QDialog(&window), m_field(request.field), m_locale(locale),
          m_session(new VarySession(request.catalogs, this)),
          m_state(makeQuietLabel(QString(), TypeRole::Secondary, this, Wrap::Yes)),
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
        connect(m_session, &VarySession::progressed, this, &VaryDialog::draw);
        connect(m_session, &VarySession::finished, this, &VaryDialog::draw);
        draw();
        m_session->start(request.experiment, m_field);
    }

private:
    void draw()
    {
        constexpr int Columns = 2;
        const std::vector<ChartModel> charts = makeVaryView(m_field, m_session->points(), m_locale);
        while (m_charts.size() < charts.size()) {
            const auto i = static_cast<int>(m_charts.size());
            m_charts.push_back(new Chart(QStringLiteral("varyChart%1").arg(i), m_locale, this));
            QLabel* title = makeLabel(charts[m_charts.size() - 1].title, TypeRole::CardTitle, this);
            m_layout->addWidget(title, 2 * (i / Columns), i % Columns);
            m_layout->addWidget(m_charts.back(), 2 * (i / Columns) + 1, i % Columns);
            m_layout->setRowStretch(2 * (i / Columns) + 1, 1);
            m_layout->addWidget(m_state, 2 * (i / Columns) + 2, 0, 1, Columns);
        }
        for (std::size_t i = 0; i < charts.size(); ++i)
            m_charts[i]->show(charts[i]);
        const QString done = QStringLiteral("%1 values").arg(m_session->points().size());
        m_state->setText(m_session->refused() == 0
                             ? done
                             : done + QStringLiteral("; %1 more can't be with the other settings")
                                          .arg(m_session->refused()));
    }

    FormField m_field;
    DisplayLocale m_locale;
    VarySession* m_session;
    QLabel* m_state;
    QGridLayout* m_layout;
    std::vector<Chart*> m_charts;
};

} // namespace

void showVaryDialog(const VaryRequest& request, const DisplayLocale& locale, QWidget& window)
{
    auto* dialog = new VaryDialog(request, locale, window);
    dialog->show();
}

} // namespace outlay::gui
