// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The window's panels: each shows what makeReport says, and an advice is applied and taken back.
#include "gui/panels/panel.h"
#include "gui/view/advice_view.h"
#include "gui/view/carbon_view.h"
#include "gui/view/cost_view.h"
#include "gui/view/efficiency_view.h"
#include "gui/view/providers_view.h"
#include "gui/view/resources_view.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/data_table.h"
#include "gui/widgets/figure_label.h"
#include "gui/widgets/gauge.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/offer_table.h"
#include "gui/widgets/tile.h"
#include "tests/gui/window_test.h"
#include "tests/support/test_class.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSet>

using namespace outlay;
using namespace outlay::gui;

namespace {

void compareDashboard(MainWindow& window)
{
    const pricing::Report report =
        pricing::makeReport(window.document().experiment(), outlay::tests::catalogs());
    const pricing::Report* baseline = window.document().baseline();
    const QLocale& locale = window.locale();
    const CostView cost = makeCostView(report, baseline, locale);
    QCOMPARE(find<Chart>(window, "costChart")->model(), cost.chart);
    QCOMPARE(find<FigureLabel>(window, "costOfMonth")->view(), cost.total);
    const ProvidersView comparison =
        makeProvidersView({report, baseline, &outlay::tests::catalogs()}, locale);
    QCOMPARE(find<Chart>(window, "comparisonChart")->model(), comparison.chart);
    QCOMPARE(find<FigureLabel>(window, "recommendedRun")->view(), comparison.cheapest);
    QCOMPARE(find<Gauge>(window, "efficiencyGauge")->score(),
             makeEfficiencyView(report, baseline, locale).whole);
    QCOMPARE(find<Chart>(window, "resourcesChart")->model(),
             makeResourcesView(report, locale).chart);
    QCOMPARE(find<Chart>(window, "carbonChart")->model(),
             makeCarbonView(report, baseline, locale).chart);
    QCOMPARE(find<Chart>(window, "adviceChart")->model(), makeAdviceView(report, locale).chart);
}

} // namespace

class TestWindowPanels : public WindowTest {
    Q_OBJECT
private Q_SLOTS:
    // Columns are as wide as what they show now, not as what they showed first.
    void columnsFollowTheirWords()
    {
        auto* table =
            new DataTable(QStringLiteral("table"), QStringLiteral("Table"), m_window.get());
        const auto shown = [](const QString& money) {
            return TableData{{{QStringLiteral("Cost"), true}, {QStringLiteral("Machine"), false}},
                             {{{money}, {QStringLiteral("g2-standard-4")}}},
                             std::nullopt};
        };
        table->show(shown(QStringLiteral("$1")));
        static_cast<QWidget*>(table)->show();
        const int before = table->columnWidth(0);
        table->show(shown(QStringLiteral("$1,234,567.89 a month")));
        QTRY_VERIFY(table->columnWidth(0) > 2 * before);
        table->show(shown(QStringLiteral("$1")));
        QTRY_COMPARE(table->columnWidth(0), before);
    }

    // A sentence goes on below where its column is narrow, whatever rows are sorted by; and the page makes room for it.
    void sentencesGoOnBelow()
    {
        auto* table =
            new DataTable(QStringLiteral("table"), QStringLiteral("Table"), m_window.get());
        const QString sentence =
            QStringLiteral("what a machine without requests waits for, until it is stopped");
        table->show({{{QStringLiteral("Cost"), true}, {QStringLiteral("Why"), false}},
                     {{{QStringLiteral("$1"), 1.0}, {QStringLiteral("short")}},
                      {{QStringLiteral("$2"), 2.0}, {sentence}}},
                     std::nullopt});
        table->fitRows(true);
        table->resize(320, 200);
        static_cast<QWidget*>(table)->show();
        const QFontMetrics metrics(fontOf(TypeRole::Body));
        QVERIFY(metrics.horizontalAdvance(sentence) > table->columnWidth(1));
        QTRY_VERIFY(table->rowHeight(1) > table->rowHeight(0));
        QVERIFY(table->rowHeight(1) >= 2 * metrics.height());
        QCOMPARE(table->rowHeight(0), static_cast<int>(size::Control));
        const int height = table->minimumHeight();
        QCOMPARE(table->maximumHeight(), height);
        QVERIFY(height >= size::Control + table->rowHeight(0) + table->rowHeight(1));
        table->sortByColumn(0, Qt::DescendingOrder);
        QTRY_VERIFY(table->rowHeight(0) > table->rowHeight(1));
        table->resize(1200, 200);
        QTRY_COMPARE(table->rowHeight(0), static_cast<int>(size::Control));
        QVERIFY(table->minimumHeight() < height);
    }

