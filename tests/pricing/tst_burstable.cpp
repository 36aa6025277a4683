// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Machines that keep up a share of their speed: services have enough of them, and nothing trains there.
#include "core/experiment/presets.h"
#include "pricing/report/machine_devices.h"
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
