// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What each recommendation promises is what its patch does.
#include "core/experiment/patch.h"
#include "core/experiment/presets.h"
#include "pricing/report/advice/saving.h"
#include "pricing/report/make_report.h"
#include "pricing/report/sections.h"
#include "tests/support/measured.h"
#include "tests/support/near.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace outlay::core;
using namespace outlay::pricing;
using outlay::tests::adviceIn;
using outlay::tests::experimentOf;
using outlay::tests::isNear;
using outlay::tests::Today;

namespace {

/// The text generator, measured here, with one variant beside the plain way.
Experiment measuredWith(const VariantMeasurement& variant, std::int64_t batch = 128)
{
    Experiment e = experimentOf("text-generator");
    e.training.batch = batch;
    e.site.powerWatts = 100;
    Measurement m = outlay::tests::measurementOf(e);
    m.training.step.verdict = Verdict::Steady;
    m.variants = {variant};
    outlay::tests::addTo(e, m);
    return e;
}

Bill billWith(double usd, double kg, double seconds)
{
    return {.usd = Quantity::exact(usd, Unit::Usd, {}),
            .kgCo2e = Quantity::exact(kg, Unit::KilogramsCo2e, {}),
            .runS = Quantity::exact(seconds, Unit::Seconds, {}),
            .isWholeMonth = true};
}

} // namespace

