// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Machines that keep up a share of their speed: services have enough of them, and nothing trains there.
#include "core/experiment/presets.h"
#include "pricing/report/machine_devices.h"
#include "pricing/report/offers/simulated_service.h"
#include "pricing/report/plan_hours.h"
#include "pricing/report/sections.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <set>

using namespace outlay::core;
using namespace outlay::pricing;
using outlay::tests::figuresToday;
using outlay::tests::Today;

namespace {

const std::vector<MachineKind>& kinds()
{
    return Today.devices().kinds();
}

Experiment encoder(double requestsPerDay, Running running)
{
    Experiment e = preset("bert-base")->experiment;
    e.serving.requestsPerDay = requestsPerDay;
    e.serving.peakFactor = 3;
    e.plan.running = running;
    return e;
}

} // namespace

class TestBurstable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void someProvidersSellThem()
    {
        std::set<std::string> providers;
        for (const Machine& machine : Today.book().table().machines) {
            if (Today.hardware().sustainedShare(machine.instance) < 1)
                providers.insert(machine.provider);
        }
        QVERIFY(providers.size() >= 2);
        for (const MachineKind& kind : kinds())
            QVERIFY(kind.sustained == 1 || kind.device.kind == DeviceKind::Cpu);
        // Nobody sells one of these families that keeps up its full speed.
        int named = 0;
        for (const Machine& machine : Today.book().table().machines) {
            const auto isOf = [&](const char* family) {
                return machine.instance.starts_with(family);
            };
            const bool isBurstable = isOf("t2.") || isOf("t3.") || isOf("t3a.") || isOf("t4g.") ||
                                     isOf("Standard_B") || isOf("e2-micro") || isOf("e2-small") ||
                                     isOf("e2-medium");
            named += isBurstable;
            QVERIFY2(!isBurstable || Today.hardware().sustainedShare(machine.instance) < 1,
                     machine.instance.c_str());
        }
        QVERIFY(named > 8);
    }

    // A day of requests, one by one, finds as many enough, and one fewer too busy.
    void aSimulatedDaySaysTheSame()
    {
        Experiment e = encoder(1e6, Running::Always);
        const Report all = figuresToday(e);
        for (const Option& option : all.serving.options) {
            const Quantity& count = all.serving.capacities[option.forecast].instances;
            if (kinds()[option.forecast].sustained == 1 || option.fits != Fits::Yes ||
                count.how().sentence().find("keeps up") == std::string::npos)
                continue;
            const OfferRow& row = Today.book().rows()[option.row];
            const Machine& machine = Today.book().machine(row);
            e.plan.servingOffer = OfferChoice{machine.provider, machine.instance,
                                              std::string(Today.book().region(row)), row.purchase};
            break;
        }
        QVERIFY(e.plan.servingOffer.has_value());
        const Report report = figuresToday(e);
        const auto day = simulateService(e, Today, report, {}, {});
        QVERIFY(day.has_value());
        QVERIFY2(day->why.empty(), day->why.c_str());
        const auto busy = [](const SimulatedMachines& row) {
            const auto isBusy = [](const SimulatedMachines::Held& one) {
                return one.what == "busy";
            };
            return std::find_if(row.held.begin(), row.held.end(), isBusy);
        };
        QVERIFY(day->planned == 1);
        const auto fewer = busy(day->rows.front());
        const auto plan = busy(day->plan());
        QVERIFY(fewer != day->rows.front().held.end() && plan != day->plan().held.end());
        QVERIFY(plan->ms.value() <= 1.02 * plan->mostMs);
        QVERIFY(fewer->ms.value() > plan->ms.value());
        const double count = static_cast<double>(day->plan().machines);
        QVERIFY(std::abs(fewer->ms.value() * (count - 1) / (plan->ms.value() * count) - 1) < 0.03);
        QVERIFY(day->rows.front().isEnough() == (fewer->ms.value() <= fewer->mostMs));
    }

    void noneIsBusierThanItKeepsUp_data()
    {
        QTest::addColumn<double>("requests");
        QTest::addColumn<Running>("running");
        for (const double requests : {2e4, 1e6, 3e7}) {
            QTest::addRow("%g, always", requests) << requests << Running::Always;
            QTest::addRow("%g, with traffic", requests) << requests << Running::WithTraffic;
            QTest::addRow("%g, at once", requests) << requests << Running::AtOnce;
        }
    }
    void noneIsBusierThanItKeepsUp()
    {
        QFETCH(double, requests);
        QFETCH(Running, running);
        const Experiment e = encoder(requests, running);
        const Report report = figuresToday(e);
        const double atMost = running == Running::WithTraffic ? peakRequestsPerS(e.serving, e.plan)
                                                              : meanRequestsPerS(e.serving, e.plan);
        int limited = 0;
        for (std::size_t i = 0; i < kinds().size(); ++i) {
            const double sustained = kinds()[i].sustained;
            const Capacity& capacity = report.serving.capacities[i];
            if (sustained == 1 || !capacity.instances.isAvailable())
                continue;
            const double fullS = 1 / report.serving.forecasts[i].requestsPerS.value();
            const double busy = atMost * fullS / capacity.instances.value();
            QVERIFY2(busy <= sustained * 1.000001, kinds()[i].device.name.c_str());
            const std::string why = capacity.instances.how().sentence();
            const bool isLimited = why.find("keeps up") != std::string::npos;
            limited += isLimited;
            if (isLimited) // one fewer would be busier
                QVERIFY(atMost * fullS / (capacity.instances.value() - 1) > sustained);
            // The work is the same, however long it takes.
            QVERIFY(running == Running::WithTraffic ||
                    std::abs(capacity.busySeconds.value() / fullS - 1) < 1e-9);
            if (running == Running::AtOnce)
                QVERIFY(capacity.hours.value() * 3600 >=
                        0.999 * report.serving.requestsPerMonth * fullS / sustained);
        }
        QVERIFY(limited > 0 || requests < 1e6);
    }

    void nothingTrainsOnThem()
    {
        const Report report = figuresToday(encoder(1e4, Running::Always));
        int seen = 0;
        for (std::size_t i = 0; i < kinds().size(); ++i) {
            if (kinds()[i].sustained == 1)
                continue;
            ++seen;
            const TrainingForecast& forecast = report.training.forecasts[i];
            QVERIFY(!forecast.runSeconds.isAvailable());
            QVERIFY(forecast.note.text().find("% of its speed") != std::string_view::npos);
        }
        QVERIFY(seen > 3);
    }
};

OUTLAY_TEST(TestBurstable)
#include "tst_burstable.moc"