    void panelsFollowTheReport()
    {
        compareDashboard(*m_window);
        QVERIFY(m_window->document().set("/training/batch", core::Json(64)).has_value());
        compareDashboard(*m_window);
        m_window->document().pin();
        QVERIFY(m_window->document().set("/training/epochs", core::Json(9)).has_value());
        compareDashboard(*m_window);
    }

    // On a usual laptop the best six are seen without scrolling, each with what it saves.
    void sixAdvicesAreSeenAtOnce()
    {
        auto* panel = find<Panel>(*m_window, "advicePanel");
        pricing::Report report = m_window->document().report();
        pricing::AdviceRow row;
        row.title = "Larger batch";
        row.share = 0.5;
        row.patch = *core::readJson(
            "[{\"op\": \"replace\", \"path\": \"/training/batch\", \"value\": 512}]");
        report.advice.assign(8, row);
        panel->setInput({.experiment = m_window->document().experiment(), .report = report});
        const auto wholeButtons = [panel] {
            int whole = 0;
            for (const QPushButton* button : panel->findChildren<QPushButton*>())
                whole +=
                    button->isVisible() && button->visibleRegion().boundingRect() == button->rect();
            return whole;
        };
        QTRY_VERIFY2(wholeButtons() >= 6, qPrintable(QString::number(wholeButtons())));
    }

    // Figures that stand beside each other are set in one size, where there is room and where there is little.
    void headlinesAreOfOneSize()
    {
        const auto sizes = [this] {
            QSet<QString> fonts;
            for (const FigureLabel* figure : m_window->findChildren<FigureLabel*>()) {
                if (qobject_cast<Tile*>(figure->parentWidget()) != nullptr)
                    fonts.insert(figure->value()->shownFont().toString());
            }
            return fonts;
        };
        QTRY_COMPARE(sizes().size(), 1);
        const QSet<QString> wide = sizes();
        m_window->resize(1024, 640);
        QTRY_VERIFY(sizes() != wide);
        QCOMPARE(sizes().size(), 1);
    }

    void anAdviceIsAppliedAndTakenBack()
    {
        const DocumentState start = m_window->document().state();
        auto* panel = find<Panel>(*m_window, "advicePanel");
        pricing::Report report = m_window->document().report();
        pricing::AdviceRow row;
        row.title = "Larger batch";
        row.priority = pricing::Level::High;
        row.patch = *core::readJson(
            "[{\"op\": \"replace\", \"path\": \"/training/batch\", \"value\": 512}]");
        report.advice = {row};
        panel->setInput({.experiment = start.experiment, .report = report});
        auto* button = find<QPushButton>(*m_window, "applyAdvice0");
        QCOMPARE(button->accessibleName(), QStringLiteral("Apply: Larger batch"));
        button->click();
        QCOMPARE(m_window->document().experiment().training.batch, 512);
        QCOMPARE(m_window->document().undoStack().undoText(), QStringLiteral("Larger batch"));
        compareDashboard(*m_window);
        m_window->document().undoStack().undo();
        QCOMPARE(m_window->document().state(), start);
    }

    // What no setting makes is for a program: its button copies the code, and changes nothing.
    void codeIsCopied()
    {
        const DocumentState start = m_window->document().state();
        auto* panel = find<Panel>(*m_window, "advicePanel");
        pricing::Report report = m_window->document().report();
        pricing::AdviceRow cpp;
        cpp.title = "Threads";
        cpp.patch = core::Json::array();
        cpp.codeCpp = "torch::set_num_threads(2);";
        pricing::AdviceRow both = cpp;
        both.codePython = "torch.set_num_threads(2)";
        pricing::AdviceRow none = cpp;
        none.codeCpp.clear();
        report.advice = {cpp, both, none};
        panel->setInput({.experiment = start.experiment, .report = report});
        for (const auto& [name, code] :
             {std::pair{"applyAdvice0", cpp.codeCpp}, std::pair{"applyAdvice1", both.codePython}}) {
            auto* button = find<QPushButton>(*m_window, name);
            QCOMPARE(button->text(), QStringLiteral("Copy code"));
            button->click();
            QCOMPARE(QGuiApplication::clipboard()->text(), QString::fromStdString(code));
        }
        QVERIFY(find<QPushButton>(*m_window, "applyAdvice2")->isHidden());
        QCOMPARE(m_window->document().state(), start);
    }