class TestAdvice : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void patchesChangeOnlyWhatTheyName()
    {
        const Experiment before = experimentOf("gpt2");
        const Json patch = *readJson(
            R"([{"op": "add", "path": "/plan", "value": {}},
                {"op": "replace", "path": "/training/batch", "value": 16}])");
        const auto after = patched(before, patch);
        QVERIFY(after.has_value());
        Experiment expected = before;
        expected.training.batch = 16;
        QCOMPARE(toJson(*after), toJson(expected));
    }

    void brokenPatchesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("patch");
        QTest::newRow("no list") << QByteArray("{}");
        QTest::newRow("no path") << QByteArray(R"([{"op": "add", "value": 1}])");
        QTest::newRow("no value") << QByteArray(R"([{"op": "add", "path": "/training/batch"}])");
        QTest::newRow("move") << QByteArray(R"([{"op": "move", "path": "/training/batch"}])");
        QTest::newRow("no such part")
            << QByteArray(R"([{"op": "add", "path": "/measurements", "value": []}])");
        QTest::newRow("no such key")
            << QByteArray(R"([{"op": "add", "path": "/training/bacth", "value": 2}])");
        QTest::newRow("out of limits")
            << QByteArray(R"([{"op": "add", "path": "/training/batch", "value": 0}])");
    }
    void brokenPatchesAreRefused()
    {
        QFETCH(QByteArray, patch);
        const auto result = patched(experimentOf("gpt2"), *readJson(patch.toStdString()));
        QVERIFY(!result.has_value());
        QVERIFY(!result.error().what.empty());
    }

    void presets_data()
    {
        QTest::addColumn<QByteArray>("preset");
        for (const Preset& row : outlay::tests::presetsToTry())
            QTest::newRow(row.id.c_str()) << QByteArray::fromStdString(row.id);
    }

    // The promise: applying a patch and making the figures again yields the saving.
    void promisesAreKept_data() { presets_data(); }
    void promisesAreKept()
    {
        QFETCH(QByteArray, preset);
        const Experiment e = experimentOf(preset.constData());
        const Report report = makeReport(e, Today);
        const Bill before = billOf(report, e.training.runsPerMonth);
        int promises = 0;
        for (const AdviceRow& row : report.advice) {
            const auto changed = patched(e, row.patch);
            QVERIFY2(changed.has_value(), row.id.c_str());
            const Bill after = billOf(figuresOf(*changed, Today), changed->training.runsPerMonth);
            if (row.savingUsd.isAvailable()) {
                ++promises;
                const double saved = before.usd.value() - after.usd.value();
                const double noise = 1e-9 * before.usd.value();
                QVERIFY2(saved >= row.savingUsd.value() - noise,
                         qPrintable(QStringLiteral("%1: %2 USD saved, %3 promised")
                                        .arg(QString::fromStdString(row.id))
                                        .arg(saved)
                                        .arg(row.savingUsd.value())));
                QVERIFY2(row.savingUsd.value() >= 0, row.id.c_str());
            }
            if (row.savingKgCo2e.isAvailable() && row.savingUsd.isAvailable() &&
                isNear(before.usd.value() - after.usd.value(), row.savingUsd.value()))
                QVERIFY2(
                    isNear(before.kgCo2e.value() - after.kgCo2e.value(), row.savingKgCo2e.value()),
                    row.id.c_str());
        }
        QVERIFY(promises > 0);
    }

    void rowsAreWhole_data() { presets_data(); }
    void rowsAreWhole()
    {
        QFETCH(QByteArray, preset);
        const Report report = makeReport(experimentOf(preset.constData()), Today);
        std::vector<std::string> ids;
        for (const AdviceRow& row : report.advice) {
            QVERIFY(!row.title.empty() && !row.why.empty());
            QVERIFY2(row.savingUsd.isAvailable() || row.savingTimePercent.isAvailable() ||
                         row.savingKgCo2e.isAvailable() || row.priority == Level::High,
                     row.id.c_str());
            QVERIFY2(std::find(ids.begin(), ids.end(), row.id) == ids.end(), row.id.c_str());
            ids.push_back(row.id);
        }
        const std::string once = writeJson(toJson(report, Today));
        QCOMPARE(writeJson(toJson(makeReport(experimentOf(preset.constData()), Today), Today)),
                 once);
        QVERIFY(readJson(once).has_value());
    }

    // The largest first, but another model after whatever leaves it as it is, and emissions alone after money and time.
    void theFirstComesFirst()
    {
        int models = 0;
        for (const Preset& preset : outlay::tests::presetsToTry()) {
            const std::vector<AdviceRow> rows = makeReport(preset.experiment, Today).advice;
            for (std::size_t i = 1; i < rows.size(); ++i) {
                const AdviceRow& a = rows[i - 1];
                const AdviceRow& b = rows[i];
                QVERIFY2(a.priority >= b.priority, preset.id.c_str());
                const bool isModel = a.category == AdviceCategory::Model;
                if (a.priority != b.priority)
                    continue;
                QVERIFY2(!isModel || b.category == AdviceCategory::Model, preset.id.c_str());
                if (isModel != (b.category == AdviceCategory::Model)) {
                    ++models;
                    continue;
                }
                QVERIFY2(!a.isReluctant || b.isReluctant, preset.id.c_str());
                if (a.isReluctant != b.isReluctant)
                    continue;
                const bool isCarbon = a.most == SavedThing::Carbon;
                QVERIFY2(!isCarbon || b.most == SavedThing::Carbon, preset.id.c_str());
                QVERIFY2(isCarbon != (b.most == SavedThing::Carbon) || a.share >= b.share,
                         preset.id.c_str());
            }
        }
        QVERIFY(models > 0);
    }

    // Half a million a month is said before the emissions that another region saves more of.
    void moneyComesBeforeEmissions()
    {
        Experiment e = experimentOf("llama-3.1-8b");
        e.serving.requestsPerDay = 2e7;
        e.serving.latencyP95Ms = 60'000;
        e.serving.tensorParallel = 8;
        e.plan.servingOffer =
            OfferChoice{"azure", "Standard_ND96amsr_A100_v4", "eastus", Purchase::OnDemand};
        const std::vector<AdviceRow> rows = makeReport(e, Today).advice;
        QVERIFY(!rows.empty());
        QCOMPARE(rows.front().id, std::string("copies-beside"));
        const auto cleaner = std::find_if(rows.begin(), rows.end(), [](const AdviceRow& row) {
            return row.id == "cleaner-serving-region";
        });
        QVERIFY(cleaner != rows.end() && cleaner->priority < rows.front().priority &&
                cleaner->share > rows.front().share);
    }

    void stoppingEarlyNeedsACurve()
    {
        Experiment e = experimentOf("text-generator");
        e.training.runsPerMonth = 1000; // so that training is most of the bill
        QVERIFY(adviceIn(makeReport(e, Today), "early-stopping") == nullptr);
        e.quality = *readJson(R"({"curve": [{"epoch": 1, "loss": 5}, {"epoch": 10, "loss": 2},
            {"epoch": 20, "loss": 1.001}, {"epoch": 50, "loss": 1}]})");
        const Report report = makeReport(e, Today);
        const AdviceRow* row = adviceIn(report, "early-stopping");
        QVERIFY(row != nullptr);
        QCOMPARE(valueAt(row->patch.asArray()->front(), "/value")->number(), 20.0);
        QVERIFY(row->savingUsd.value() > 0);
    }

    void whatWasMeasuredFasterIsAdvised_data()
    {
        QTest::addColumn<QByteArray>("variant");
        QTest::addColumn<double>("highRatio");
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<bool>("isThere");
        QTest::newRow("threads") << QByteArray("threads") << 0.6 << QByteArray("threads") << true;
        QTest::newRow("perhaps not")
            << QByteArray("threads") << 1.1 << QByteArray("threads") << false;
        QTest::newRow("fused") << QByteArray("fused") << 0.6 << QByteArray("measured-other")
                               << true;
        QTest::newRow("assumed lengths")
            << QByteArray("buckets") << 0.6 << QByteArray("measured-other") << false;
        QTest::newRow("int8") << QByteArray("int8") << 0.6 << QByteArray("quantised-serving")
                              << true;
        QTest::newRow("int8, slower")
            << QByteArray("int8") << 1.2 << QByteArray("quantised-serving") << false;
    }
    void whatWasMeasuredFasterIsAdvised()
    {
        QFETCH(QByteArray, variant);
        QFETCH(double, highRatio);
        QFETCH(QByteArray, id);
        QFETCH(bool, isThere);
        const bool isServed = variant == "int8";
        const Report report = makeReport(
            measuredWith({.variant = variant.toStdString(),
                          .name = "a variant",
                          .subject = isServed ? VariantSubject::Request : VariantSubject::Training,
                          .ratio = 0.5,
                          .lowRatio = 0.4,
                          .highRatio = highRatio}),
            Today);
        const AdviceRow* row = adviceIn(report, id.toStdString());
        QCOMPARE(row != nullptr, isThere);
        if (row == nullptr)
            return;
        QCOMPARE(row->savingTimePercent.value(), 50.0);
        QCOMPARE(row->isTimeOfRequest, isServed);
        QVERIFY(isNear(row->savingTimeS.value(),
                       0.5 * (isServed ? report.serving.latencyMs.value() / 1000
                                       : report.training.here.value())));
        // What is measured here saves nothing of a bill for a machine elsewhere.
        if (!isServed)
            QVERIFY(!row->savingUsd.isAvailable());
    }

    // Of all faster recurrences the best measured one is advised, and the Report carries them all.
    void theBestMeasuredRecurrenceIsAdvised()
    {
        const auto variant = [](const char* kind, double ratio) {
            return VariantMeasurement{.variant = kind,
                                      .name = kind,
                                      .ratio = ratio,
                                      .lowRatio = 0.9 * ratio,
                                      .highRatio = 1.1 * ratio,
                                      .rounds = 3,
                                      .plainPeakBytes = 8.0,
                                      .peakBytes = 2.0};
        };
        Experiment e = measuredWith(variant("chunked", 0.5));
        Measurement m = *e.measurements.all().newest();
        m.variants.push_back(variant("fused-recurrence", 0.1));
        m.variants.push_back(variant("cell-by-cell", 0.3));
        VariantMeasurement generation = variant("stepwise-fused", 0.2);
        generation.subject = VariantSubject::Generation;
        m.variants.push_back(generation);
        VariantMeasurement broken = variant("fused-recurrence", 0.01);
        broken.unavailable = "it doesn't compute the same";
        m.variants.push_back(broken);
        e.measurements = {};
        outlay::tests::addTo(e, m);
        const Report report = makeReport(e, Today);
        QCOMPARE(adviceIn(report, "measured-other")->savingTimePercent.value(), 90.0);
        QCOMPARE(adviceIn(report, "measured-serving")->savingTimePercent.value(), 80.0);
        QCOMPARE(report.variants.size(), std::size_t{5});
        QCOMPARE(report.variants[0].timeRatio.value(), 0.1);
        QCOMPARE(report.variants[0].memoryRatio.value(), 0.25);
        QCOMPARE(report.variants[0].what, std::string(whatIs("fused-recurrence")));
        // What couldn't be measured is behind the others of its subject.
        const auto last =
            std::find_if(report.variants.begin(), report.variants.end(),
                         [](const VariantRow& row) { return !row.timeRatio.isAvailable(); });
        QVERIFY(last != report.variants.end() && !last->memoryRatio.isAvailable());
        QVERIFY(last + 1 == report.variants.end() || (last + 1)->subject != last->subject);
        QVERIFY(std::count_if(last, report.variants.end(), [&](const VariantRow& row) {
                    return row.subject == last->subject;
                }) == 1);
        const Json json = toJson(report, Today);
        QCOMPARE(json.find("variants")->asArray()->size(), std::size_t{5});
    }

    void whatIsNotKnownIsNotSaved()
    {
        const auto usd = [](double v) { return Quantity::exact(v, Unit::Usd, {}); };
        const Bill before{.usd = usd(10), .isWholeMonth = true};
        const Bill cheaper{.usd = usd(4), .isWholeMonth = true, .lacking = {"storage"}};
        QVERIFY(!savingOf(before, cheaper).usd.isAvailable());
        QVERIFY(!isWorthwhile(savingOf(before, cheaper), before));
        QCOMPARE(savingOf(cheaper, before).usd.value(), -6.0);
        QVERIFY(!savingOf(before, Bill{.usd = usd(4)}).usd.isAvailable());
    }

    void priorities_data()
    {
        QTest::addColumn<double>("usd");
        QTest::addColumn<double>("kg");
        QTest::addColumn<double>("seconds");
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("most");
        // Of 100 USD, 10 kg and 1,000 s.
        QTest::newRow("a fifth") << 79.0 << 10.0 << 1000.0 << 2 << 0;
        QTest::newRow("a twentieth") << 94.0 << 10.0 << 1000.0 << 1 << 0;
        QTest::newRow("less") << 98.0 << 10.0 << 1000.0 << 0 << 0;
        QTest::newRow("time") << 98.0 << 10.0 << 23.0 << 2 << 1;
        QTest::newRow("carbon") << 98.0 << 7.0 << 990.0 << 0 << 0;
        QTest::newRow("carbon, dearer") << 101.0 << 7.0 << 1000.0 << 0 << 2;
        QTest::newRow("money, and more carbon") << 98.0 << 5.0 << 1000.0 << 0 << 0;
        QTest::newRow("less carbon") << 100.0 << 9.0 << 1000.0 << 0 << 2;
        QTest::newRow("a moment") << 100.0 << 10.0 << 995.0 << 0 << 1;
    }
    void priorities()
    {
        QFETCH(double, usd);
        QFETCH(double, kg);
        QFETCH(double, seconds);
        QFETCH(int, level);
        QFETCH(int, most);
        const Bill before = billWith(100, 10, 1000);
        const Largest largest = largestOf(savingOf(before, billWith(usd, kg, seconds)), before);
        QCOMPARE(static_cast<int>(largest.priority), level);
        QCOMPARE(static_cast<int>(largest.thing), most);
        // What is told by money or time isn't ranked by its emissions.
        if (largest.thing != SavedThing::Carbon)
            QVERIFY(isNear(largest.share, std::max(1 - usd / 100, 1 - seconds / 1000)));
    }

    // Eight cents are half of sixteen, and nothing that anybody would change a program for.
    void whatIsSmallIsNoMatter()
    {
        const Bill before = billWith(0.16, 0.02, 6);
        QCOMPARE(largestOf(savingOf(before, billWith(0.08, 0.02, 6)), before).priority, Level::Low);
        QCOMPARE(largestOf(savingOf(before, billWith(0.16, 0.01, 6)), before).priority, Level::Low);
        QCOMPARE(largestOf(savingOf(before, billWith(0.16, 0.02, 1)), before).priority, Level::Low);
        // And doesn't hide what is more than that.
        const Bill large = billWith(100, 0.02, 1000);
        const Largest largest = largestOf(savingOf(large, billWith(90, 0.001, 1000)), large);
        QCOMPARE(largest.thing, SavedThing::Money);
        QCOMPARE(largest.priority, Level::Medium);
    }

    // A run that was measured to be 44 times as fast another way is said before a saved cent.
    void timeHereIsASaving()
    {
        const Report report = makeReport(measuredWith({.variant = "composed-engine",
                                                       .name = "composed",
                                                       .ratio = 0.0227,
                                                       .lowRatio = 0.02,
                                                       .highRatio = 0.03}),
                                         Today);
        const AdviceRow& row = report.advice.front();
        QCOMPARE(row.id, std::string("measured-other"));
        QCOMPARE(row.priority, Level::High);
        QCOMPARE(row.most, SavedThing::Time);
        QVERIFY(isNear(row.savingTimeS.value(), 0.9773 * report.training.here.value()));
        QVERIFY(row.patch.asArray()->empty() && !row.codeCpp.empty());
    }

    // The probe has seen twice the batch take longer: neither it nor a larger one is advised.
    void whatWasMeasuredIsNotContradicted()
    {
        const auto advised = [](double lowRatio) {
            Experiment e = measuredWith({.variant = "batch",
                                         .name = "batch 32",
                                         .ratio = lowRatio * 1.1,
                                         .lowRatio = lowRatio,
                                         .highRatio = lowRatio * 1.2,
                                         .pointer = "/training/batch",
                                         .value = "32"},
                                        16);
            e.plan.trainingOffer =
                OfferChoice{"aws", "c6i.xlarge", "us-east-1", Purchase::OnDemand};
            return adviceIn(makeReport(e, Today), "larger-batch") != nullptr;
        };
        QVERIFY(advised(0.99));
        QVERIFY(!advised(1.3));
    }

    void aSmallerBookJudgesAsTheWholeOne()
    {
        const PriceBook& all = Today.book();
        std::vector<std::uint32_t> rows;
        for (std::uint32_t i = 0; i < all.rows().size(); i += 37)
            rows.push_back(i);
        const PriceBook part = all.only(rows);
        QCOMPARE(part.rows().size(), rows.size());
        for (const OfferRow& row : part.rows()) {
            const Offer offer = offerOf(part.table(), row);
            const OfferRow* same = all.find(
                {offer.machine.provider, offer.machine.instance, offer.region, offer.purchase});
            QVERIFY(same != nullptr);
            QVERIFY(offerOf(all.table(), *same) == offer);
            QCOMPARE(part.doubt(part.indexOf(row)), all.doubt(all.indexOf(*same)));
        }
    }

    // Whoever calls a service is near to where it is: a reservation doesn't move it.
    void reservationsStayWhereTheyAre()
    {
        int found = 0;
        for (const Preset& one : outlay::tests::presetsToTry()) {
            const Report report = makeReport(one.experiment, Today);
            for (const AdviceRow& row : report.advice) {
                if (row.id != "reserved")
                    continue;
                ++found;
                const auto after = patched(one.experiment, row.patch);
                QVERIFY(after && after->plan.servingOffer);
                QCOMPARE(after->plan.servingOffer->region,
                         report.serving.recommended.option->offer.region);
                QVERIFY2(row.title.find(" for 1 year") != std::string::npos ||
                             row.title.find(" for 3 years") != std::string::npos,
                         row.title.c_str());
            }
        }
        QVERIFY(found > 3 / outlay::tests::Slower);
    }

    // Adapters are for what others trained, and a smaller model for what is trained from the start.
    void tuningIsToldFromPretraining()
    {
        const auto has = [](const char* name, const char* id) {
            const Report report = makeReport(preset(name)->experiment, Today);
            return std::any_of(report.advice.begin(), report.advice.end(),
                               [&](const AdviceRow& row) { return row.id == id; });
        };
        for (const char* name : {"llama-7b-pretraining", "llama-65b-pretraining"})
            QVERIFY(!has(name, "adapters") && has(name, "smaller-model"));
        QVERIFY(has("llama-65b", "adapters") && !has("llama-65b", "smaller-model"));
        QVERIFY(!has("llama-3.1-8b", "smaller-model"));
        QVERIFY(!has("bert-base", "adapters") && has("bert-base", "smaller-model"));
    }

    // Nobody signs for three years of a machine that waits; one that works is another matter.
    void aTermIsForWhatWorks()
    {
        int waiting = 0;
        int working = 0;
        for (Experiment e : {preset("bert-base")->experiment, preset("llama-3.1-8b")->experiment,
                             preset("text-generator")->experiment}) {
            for (int i = 0; i < 12; ++i, e.serving.requestsPerDay *= 4) {
                const Report report = makeReport(e, Today);
                const std::optional<double> busy = busyShare(report.serving);
                const auto row = std::find_if(report.advice.begin(), report.advice.end(),
                                              [](const auto& r) { return r.id == "reserved"; });
                if (!busy || row == report.advice.end())
                    continue;
                const bool isWaiting = *busy <= 0.5;
                (isWaiting ? waiting : working) += 1;
                QCOMPARE(row->why.find(" % of its hours, and a term") != std::string::npos,
                         isWaiting);
                // Whatever else matters as much comes first.
                const auto isBefore = [&](const AdviceRow& other) {
                    return &other < &*row || other.priority < row->priority ||
                           other.category == AdviceCategory::Model || other.isReluctant;
                };
                QVERIFY(!isWaiting ||
                        std::all_of(report.advice.begin(), report.advice.end(), isBefore));
                QVERIFY(row->why.find("It is owed for ") != std::string::npos);
                if (isWaiting) {
                    QVERIFY(row->priority < Level::High);
                    QVERIFY(row->title.find("1 year") != std::string::npos);
                } else {
                    QVERIFY(row->title.find("3 years") != std::string::npos);
                }
            }
        }
        QVERIFY2(waiting >= 3, qPrintable(QString::number(waiting)));
        QVERIFY2(working >= 3, qPrintable(QString::number(working)));
    }
};

OUTLAY_TEST(TestAdvice)
#include "tst_advice.moc"
