// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/change_dialog.h"

#include "gui/style/tokens.h"
#include "gui/view/change_view.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/data_table.h"
#include "gui/widgets/labels.h"

#include <QComboBox>
#include <QDialog>
#include <QScrollArea>
#include <QShortcut>
#include <QTimer>
#include <QVBoxLayout>

#include <chrono>

namespace outlay::gui {
namespace {

/// One bill: its sentence, the waterfall, and what is behind each step.
class BillWidget final : public QWidget {
public:
    BillWidget(int number, const DisplayLocale& locale, QWidget* parent)
        : QWidget(parent), m_sentence(makeLabel(QString(), TypeRole::CardTitle, this, Wrap::Yes)),
          m_chart(new Chart(QStringLiteral("changeChart%1").arg(number), locale, this)),
          m_steps(new DataTable(QStringLiteral("changeSteps%1").arg(number),
                                QStringLiteral("Steps of the change"), this))
    {
        m_sentence->setObjectName(QStringLiteral("changeSentence%1").arg(number));
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(m_sentence);
        layout->addWidget(m_chart, 1);
        layout->addWidget(m_steps);
    }

    void show(const BillView& view)
    {
        m_sentence->setText(view.sentence);
        m_chart->setMinimumHeight(heightOnPage(view.waterfall));
        m_chart->show(view.waterfall);
        m_chart->setVisible(!view.waterfall.isEmpty());
        m_steps->show(view.steps);
        m_steps->setVisible(!view.steps.rows.empty());
        m_steps->fitRows();
        m_steps->setMaximumHeight(m_steps->minimumHeight());
    }

private:
    QLabel* m_sentence;
    Chart* m_chart;
    DataTable* m_steps;
};

class ChangeDialog final : public QDialog {
public:
    ChangeDialog(const Document& document, const DisplayLocale& locale, QWidget& window)
        : QDialog(&window), m_document(document), m_locale(locale), m_since(new QComboBox(this)),
          m_settings(makeQuietLabel(QString(), TypeRole::Body, this, Wrap::Yes)),
          m_bills(new QVBoxLayout)
    {
        setObjectName(QStringLiteral("changeDialog"));
        setAttribute(Qt::WA_DeleteOnClose);
        setWindowTitle(QStringLiteral("Why it changed"));
        m_since->setObjectName(QStringLiteral("changeSince"));
        m_since->setAccessibleName(QStringLiteral("Compared with"));
        m_since->addItem(QStringLiteral("Since the last change"));
        m_since->addItem(QStringLiteral("Since the baseline"));
        m_settings->setObjectName(QStringLiteral("changeSettings"));
        m_bills->setSpacing(size::Large);
        auto* page = new QWidget;
        auto* column = new QVBoxLayout(page);
        column->setContentsMargins(0, 0, 0, 0);
        column->addLayout(m_bills);
        column->addStretch(1);
        auto* scroll = new QScrollArea(this);
        scroll->setWidget(page);
        scroll->setWidgetResizable(true);
        scroll->setFrameShape(QFrame::NoFrame);
        scroll->setObjectName(QStringLiteral("changeBills"));
        scroll->setAccessibleName(QStringLiteral("What changed"));
        auto* layout = new QVBoxLayout(this);
        layout->addWidget(m_since, 0, Qt::AlignLeft);
        layout->addWidget(m_settings);
        layout->addWidget(scroll, 1);
        resize(2 * size::Dialog, 3 * size::ChartOnPage);
        // Keys of the window don't reach a window beside it.
        auto* tables = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_T), this);
        connect(tables, &QShortcut::activated, this, [this] { toggleForms(*this); });
        connect(m_since, &QComboBox::currentIndexChanged, this, &ChangeDialog::draw);
        // Once a drag pauses; and a step is told of before undo counts it.
        constexpr std::chrono::milliseconds Pause{100};
        m_pause.setSingleShot(true);
        m_pause.setInterval(Pause);
        connect(&m_document, &Document::changed, &m_pause, qOverload<>(&QTimer::start));
        connect(&m_pause, &QTimer::timeout, this, &ChangeDialog::draw);
        draw();
    }

private:
    void draw()
    {
        const bool isBaseline = m_since->currentIndex() == 1;
        const auto before =
            isBaseline ? m_document.state().baseline : m_document.beforeLastChange();
        if (!before) {
            m_settings->setText(isBaseline ? QStringLiteral("No baseline is pinned (Ctrl+B).")
                                           : QStringLiteral("Nothing has been changed yet."));
            for (BillWidget* bill : m_shown)
                bill->hide();
            return;
        }
        const pricing::Catalogs& catalogs = m_document.catalogs();
        const ChangeView view =
            makeChangeView({{}, *before, pricing::figuresOf(*before, catalogs)},
                           {{}, m_document.experiment(), m_document.figures()}, catalogs, m_locale);
        m_settings->setText(view.settings);
        while (m_shown.size() < view.bills.size()) {
            m_shown.push_back(new BillWidget(static_cast<int>(m_shown.size()), m_locale, this));
            m_bills->addWidget(m_shown.back());
        }
        for (std::size_t i = 0; i < view.bills.size(); ++i) {
            m_shown[i]->show(view.bills[i]);
            m_shown[i]->setVisible(true);
        }
    }

    const Document& m_document;
    DisplayLocale m_locale;
    QTimer m_pause;
    QComboBox* m_since;
    QLabel* m_settings;
    QVBoxLayout* m_bills;
    std::vector<BillWidget*> m_shown;
};

} // namespace

void showChangeDialog(const Document& document, const DisplayLocale& locale, QWidget& window)
{
    auto* dialog = new ChangeDialog(document, locale, window);
    dialog->show();
}

} // namespace outlay::gui
