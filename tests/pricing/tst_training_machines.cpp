// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/cheapest.h"
#include "pricing/report/offers/training_machines.h"
#include "pricing/report/sections.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace outlay;
using core::Fits;
using core::TrainingForecast;
using outlay::tests::experimentOf;
using outlay::tests::figuresToday;
using pricing::MachineKind;
using pricing::Report;

namespace {

const std::vector<MachineKind>& kinds()
{
    return outlay::tests::catalogs().devices().kinds();
}

/// LLaMA 65B as it was pretrained: 1.4 T tokens, 2,048 a sequence.
core::Experiment pretraining(std::int64_t machines)
{
    core::Experiment e = experimentOf("llama-65b");
    e.training.tokens = std::int64_t{1'400'000'000'000};
    e.training.checkpointing = false;
    e.plan.maxMachines = machines;
    return e;
}

/// Hours by the clock, on demand, with five minutes to start.
double hoursOf(const TrainingForecast& f)
{
    return f.runSeconds.value() / 3600 + 5.0 / 60;
}

TrainingForecast forecastOn(const core::Experiment& e, const MachineKind& kind,
                            std::int64_t machines)
{
    const core::TrainingDemand demand = core::trainingDemand(core::expand(e.model), e.training);
    return core::trainingForecast(
        demand, {.device = kind.device,
                 .count = kind.count * machines,
                 .calibration = outlay::tests::catalogs().calibration(),
                 .machines = machines,
                 .networkGbPerS = machines > 1 ? kind.networkGbPerS : std::nullopt});
}

/// No more devices than a step has samples.
std::int64_t mostOf(const core::Experiment& e, const MachineKind& kind)
{
    const std::int64_t plan = e.plan.maxMachines;
    return e.training.globalBatch
               ? std::min(plan, std::max<std::int64_t>(1, *e.training.globalBatch / kind.count))
               : plan;
}

/// All numbers that a plan may take, each sooner than the one before; with their hours.
std::vector<std::pair<std::int64_t, double>> soonerAndSooner(const core::Experiment& e,
                                                             const MachineKind& kind)
{
    std::vector<std::pair<std::int64_t, double>> all;
    const std::int64_t most = mostOf(e, kind);
    for (std::int64_t n = 1;; n = std::min(2 * n, most)) {
        const TrainingForecast f = forecastOn(e, kind, n);
        if (f.fits == Fits::Yes) {
            if (!all.empty() && hoursOf(f) >= all.back().second)
                break;
            all.emplace_back(n, hoursOf(f));
        }
        if (n == most)
            break;
    }
    return all;
}

/// Whether `machines` are as many as they should be.
QString complaint(const core::Experiment& e, const MachineKind& kind, std::int64_t machines)
{
    constexpr double TooLong = 60 * 24;
    const double most = std::min(TooLong, e.plan.deadlineHours.value_or(HUGE_VAL));
    const auto all = soonerAndSooner(e, kind);
    if (all.empty())
        return machines == 1 ? QString() : QStringLiteral("several hold nothing");
    const auto inTime =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.second <= most; });
    if (inTime == all.end()) {
        const double soonest = all.back().second;
        const auto nearly = std::find_if(all.begin(), all.end(), [&](const auto& one) {
            return one.second <= 1.25 * soonest && (one.second <= TooLong || soonest > TooLong);
        });
        const std::int64_t wanted = soonest > TooLong ? all.back().first : nearly->first;
        return machines == wanted ? QString() : QStringLiteral("%1 are soonest").arg(wanted);
    }
    // Of as many as are enough and up to four times as many, none is cheaper by a twentieth; more only where that saves.
    const auto machineSeconds = [&](std::int64_t n) {
        return forecastOn(e, kind, n).runSeconds.value() * static_cast<double>(n);
    };
    const std::int64_t enough = inTime->first;
    if (machines < enough || machines > 4 * enough || machines > mostOf(e, kind))
        return QStringLiteral("%1 are enough").arg(enough);
    if (machines > enough && machineSeconds(machines) >= 0.95 * machineSeconds(enough))
        return QStringLiteral("%1 cost hardly more").arg(enough);
    if (!core::gathersWeights(forecastOn(e, kind, machines).layout.sharding))
        return {};
    for (std::int64_t n = enough; n <= std::min(4 * enough, mostOf(e, kind)); n *= 2) {
        if (n > machines && machineSeconds(n) < 0.95 * machineSeconds(machines))
            return QStringLiteral("%1 cost less").arg(n);
    }
    return {};
}

} // namespace

