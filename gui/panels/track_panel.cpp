// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/style/tokens.h"
#include "gui/view/track_view.h"
#include "gui/widgets/choice_box.h"
#include "gui/widgets/data_table.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/titled_chart.h"

#include <QPushButton>
#include <QVBoxLayout>

namespace outlay::gui {
namespace {

/// A factor of the person's own runs, with what may be done with it.
class OfferRow final : public QWidget {
public:
    OfferRow(const QString& textName, const QString& buttonName, Panel* panel)
        : QWidget(panel), m_panel(panel),
          m_text(makeLabel(QString(), TypeRole::Body, this, Wrap::Yes)),
          m_button(new QPushButton(this))
    {
        m_text->setObjectName(textName);
        m_button->setObjectName(buttonName);
        auto* layout = new QHBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(m_text, 1);
        layout->addWidget(m_button, 0, Qt::AlignTop);
        connect(m_button, &QPushButton::clicked, this,
                [this] { Q_EMIT m_panel->patchWanted(m_offer.patch, m_offer.undoName); });
    }

    void show(const FactorOffer& offer)
    {
        m_offer = offer;
        m_text->setText(offer.text);
        m_button->setText(offer.button);
        m_button->setToolTip(offer.hint);
        m_button->setVisible(!offer.button.isEmpty());
        setVisible(!offer.text.isEmpty());
    }

private:
    Panel* m_panel;
    QLabel* m_text;
    QPushButton* m_button;
    FactorOffer m_offer;
};

class TrackPanel final : public Panel {
public:
    TrackPanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Track record"), parent), m_locale(locale),
          m_folder(new ElidedLabel(TypeRole::Secondary, this)),
          m_again(new QPushButton(QStringLiteral("Read again"), this)),
          m_thing(new ChoiceBox(QStringLiteral("trackThing"), QStringLiteral("Figure"), this)),
          m_empty(makeLabel(QString(), TypeRole::Body, this, Wrap::Yes)),
          m_found(new QWidget(this)),
          m_chart(new TitledChart(QStringLiteral("trackChart"), locale, m_found)),
          m_kinds(new DataTable(QStringLiteral("trackKinds"),
                                QStringLiteral("How each kind of forecast did"), m_found)),
          m_runs(new DataTable(QStringLiteral("trackRuns"), QStringLiteral("Each run"), m_found))
    {
        m_empty->setObjectName(QStringLiteral("trackEmpty"));
        m_folder->setObjectName(QStringLiteral("trackFolder"));
        m_kinds->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
        content()->addLayout(makeTools());
        content()->addWidget(m_empty);
        auto* layout = new QVBoxLayout(m_found);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(size::Medium);
        m_offers = {new OfferRow(QStringLiteral("trackOffer0Text"),
                                 QStringLiteral("trackOffer0Button"), this),
                    new OfferRow(QStringLiteral("trackOffer1Text"),
                                 QStringLiteral("trackOffer1Button"), this)};
        for (OfferRow* offer : m_offers)
            layout->addWidget(offer);
        layout->addWidget(m_chart, 1);
        layout->addWidget(m_kinds);
        layout->addWidget(m_runs);
        content()->addWidget(m_found, 1);
        content()->addStretch(0);
    }

    void setInput(const PanelInput& input) override
    {
        m_open = input.experiment;
        m_read = input.track == nullptr ? TrackFolder{} : *input.track;
        show();
    }

private:
    QHBoxLayout* makeTools()
    {
        m_thing->setMinimumWidth(size::FieldWidth);
        auto* choose = new QPushButton(QStringLiteral("Choose a folder…"), this);
        choose->setObjectName(QStringLiteral("trackChoose"));
        choose->setToolTip(QStringLiteral("Of experiments, with all folders below it"));
        auto* attach = new QPushButton(QStringLiteral("Attach what it took…"), this);
        attach->setObjectName(QStringLiteral("trackAttach"));
        attach->setToolTip(QStringLiteral("A run of the open experiment that is over: what a "
                                          "tracker, a scheduler or a bill kept of it"));
        m_again->setObjectName(QStringLiteral("trackAgain"));
        QLabel* caption = makeLabel(QStringLiteral("Figure"), TypeRole::Body, this);
        caption->setBuddy(m_thing);
        auto* tools = new QHBoxLayout;
        tools->setSpacing(size::Medium);
        tools->addWidget(choose);
        tools->addWidget(m_again);
        tools->addWidget(attach);
        tools->addWidget(m_folder, 1);
        tools->addWidget(caption);
        tools->addWidget(m_thing);
        connect(choose, &QPushButton::clicked, this, &Panel::trackFolderWanted);
        connect(m_again, &QPushButton::clicked, this, &Panel::trackWanted);
        connect(attach, &QPushButton::clicked, this, &Panel::actualWanted);
        connect(m_thing, &ChoiceBox::activated, this, [this] { show(); });
        return tools;
    }

    void show()
    {
        const TrackView view = makeTrackView(m_read, m_thing->place(), m_open, m_locale);
        setSubtitle(view.summary);
        m_folder->setWholeText(view.folder);
        m_again->setEnabled(!view.folder.isEmpty());
        m_thing->setChoices(view.things);
        m_empty->setText(view.empty);
        m_empty->setVisible(!view.empty.isEmpty());
        m_found->setVisible(view.empty.isEmpty());
        m_chart->show(std::optional(view.chart)); // as high as on other pages
        m_kinds->show(view.kinds);
        m_kinds->fitRows();
        m_runs->show(view.runs);
        m_runs->fitRows();
        for (std::size_t i = 0; i < m_offers.size(); ++i)
            m_offers[i]->show(i < view.offers.size() ? view.offers[i] : FactorOffer{});
    }

    DisplayLocale m_locale;
    core::Experiment m_open;
    TrackFolder m_read;
    ElidedLabel* m_folder;
    QPushButton* m_again;
    ChoiceBox* m_thing;
    QLabel* m_empty;
    QWidget* m_found;
    std::vector<OfferRow*> m_offers;
    TitledChart* m_chart;
    DataTable* m_kinds;
    DataTable* m_runs;
};

} // namespace

Panel* makeTrackPanel(const DisplayLocale& locale, QWidget* parent)
{
    return new TrackPanel(locale, parent);
}

} // namespace outlay::gui
