// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Applications for compute time: what is asked for follows from the run, and what isn't known is never a number.
// OUTLAY_WRITE_REPORTS=1 writes the stored pages anew.
#include "core/base/text.h"
#include "core/base/units.h"
#include "pricing/application/application_content.h"
#include "pricing/export/export.h"
#include "tests/support/full_experiments.h"
#include "tests/support/reports.h"
#include "tests/support/stored_text.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

using namespace outlay;
using core::Basis;
using core::Quantity;
using outlay::tests::experimentOf;
using outlay::tests::figuresToday;
using outlay::tests::Today;
using pricing::Application;
using pricing::ApplicationRequest;

namespace {

const std::string StoredPages = std::string(OUTLAY_TEST_DATA) + "/application.txt";

struct Case {
    core::Experiment experiment;
    pricing::Report report;

    explicit Case(core::Experiment e) : experiment(std::move(e)), report(figuresToday(experiment))
    {
    }
    explicit Case(const char* preset) : Case(experimentOf(preset)) {}

    [[nodiscard]] core::Result<Application> attempt(const ApplicationRequest& request) const
    {
        return pricing::makeApplication(experiment, report, Today, request);
    }
    [[nodiscard]] Application ask(const ApplicationRequest& request) const
    {
        return *attempt(request);
    }
};

const pricing::ApplicationRow* askedRow(const Application& a)
{
    const auto row =
        std::find_if(a.rows.begin(), a.rows.end(), [](const auto& r) { return r.isAsked; });
    return row == a.rows.end() ? nullptr : &*row;
}

bool isTimes(const Quantity& product, const Quantity& figure, double factor)
{
    const auto isNear = [&](double a, double b) {
        return std::abs(a - b * factor) <= 1e-9 * std::abs(a);
    };
    return product.isAvailable() && isNear(product.value(), figure.value()) &&
           isNear(product.low(), figure.low()) && isNear(product.high(), figure.high());
}

/// The row of a page that begins like this.
QString lineOf(const std::string& page, const char* begin)
{
    for (const QString& line : QString::fromStdString(page).split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1String(begin)))
            return line;
    }
    return {};
}

} // namespace

class TestApplication : public QObject {
    Q_OBJECT
private slots:
    void eachCentre_data()
    {
        QTest::addColumn<QByteArray>("id");
        for (const pricing::Centre& centre : pricing::centres()->all())
            QTest::newRow(centre.id.c_str()) << QByteArray::fromStdString(centre.id);
    }
    // All intervals go along, from the hours of a run to what is asked for.
    void eachCentre()
    {
        QFETCH(QByteArray, id);
        static const Case gpt2("gpt2");
        const pricing::Centre centre = *pricing::centres()->centre(id.toStdString());
        const Application a = gpt2.ask({.centre = centre.id, .runs = 3, .reservePercent = 20});
        QVERIFY2(a.why.empty(), a.why.c_str());
        const auto* row = askedRow(a);
        QVERIFY(row != nullptr && row->devices == a.devices);
        QVERIFY(isTimes(row->units, row->hours, centre.unitsPerHour(a.devices)));
        QVERIFY(isTimes(a.asked, row->units, 3 * 1.2));
        QVERIFY(isTimes(a.deviceHours, row->deviceHours, 3 * 1.2));
        QVERIFY(a.asked.low() < a.asked.value() && a.asked.value() < a.asked.high());
        QCOMPARE(a.unit, centre.unit);
        // LUMI's GPU-hour is one of two devices.
        QCOMPARE(a.hoursName, id == "lumi-g"             ? std::string("device-hours")
                              : centre.hasAccelerators() ? "GPU-hours"
                                                         : "core-hours");
        QCOMPARE(a.isCharged(), a.asked.value() != a.deviceHours.value() || a.unit != a.hoursName);
        for (const Quantity* figure : {&a.memory, &a.kwh, &a.kgCo2e, &a.step, &a.checkpoint})
            QVERIFY(figure->isAvailable() && figure->value() > 0);
        QVERIFY(a.fits == core::Fits::Yes || !centre.hasAccelerators());
        // The source of the unit is on the page.
        const std::string page = pricing::applicationMarkdown(a);
        QVERIFY(page.find(pricing::centres()->source(centre).url) != std::string::npos);
    }

