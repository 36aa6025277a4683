// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// An application for compute time as its page shows it.
#include "gui/view/application_view.h"
#include "tests/support/full_experiments.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay;
using namespace outlay::gui;
using outlay::tests::Today;

namespace {

const DisplayLocale English(QLocale(QLocale::English, QLocale::UnitedStates));

ApplicationView viewOf(const core::Experiment& e, const pricing::ApplicationRequest& request,
                       const DisplayLocale& locale = English)
{
    const pricing::Report report = outlay::tests::figuresToday(e);
    return makeApplicationView(*pricing::makeApplication(e, report, Today, request), locale);
}

const std::vector<TableCell>* rowOf(const TableData& table, const char* name)
{
    for (const std::vector<TableCell>& row : table.rows) {
        if (row.front().text.startsWith(QLatin1String(name)))
            return &row;
    }
    return nullptr;
}

} // namespace

class TestApplicationView : public QObject {
    Q_OBJECT
private slots:
    void rowsAreWhole()
    {
        for (const char* centre : {"", "lumi-g", "delta-cpu", "snellius-h100"}) {
            const ApplicationView view =
                viewOf(outlay::tests::measuredGenerator(), {.centre = centre, .devices = 8});
            for (const TableData* table : {&view.amounts, &view.scaling, &view.needs}) {
                QVERIFY(!table->rows.empty());
                for (const std::vector<TableCell>& row : table->rows)
                    QCOMPARE(row.size(), table->columns.size());
            }
            QVERIFY(!view.asked.isEmpty() && view.askedFor.contains(QStringLiteral("(80 %)")));
            QVERIFY(!view.chart.isEmpty());
            QCOMPARE(view.chart.series.size(), 2);
            QVERIFY(view.measured.contains(QStringLiteral("Test processor")));
            QVERIFY(rowOf(view.amounts, "a step, measured") != nullptr);
        }
    }

    // The centre's units have a column of their own where they are others.
    void unitsOfACentre()
    {
        const core::Experiment e = outlay::tests::experimentOf("gpt2");
        const ApplicationView hours = viewOf(e, {});
        const ApplicationView units = viewOf(e, {.centre = "snellius-a100"});
        QCOMPARE(units.scaling.columns.size(), hours.scaling.columns.size() + 1);
        QCOMPARE(units.scaling.columns.back().title, QStringLiteral("SBU"));
        QVERIFY(units.asked.endsWith(QStringLiteral(" SBU")));
        QVERIFY(hours.asked.endsWith(QStringLiteral(" GPU-hours")));
        QVERIFY(rowOf(units.amounts, "the same in GPU-hours") != nullptr);
        QVERIFY(rowOf(hours.amounts, "the same in") == nullptr);
    }

    void numbersAreOfTheLocale()
    {
        const core::Experiment e = outlay::tests::plannedGpt();
        const pricing::ApplicationRequest request{.centre = "snellius-a100", .runs = 1000};
        QVERIFY(viewOf(e, request).asked.contains(QLatin1Char(',')));
        QVERIFY(viewOf(e, request, QLocale(QLocale::German)).asked.contains(QLatin1Char('.')));
    }

    // Few devices on a linear scale, many on one on which each doubling is as wide.
    void theScaleIsThatOfTheDevices()
    {
        const core::Experiment e = outlay::tests::experimentOf("gpt2");
        QVERIFY(!viewOf(e, {.centre = "lumi-g"}).chart.x.isLog);
        QVERIFY(viewOf(e, {.centre = "lumi-g", .devices = 64}).chart.x.isLog);
    }

    void whatIsNotKnownIsNoNumber()
    {
        const ApplicationView view =
            viewOf(outlay::tests::experimentOf("llama-65b-pretraining"), {.centre = "delta-a100"});
        QVERIFY(view.asked.isEmpty());
        QVERIFY(view.askedFor.startsWith(QStringLiteral("Nothing can be asked for yet")));
        const auto* energy = rowOf(view.needs, "energy");
        QVERIFY(energy != nullptr);
        QVERIFY(!(*energy)[1].text.contains(QLatin1Char('0')));
        QVERIFY(!(*energy)[2].text.isEmpty()); // why
        QCOMPARE((*energy)[3].text, QStringLiteral("unavailable"));
        QVERIFY(view.chart.isEmpty() && !view.chart.empty.isEmpty());
        for (const std::vector<TableCell>& row : view.scaling.rows)
            QCOMPARE(row[2].text, QStringLiteral("–"));
        QVERIFY(
            rowOf(view.needs, "memory")->front().text.contains(QStringLiteral("doesn't hold it")));
    }

    // What is compared with stands above the chart and below the table, as in the other format.
    void theBaseIsSaid()
    {
        const ApplicationView alone =
            viewOf(outlay::tests::experimentOf("gpt2"), {.centre = "lumi-g"});
        QCOMPARE(alone.chart.title, QStringLiteral("Times as fast as one device"));
        const ApplicationView many =
            viewOf(outlay::tests::experimentOf("llama-65b-pretraining"), {.centre = "lumi-g"});
        QCOMPARE(many.chart.title, QStringLiteral("Times as fast, 32 devices counted as 32"));
        QVERIFY(many.scalingNote.startsWith(many.chart.title));
    }

    void everyCentreCanBeChosen()
    {
        const std::vector<CentreChoice> choices = centreChoices();
        QCOMPARE(choices.size(), pricing::centres()->all().size() + 1);
        QVERIFY(choices.front().id.empty());
        for (std::size_t i = 1; i < choices.size(); ++i)
            QVERIFY(pricing::centres()->centre(choices[i].id).has_value());
    }
};

OUTLAY_TEST(TestApplicationView)
#include "tst_application_view.moc"
