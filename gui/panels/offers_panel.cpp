// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/style/tokens.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/offer_table.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace outlay::gui {
namespace {

class OffersPanel final : public Panel {
public:
    OffersPanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Providers"), parent), m_locale(locale),
          m_chart(new Chart(QStringLiteral("offersChart"), locale, this)),
          m_words(new QLineEdit(this)),
          m_onlySound(
              new QCheckBox(QStringLiteral("Only what fits the design and the plan"), this)),
          m_recommended(new QPushButton(QStringLiteral("Use the recommended one"), this)),
          m_table(new OfferTableView(QStringLiteral("offersTable"), locale, this))
    {
        m_words->setObjectName(QStringLiteral("offersFilter"));
        m_words->setAccessibleName(QStringLiteral("Show offers that contain all of these words"));
        m_words->setPlaceholderText(QStringLiteral("Filter: aws spot a100"));
        m_words->setClearButtonEnabled(true);
        m_onlySound->setObjectName(QStringLiteral("offersOnlySound"));
        m_recommended->setObjectName(QStringLiteral("offersRecommended"));
        m_chart->setMinimumHeight(size::ChartOnPage);
        m_chart->setHints(
            [this](std::size_t row) { return m_table->offers()->rows().hint(row, m_locale); });
        m_table->setMinimumHeight(size::ChartOnPage);
        auto* tools = new QHBoxLayout;
        tools->setSpacing(size::Medium);
        tools->addWidget(m_words, 1);
        tools->addWidget(m_onlySound);
        tools->addWidget(m_recommended);
        content()->addWidget(m_chart, 1);
        content()->addLayout(tools);
        content()->addWidget(m_table, 2);
        connect(m_words, &QLineEdit::textChanged, this, &OffersPanel::filter);
        connect(m_onlySound, &QCheckBox::toggled, this, &OffersPanel::filter);
        connect(m_chart, &Chart::pointChosen, this, [this](std::size_t row) {
            m_table->seek(row);
            choose(row);
        });
        connect(m_chart, &Chart::limitMoved, this,
                [this](std::size_t limit, std::optional<double> at, int drag) {
                    Q_EMIT changeWanted(std::string(LimitPointers.at(limit)),
                                        limitValue(m_table->offers()->rows(), limit, at, m_locale),
                                        drag);
                });
        connect(m_table, &OfferTableView::chosen, this, &OffersPanel::choose);
        connect(m_recommended, &QPushButton::clicked, this,
                [this] { Q_EMIT changeWanted("/plan/training_offer", {}); });
    }

    void setInput(const PanelInput& input) override
    {
        m_plan = input.report.plan;
        m_recommended->setEnabled(m_plan.trainingOffer.has_value());
        m_table->offers()->setRows(
            input.catalogs == nullptr ? OfferRows() : OfferRows(input.report, *input.catalogs));
        draw();
    }

private:
    void filter()
    {
        m_table->offers()->setFilter({m_words->text(), m_onlySound->isChecked()});
        draw();
    }

    void draw()
    {
        const OfferModel& offers = *m_table->offers();
        const OffersView view = makeOffersView(offers.rows(), offers.shown(), m_plan, m_locale);
        setSubtitle(view.verdict);
        m_chart->show(view.chart);
    }

    void choose(std::size_t row)
    {
        Q_EMIT changeWanted("/plan/training_offer",
                            core::fieldsOf(m_table->offers()->rows().choice(row)));
    }

    DisplayLocale m_locale;
    core::Plan m_plan;
    Chart* m_chart;
    QLineEdit* m_words;
    QCheckBox* m_onlySound;
    QPushButton* m_recommended;
    OfferTableView* m_table;
};

} // namespace

Panel* makeOffersPanel(const DisplayLocale& locale, QWidget* parent)
{
    return new OffersPanel(locale, parent);
}

} // namespace outlay::gui