    void runsAndReserveScale()
    {
        const Case gpt2("gpt2");
        const Application one = gpt2.ask({.centre = "delta-a100", .reservePercent = 0});
        const Application five =
            gpt2.ask({.centre = "delta-a100", .runs = 5, .reservePercent = 50});
        QVERIFY(isTimes(five.asked, one.asked, 7.5));
        QVERIFY(isTimes(five.kwh, one.kwh, 7.5));
        QVERIFY(isTimes(five.kgCo2e, one.kgCo2e, 7.5));
        QVERIFY(isTimes(five.checkpoints, one.checkpoints, 5));
        QCOMPARE(five.hours, one.hours);
        QCOMPARE(one.asked.value(), askedRow(one)->units.value());
        QCOMPARE(ApplicationRequest().reservePercent, 10.0); // which the page says
        QVERIFY(
            !lineOf(pricing::applicationMarkdown(gpt2.ask({})), "| reserve | 10 % |").isEmpty());
    }

    // Without a centre it is the Report's own machine, and its figures.
    void asPlanned()
    {
        const Case planned(outlay::tests::plannedGpt());
        const Application a = planned.ask({.reservePercent = 0});
        const auto& devices = planned.report.scaling.devices;
        QCOMPARE(a.place, devices.machine);
        QCOMPARE(a.device, devices.device);
        QCOMPARE(a.rows.size(), devices.rows.size());
        for (std::size_t i = 0; i < a.rows.size(); ++i) {
            QCOMPARE(a.rows[i].hours.value(), devices.rows[i].hours.value());
            QCOMPARE(a.rows[i].hours.high(), devices.rows[i].hours.high());
            QCOMPARE(a.rows[i].speedUp, devices.rows[i].step.speedUp);
        }
        QCOMPARE(a.unit, std::string("GPU-hours"));
        QVERIFY(!a.isCharged());
        QCOMPARE(a.asked.value(), a.deviceHours.value());
        QCOMPARE(a.memory, planned.report.training.recommended.option->memory);
        QVERIFY(a.devices >= a.nodes);
    }

    // A number between those of the table gets a row of its own, and beyond one node nodes are whole.
    void devicesAreWholeNodes_data()
    {
        QTest::addColumn<int>("asked");
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("nodes");
        for (const auto& [asked, devices, nodes] :
             {std::array{1, 1, 1}, {3, 3, 1}, {8, 8, 1}, {9, 16, 2}, {24, 24, 3}, {25, 32, 4}})
            QTest::addRow("%d", asked) << asked << devices << nodes;
    }
    void devicesAreWholeNodes()
    {
        QFETCH(int, asked);
        QFETCH(int, devices);
        QFETCH(int, nodes);
        static const Case gpt2("gpt2");
        const Application a = gpt2.ask({.centre = "lumi-g", .devices = asked});
        QCOMPARE(a.devices, devices);
        QCOMPARE(a.nodes, nodes);
        QVERIFY(askedRow(a) != nullptr);
        QVERIFY(a.rows.back().devices >= 8 && a.rows.back().devices >= devices);
        QVERIFY(std::is_sorted(a.rows.begin(), a.rows.end(),
                               [](const auto& x, const auto& y) { return x.devices < y.devices; }));
        const bool isSaid = !lineOf(pricing::applicationMarkdown(a), "| devices |").isEmpty();
        QCOMPARE(isSaid, asked != devices);
    }

    // Where one device doesn't hold it, as many as do.
    void theFewestThatHoldIt()
    {
        const Case llama("llama-65b-pretraining");
        const Application a = llama.ask({.centre = "lumi-g"});
        QVERIFY(a.devices > 8);
        QVERIFY(a.asked.isAvailable() && a.fits == core::Fits::Yes);
        QVERIFY(!a.rows.front().hours.isAvailable());
        QVERIFY(askedRow(a)->efficiency.isAvailable());
    }

    // What one device doesn't hold is as many times as fast as the fewest that do, and both say so.
    void theBaseIsSaid()
    {
        const std::string one = "Times as fast as one device.";
        const Application alone = Case("gpt2").ask({.centre = "lumi-g"});
        QCOMPARE(alone.base, 1);
        QVERIFY(pricing::applicationMarkdown(alone).find(one) != std::string::npos);
        const Application many = Case("llama-65b-pretraining").ask({.centre = "lumi-g"});
        QCOMPARE(many.base, 32);
        QCOMPARE(askedRow(many)->efficiency.value(), 100.0);
        const std::string page = pricing::applicationMarkdown(many);
        QVERIFY(page.find("Times as fast, 32 devices counted as 32: fewer") != std::string::npos);
        QVERIFY(page.find(one) == std::string::npos);
        const Application none = Case("llama-65b-pretraining").ask({.centre = "delta-a100"});
        QCOMPARE(none.base, 0);
        QVERIFY(pricing::contentOf(none, core::plainNumber).scalingNote.empty());
    }