    void anOfferIsChosen()
    {
        m_window->setPage(3);
        auto* table = find<OfferTableView>(*m_window, "offersTable");
        pricing::Report report = m_window->document().report();
        report.training.options = {{.row = 7}, {.row = 9}};
        const core::Experiment experiment = m_window->document().experiment();
        find<Panel>(*m_window, "offersPage")
            ->setInput({.experiment = experiment,
                        .report = report,
                        .catalogs = &m_window->document().catalogs()});
        QCOMPARE(table->offers()->rowCount(), 2);
        const core::OfferChoice choice = table->offers()->rows().choice(1);
        Q_EMIT table->activated(table->offers()->index(1, 0));
        QCOMPARE(m_window->document().experiment().plan.trainingOffer, std::optional(choice));
        find<QPushButton>(*m_window, "offersRecommended")->click();
        QVERIFY(!m_window->document().experiment().plan.trainingOffer);
    }

    void aFieldIsVaried()
    {
        find<QLineEdit>(*m_window, "trainingBatch")->setFocus();
        m_window->findChild<QAction*>(QStringLiteral("actionVary"))->trigger();
        auto* state = find<QLabel>(*m_window, "varyState");
        auto* memory = find<Chart>(*m_window, "varyChart2");
        QTRY_VERIFY_WITH_TIMEOUT(memory->model().series.size() == 1 &&
                                     memory->model().series[0].points.size() > 10,
                                 10000);
        QVERIFY(state->text().contains(QStringLiteral("values")));
        const auto& points = memory->model().series[0].points;
        QVERIFY(points.back().y > points.front().y); // a larger batch keeps more
        const core::Experiment experiment = m_window->document().experiment();
        QCOMPARE(experiment, core::preset("text-generator")->experiment); // nothing was changed
    }

    // Half a number misleads: what is said in brackets goes before anything is cut.
    void bracketsGoFirst()
    {
        const QString text =
            QStringLiteral("saves 7 h of a run here (2.62 times as fast) · 3 kg CO₂e");
        ElidedLabel label(TypeRole::Axis, nullptr);
        label.setWholeText(text);
        const QFontMetrics metrics(fontOf(TypeRole::Axis));
        const auto isCutAt = [&](const char* shown, int more) {
            label.resize(metrics.horizontalAdvance(QString::fromUtf8(shown)) + more, 20);
            return label.isCut();
        };
        QVERIFY(!isCutAt("saves 7 h of a run here (2.62 times as fast)", 2));
        QVERIFY(!isCutAt("saves 7 h of a run here (2.62 times as fast)", -8));
        QVERIFY(!isCutAt("saves 7 h of a run here", 2));
        QVERIFY(isCutAt("saves 7 h of a run here", -8));
        label.setWholeText(QStringLiteral("cheaper here (by 1 · by 2)"));
        QVERIFY(!isCutAt("cheaper here (by 1", 2));
    }

    // Where the window is narrow, a list has the pages.
    void aListHasThePages()
    {
        auto* list = find<QComboBox>(*m_window, "pageList");
        m_window->resize(1024, 640);
        QVERIFY(list->isVisible());
        QCOMPARE(list->count(), static_cast<int>(pages().size()) + 1);
        Q_EMIT list->activated(1);
        QVERIFY(find<Panel>(*m_window, "layersPage")->isVisible());
        m_window->resize(1440, 900);
        QVERIFY(!list->isVisible());
        QVERIFY(find<QWidget>(*m_window, "layersPageButton")->isVisible());
    }
};

OUTLAY_TEST(TestWindowPanels)
#include "tst_window_panels.moc"