class TestTrainingMachines : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void asManyAsNeeded_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<qint64>("most");
        QTest::addColumn<double>("deadline"); // 0: none
        for (const char* name : {"llama-65b", "mixtral-8x7b", "llama-3.1-8b", "gpt2"}) {
            for (const qint64 most : {1, 6, 32}) {
                for (const double deadline : {0.0, 100.0, 4.0})
                    QTest::addRow("%s, %lld, %g h", name, most, deadline)
                        << QString::fromLatin1(name) << most << deadline;
            }
        }
    }
    void asManyAsNeeded()
    {
        QFETCH(QString, name);
        QFETCH(qint64, most);
        QFETCH(double, deadline);
        core::Experiment e = experimentOf(qPrintable(name));
        e.plan.maxMachines = most;
        if (deadline > 0)
            e.plan.deadlineHours = deadline;
        const Report report = figuresToday(e);
        int joined = 0;
        for (std::size_t i = 0; i < kinds().size(); ++i) {
            const MachineKind& kind = kinds()[i];
            const TrainingForecast& f = report.training.forecasts[i];
            const bool canJoin = kind.networkGbPerS && f.runSeconds.isAvailable();
            const QString wrong = canJoin ? complaint(e, kind, f.machines)
                                          : QString(f.machines == 1 ? "" : "nothing joins these");
            QVERIFY2(wrong.isEmpty(),
                     qPrintable(QStringLiteral("%1 machines: %2").arg(f.machines).arg(wrong)));
            joined += f.machines > 1 ? 1 : 0;
        }
        QVERIFY(most == 1 ? joined == 0 : joined > 0 || name == QLatin1String("gpt2"));
    }

    // Devices beyond the samples of a step would wait: 32 samples are shared by four machines of eight at most.
    void noMoreDevicesThanSamples()
    {
        core::Experiment e = experimentOf("llama-65b-pretraining");
        e.training.globalBatch = 32;
        int joined = 0;
        const Report report = figuresToday(e);
        for (std::size_t i = 0; i < kinds().size(); ++i) {
            const std::int64_t machines = report.training.forecasts[i].machines;
            QVERIFY(machines == 1 || machines * kinds()[i].count <= 32);
            joined += machines > 1 ? 1 : 0;
        }
        QVERIFY(joined > 0);
    }

    // What is paid is that of all machines; what it takes is by the clock.
    void allMachinesArePaid()
    {
        const Report report = figuresToday(experimentOf("mixtral-8x7b"));
        const pricing::Catalogs& catalogs = outlay::tests::catalogs();
        int joined = 0;
        for (const pricing::Option& option : report.training.options) {
            const TrainingForecast& f = report.training.forecasts[option.forecast];
            const core::Purchase purchase = catalogs.book().rows()[option.row].purchase;
            if (!pricing::isUsable(option) || purchase != core::Purchase::OnDemand)
                continue;
            const double price = catalogs.prices().range(option.row)->value;
            const double expected = hoursOf(f) * static_cast<double>(f.machines) * price;
            QVERIFY(std::abs(option.usd.value / expected - 1) < 1e-9);
            if (f.machines == 1 || ++joined > 20)
                continue;
            const pricing::OptionText text = pricing::trainingOptionText(report, catalogs, option);
            QCOMPARE(text.instances.value(), static_cast<double>(f.machines));
            QVERIFY(std::abs(text.hours.value() / hoursOf(f) - 1) < 1e-9);
            QVERIFY(std::abs(text.usd.value() / expected - 1) < 1e-9);
            QVERIFY(text.kwh.value() == f.kwh.value());
            QCOMPARE(pricing::timesInstances(option, report.training),
                     std::to_string(f.machines) + " x ");
        }
        QVERIFY(joined > 0);
    }

    // Each is made, and each of them is paid, in all that is told of them.
    void allMachinesCountElsewhere()
    {
        core::Experiment e = experimentOf("llama-65b");
        e.plan.trainingOffer =
            core::OfferChoice{"aws", "p5.48xlarge", "us-east-1", core::Purchase::OnDemand};
        const Report report = figuresToday(e);
        const auto& option = *report.training.recommended.option;
        QCOMPARE(option.instances.value(), 2.0);
        core::Experiment longer = e;
        longer.plan.deadlineHours = 20;
        longer.plan.maxMachines = 8;
        const Report eight = figuresToday(longer);
        const auto& more = *eight.training.recommended.option;
        QVERIFY(more.instances.value() > 2);
        const double machineHours = option.hours.value() * option.instances.value();
        const double manyHours = more.hours.value() * more.instances.value();
        const double made = report.carbon.embodiedKgCo2e.value();
        QVERIFY(std::abs(eight.carbon.embodiedKgCo2e.value() / made / (manyHours / machineHours) -
                         1) < 1e-9);
        const auto& rows = eight.scaling.devices.rows;
        const auto chosen = std::find_if(rows.begin(), rows.end(), [&](const auto& row) {
            return static_cast<double>(row.machines) == more.instances.value();
        });
        QVERIFY(chosen != rows.end());
        QVERIFY(std::abs(chosen->usd.value() / more.usd.value() - 1) < 1e-9);
        longer.plan.maxMachines = 6;
        longer.plan.deadlineHours = 1;
        e = longer;
        const Report six = figuresToday(e);
        for (const TrainingForecast& f : six.training.forecasts)
            QVERIFY(f.machines <= 6);
    }

    // What ends in time on demand, but with all its interruptions doesn't, isn't bought on spot.
    void spotIsTooLongBySpotsOwnHours()
    {
        core::Experiment e = pretraining(64);
        e.assumptions.set("spot_interruptions_per_hour", core::Json(1.0));
        const Report report = figuresToday(e);
        int dropped = 0;
        for (const pricing::Option& option : report.training.options) {
            const TrainingForecast& f = report.training.forecasts[option.forecast];
            const core::Purchase purchase =
                outlay::tests::catalogs().book().rows()[option.row].purchase;
            if (!option.hasUsd || purchase != core::Purchase::Spot)
                continue;
            const double hours =
                report.training.runHours.range(f.runSeconds, purchase, f.machines).value;
            QCOMPARE(option.isTooLong, hours > 60 * 24);
            dropped += option.isTooLong && hoursOf(f) <= 60 * 24 ? 1 : 0;
        }
        QVERIFY(dropped > 0);
    }

    // One that is taken back stops all of them.
    void interruptionsAreOfEachMachine()
    {
        const Report report = figuresToday(experimentOf("mixtral-8x7b"));
        const core::Quantity run = core::Quantity::exact(36'000, core::Unit::Seconds, {});
        const auto hours = [&](std::int64_t machines) {
            return report.training.runHours.range(run, core::Purchase::Spot, machines).value;
        };
        const double start = 5.0 / 60;
        const double lost = hours(1) - start - 10;
        QVERIFY(lost > 0);
        QVERIFY(std::abs((hours(8) - start - 10) / lost - 8) < 1e-9);
        const auto paid = report.training.runHours.paid({10, 8, 12}, core::Purchase::OnDemand, 8);
        QVERIFY(paid.value == 80 && paid.low == 64 && paid.high == 96);
        const auto one = report.training.runHours.paid({10, 8, 12}, core::Purchase::Reserved1y, 1);
        const auto four = report.training.runHours.paid({10, 8, 12}, core::Purchase::Reserved1y, 4);
        QVERIFY(four.value == 4 * one.value && one.value > 10);
    }

    void whatNobodyWaitsForIsNotRecommended()
    {
        const Report report = figuresToday(pretraining(8));
        QVERIFY(!report.training.recommended.option);
        const std::string& why = report.training.recommended.reasons.front();
        QVERIFY2(why.starts_with("Nothing ends in time: 8 x ") &&
                     why.find("more than 8 machines") != std::string::npos,
                 why.c_str());
        for (const pricing::Option& option : report.training.options)
            QVERIFY(!pricing::isUsable(option));
        core::Experiment patient = pretraining(8);
        patient.assumptions.set("longest_run_days", core::Json(3650.0));
        QVERIFY(figuresToday(patient).training.recommended.option);
        const Report enough = figuresToday(pretraining(64));
        QVERIFY(enough.training.recommended.option);
        QVERIFY(enough.training.recommended.option->hours.value() <= 60 * 24);
    }

    // What no published run supports isn't recommended while what some support costs no more than its upper end.
    void whatNobodyRanGivesWay()
    {
        const core::Spreads& spreads = outlay::tests::catalogs().calibration().spreads;
        int gaveWay = 0;
        for (const core::Preset& preset : outlay::tests::presetsToTry()) {
            const Report report = figuresToday(preset.experiment);
            const auto& recommended = report.training.recommended;
            const bool isAttention =
                std::holds_alternative<core::TransformerDesign>(preset.experiment.model.design);
            if (!recommended.chosen || !isAttention)
                continue;
            const auto isFitted = [&](const pricing::Option& option) {
                const core::Device& d = kinds()[option.forecast].device;
                return d.kind == core::DeviceKind::Cpu ||
                       core::Spreads::isFitted(spreads.training, d.name, d.generation);
            };
            const double usd = recommended.option->usd.value();
            if (isFitted(*recommended.chosen)) {
                const auto& other = recommended.alternative;
                if (!other || other->offer.purchase != recommended.option->offer.purchase ||
                    other->usd.value() >= usd)
                    continue;
                ++gaveWay;
                QVERIFY2(usd <= other->usd.high(), preset.id.c_str());
                continue;
            }
            for (const pricing::Option& option : report.training.options) {
                const bool isAsGood =
                    pricing::keepsPlan(option) && isFitted(option) &&
                    outlay::tests::catalogs().book().rows()[option.row].purchase ==
                        recommended.option->offer.purchase;
                QVERIFY2(!isAsGood || option.usd.value > recommended.option->usd.high(),
                         preset.id.c_str());
            }
        }
        QVERIFY(gaveWay > 2 / outlay::tests::Slower);
    }

    // What gave way to the recommended one isn't advised in its place a line below.
    void whatGaveWayIsNotAdvised()
    {
        core::Experiment e = experimentOf("llama-65b-pretraining");
        e.training.tensorParallel = 8;
        e.training.pipelineStages = 4;
        const Report report = outlay::tests::reportToday(e);
        QVERIFY(report.training.recommended.alternative);
        const std::string& gaveWay =
            report.training.recommended.alternative->offer.machine.instance;
        QVERIFY(!report.advice.empty());
        for (const auto& advice : report.advice)
            QVERIFY2(advice.title.find(gaveWay) == std::string::npos, advice.title.c_str());
    }

    // 40 experts that 40 devices divide are on five machines of eight, which no doubling comes to.
    void expertsAreDividedAmongMachines()
    {
        core::Experiment e = experimentOf("mixtral-8x7b");
        auto& design = std::get<core::TransformerDesign>(e.model.design);
        design.experts = 40;
        design.feedForward = 1024;
        e.training.expertParallel = 40;
        e.training.globalBatch = 320;
        e.plan.maxMachines = 8;
        const Report report = figuresToday(e);
        QVERIFY(report.training.recommended.option);
        QCOMPARE(report.training.recommended.option->layout.experts, 40);
        QCOMPARE(report.training.forecasts[report.training.recommended.chosen->forecast].machines,
                 5);
    }

    // As NVIDIA and others train mixtures: a machine's devices divide the experts.
    void mixturesAreDealtOut()
    {
        const Report report = figuresToday(experimentOf("mixtral-8x7b"));
        QVERIFY(report.training.recommended.option);
        QCOMPARE(report.training.recommended.option->layout.experts, 8);
    }

    // 8 x 6 devices of a copy are six machines of eight, or twelve, and no other number.
    void aLayoutLargerThanAMachineIsJoined()
    {
        core::Experiment e = experimentOf("llama-65b-pretraining");
        e.training.tensorParallel = 8;
        e.training.pipelineStages = 6;
        const Report report = figuresToday(e);
        QVERIFY(report.training.recommended.option);
        const core::Layout& layout = report.training.recommended.option->layout;
        QVERIFY(layout.tensor == 8 && layout.stages == 6);
        int joined = 0;
        for (std::size_t i = 0; i < kinds().size(); ++i) {
            const TrainingForecast& f = report.training.forecasts[i];
            if (!f.runSeconds.isAvailable())
                continue;
            QCOMPARE(f.machines * kinds()[i].count % 48, 0);
            ++joined;
        }
        QVERIFY(joined > 5);
    }

    // LLaMA 65B took 1,022,362 hours of A100-80GB on 2,048 of them for 1.4 T tokens, 7B 82,432 for 1 T (arXiv
    // 2302.13971, table 15), in steps alone: what else a run takes is in its share.
    void publishedPretrainingIsInReach_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("tokens");
        QTest::addColumn<double>("deviceHours");
        QTest::newRow("65B") << QStringLiteral("llama-65b") << 1.4e12 << 1022362.0;
        QTest::newRow("7B") << QStringLiteral("llama-7b") << 1e12 << 82432.0;
    }
    void publishedPretrainingIsInReach()
    {
        QFETCH(QString, name);
        QFETCH(double, tokens);
        QFETCH(double, deviceHours);
        core::Experiment e = experimentOf(qPrintable(name));
        e.training.checkpointing = false;
        e.training.tokens = static_cast<std::int64_t>(tokens);
        for (const MachineKind& kind : kinds()) {
            const bool isTheirs = kind.device.name == "A100-80GB-SXM4" && kind.count == 8 &&
                                  kind.networkGbPerS.value_or(0) == 200;
            if (!isTheirs)
                continue;
            const TrainingForecast f = forecastOn(e, kind, 256);
            QCOMPARE(f.fits, Fits::Yes);
            const double steps = f.deviceHours.value() * f.runShare;
            QVERIFY2(steps > 0.8 * deviceHours && steps < 1.2 * deviceHours,
                     qPrintable(QString::number(steps)));
            return;
        }
        QFAIL("no machine of eight A100 with a network of 1,600 Gbit/s");
    }

    // Machines are joined by what a provider lists, each once and under a name that is for sale.
    void networksAreOfMachinesInTheBook()
    {
        std::set<std::string> names;
        int machines = 0;
        for (const pricing::Machine& machine : outlay::tests::catalogs().book().table().machines) {
            if (!core::hardwareCatalog()->networkGbPerS(machine.instance))
                continue;
            ++machines;
            QVERIFY(!machine.accelerator.empty());
            QVERIFY(names.insert(machine.instance).second);
        }
        QVERIFY(machines >= 25);
        QCOMPARE(core::hardwareCatalog()->networkGbPerS("p5.48xlarge"), 400.0);
        QVERIFY(!core::hardwareCatalog()->networkGbPerS("g5.xlarge"));
    }
};

OUTLAY_TEST(TestTrainingMachines)
#include "tst_training_machines.moc"