    // More than all of it needs a reason.
    void moreThanAllIsExplained()
    {
        bool isSeen = false;
        for (const char* preset : {"gpt2", "llama-7b-pretraining", "mixtral-8x7b"}) {
            const Application a = Case(preset).ask({.centre = "lumi-g"});
            const bool isAbove = std::any_of(a.rows.begin(), a.rows.end(), [](const auto& row) {
                return row.efficiency.isAvailable() && row.efficiency.value() >= 100.5;
            });
            const std::string note = pricing::contentOf(a, core::plainNumber).scalingNote;
            QCOMPARE(note.find("Above 100 %") != std::string::npos, isAbove);
            isSeen = isSeen || isAbove;
        }
        QVERIFY(isSeen);
    }

    // An amount that is sure has no interval, and no empty one either.
    void noIntervalIsNone()
    {
        Application sure = Case("gpt2").ask({.centre = "delta-a100"});
        sure.asked = Quantity::exact(100, core::Unit::One, {});
        const std::string page = pricing::applicationMarkdown(sure);
        QVERIFY(page.find("**Asked for: 100 SU**, for 1 run on") != std::string::npos);
        QVERIFY(page.find("()") == std::string::npos);
    }

    void whatIsNotKnownIsNoNumber()
    {
        // No network joins the nodes, and one of them is too small.
        const Case llama("llama-65b-pretraining");
        const Application a = llama.ask({.centre = "delta-a100"});
        for (const Quantity* figure :
             {&a.asked, &a.deviceHours, &a.hours, &a.step, &a.kwh, &a.kgCo2e})
            QVERIFY(!figure->isAvailable() && !figure->how().note.empty());
        QVERIFY(a.fits == core::Fits::No);
        const std::string page = pricing::applicationMarkdown(a);
        QVERIFY(page.find("Nothing can be asked for yet") != std::string::npos);
        for (const char* row :
             {"| SU asked for", "| one run", "| a step on", "| energy", "| carbon"})
            QVERIFY2(lineOf(page, row).contains(QStringLiteral("| unavailable |")), row);
        QVERIFY(page.substr(0, page.find("## Assumptions")).find("| 0 ") == std::string::npos);

        const Case mlp("mlp");
        const Application unmeasured = mlp.ask({});
        QVERIFY(!unmeasured.measured.step.isAvailable() && unmeasured.measured.by.empty());
        QVERIFY(
            pricing::applicationMarkdown(unmeasured).find("No step was measured: not measured") !=
            std::string::npos);
    }

    void theDataSetIsKnownWhereItIsGiven()
    {
        Case c("mlp");
        std::erase_if(c.report.assumptions,
                      [](const auto& row) { return row.pointer == "/training/dataset_gb"; });
        c.experiment.training.datasetGb = 250;
        QCOMPARE(c.ask({}).dataset.value(), 250e9);
        QVERIFY(c.ask({}).dataset.basis() == Basis::Exact);
        c.report.assumptions.push_back({"/training/dataset_gb", core::Json(1.0), "default"});
        QVERIFY(!c.ask({}).dataset.isAvailable());
        QVERIFY(lineOf(pricing::applicationMarkdown(c.ask({})), "| the data set |")
                    .contains(QStringLiteral("unavailable")));
    }

    void whatWasMeasuredIsSaid()
    {
        const Case measured(outlay::tests::measuredGenerator());
        const Application a = measured.ask({});
        QVERIFY(a.measured.step.isAvailable());
        QCOMPARE(a.measured.step, measured.report.probe.step);
        QVERIFY(a.measured.by.find("Test processor") != std::string::npos);
        QVERIFY(a.measured.by.find("outlay-probe") != std::string::npos);
        QVERIFY(a.measured.coreHours.isAvailable());
        const double threads = core::real(measured.report.probe.training->threads);
        QVERIFY(isTimes(a.measured.coreHours, a.measured.run, threads / 3600));

        // Another design than that which was measured.
        core::Experiment other = outlay::tests::measuredGenerator();
        other.training.batch *= 3;
        const Case changed(other);
        const Application b = changed.ask({});
        QCOMPARE(b.measured.step.isAvailable(), changed.report.probe.isOfDesign);
    }

    // What is assumed of the network makes the amount assumed, too.
    void theWeakestBasisCounts()
    {
        const Case gpt2("gpt2");
        const Application alone = gpt2.ask({.centre = "delta-a100", .devices = 4});
        const Application joined = gpt2.ask({.centre = "delta-a100", .devices = 8});
        QVERIFY(alone.asked.basis() == Basis::Forecast);
        QVERIFY(joined.asked.basis() == Basis::Assumed);
        const Application listed = gpt2.ask({.centre = "lumi-g", .devices = 16});
        QVERIFY(listed.asked.basis() == Basis::Forecast);
    }

    void whatCannotBeAskedFor_data()
    {
        QTest::addColumn<QByteArray>("centre");
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("runs");
        QTest::addColumn<double>("reserve");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("centre") << QByteArray("lumi") << 1 << 1 << 0.0
                                << QByteArray("no centre 'lumi'");
        QTest::newRow("devices") << QByteArray() << 0 << 1 << 0.0 << QByteArray("devices");
        QTest::newRow("many") << QByteArray() << 5000 << 1 << 0.0 << QByteArray("4,096");
        QTest::newRow("runs") << QByteArray() << 1 << 0 << 0.0 << QByteArray("runs");
        QTest::newRow("reserve") << QByteArray() << 1 << 1 << -1.0 << QByteArray("reserve");
        QTest::newRow("nothing") << QByteArray() << 1 << 1 << std::nan("") << QByteArray("reserve");
    }
    void whatCannotBeAskedFor()
    {
        QFETCH(QByteArray, centre);
        QFETCH(int, devices);
        QFETCH(int, runs);
        QFETCH(double, reserve);
        QFETCH(QByteArray, says);
        static const Case mlp("mlp");
        const auto made = mlp.attempt({.centre = centre.toStdString(),
                                       .devices = devices,
                                       .runs = runs,
                                       .reservePercent = reserve});
        QVERIFY(!made);
        const QByteArray sentence = QByteArray::fromStdString(made.error().sentence());
        QVERIFY2(sentence.contains(says), sentence);
        QVERIFY(made.error().code == core::ErrorCode::Usage);
    }

    void threeDigits()
    {
        for (const auto& [value, shown] : {std::pair(0.0, 0.0),
                                           {0.4018, 0.4018},
                                           {12.345, 12.345},
                                           {708.9, 709.0},
                                           {3525609.0, 3530000.0},
                                           {999.6, 1000.0},
                                           {-1234.0, -1230.0}})
            QCOMPARE(pricing::toThreeDigits(value), shown);
    }

    void pagesStayWhatTheyWere()
    {
        const Case generator("text-generator");
        const Case measured(outlay::tests::measuredGenerator());
        const Case planned(outlay::tests::plannedGpt());
        const auto page = [](const Case& c, const ApplicationRequest& request) {
            return pricing::applicationMarkdown(c.ask(request));
        };
        const std::string now =
            page(generator, {}) + "\n" +
            page(measured, {.centre = "delta-cpu", .runs = 20, .reservePercent = 25}) + "\n" +
            page(planned, {.centre = "snellius-a100", .devices = 8}) + "\n" +
            page(Case("llama-65b-pretraining"), {.centre = "rails-h100"});
        const QString difference =
            outlay::tests::differenceFromStored(StoredPages, now, "OUTLAY_WRITE_REPORTS");
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    // As any other format of the Report.
    void itIsAFormat()
    {
        const auto formats = pricing::exportFormats();
        const auto format = std::find_if(formats.begin(), formats.end(),
                                         [](const auto& f) { return f.name == "application"; });
        QVERIFY(format != formats.end());
        QCOMPARE(format->file, std::string_view("application.md"));
        const Case mlp("mlp");
        const pricing::ExportInput input{mlp.experiment,
                                         mlp.report,
                                         Today,
                                         "2026-11-20T13:00:00Z",
                                         {.centre = "archer2", .runs = 2}};
        const auto text = format->write(input);
        QVERIFY(text.has_value() && text->find(" CU**, ") != std::string::npos);
        const pricing::ExportInput wrong{
            mlp.experiment, mlp.report, Today, "2026-11-20T13:00:00Z", {.centre = "nowhere"}};
        QVERIFY(!format->write(wrong).has_value());
    }
};

OUTLAY_TEST(TestApplication)
#include "tst_application.moc"
