// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Several copies of a model in one machine, which answer beside each other.
#include "core/experiment/presets.h"
#include "core/hardware/forecast.h"
#include "core/hardware/hardware_catalog.h"
#include "pricing/report/machine_devices.h"
#include "pricing/report/offers/capacity.h"
#include "tests/support/near.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay;
using namespace outlay::core;
using outlay::tests::isNear;
using pricing::Capacity;
using pricing::Traffic;

namespace {

ServingForecast encoderOn(std::int64_t count)
{
    const Experiment e = preset("bert-base")->experiment;
    return servingForecast(servingDemand(e.model, expand(e.model), e.serving),
                           {*hardwareCatalog()->find("T4"), count, *calibration()});
}

Traffic traffic(double peakPerS, double batch)
{
    return {.peakPerS = peakPerS,
            .meanPerS = peakPerS / 2,
            .promises = {.answerS = 1},
            .batch = batch,
            .p95OverMedian = 1.2};
}

} // namespace

class TestCopies : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Four copies are four times as many at once: as many machines, and as long a wait, as with four times the batch.
    void aMachineAnswersOnEach()
    {
        const ServingForecast one = encoderOn(1);
        const ServingForecast four = encoderOn(4);
        QCOMPARE(four.copies, std::int64_t{4});
        QVERIFY(isNear(four.latencyMs.value(), one.latencyMs.value()));
        for (const double loadOfOne : {0.5, 3.0, 40.0}) {
            const double perS = loadOfOne * one.requestsPerS.value();
            const Capacity onFour = capacityOf(traffic(perS, 1), four);
            const Capacity atOnce = capacityOf(traffic(perS, 4), one);
            const Capacity onOne = capacityOf(traffic(perS, 1), one);
            QCOMPARE(onFour.instances.value(), atOnce.instances.value());
            QVERIFY(isNear(onFour.p95Ms.value(), atOnce.p95Ms.value()));
            QVERIFY(isNear(4 * onFour.busySeconds.value(), onOne.busySeconds.value()));
            QVERIFY(onFour.instances.value() <= std::ceil(onOne.instances.value() / 4));
        }
    }

    // Accelerators that differ in memory alone hold other numbers of copies.
    void memoryMakesAnotherKind()
    {
        const Device t4 = *hardwareCatalog()->find("T4");
        Device small = t4;
        small.memoryGb = 8;
        std::vector<pricing::MachineKind> kinds{
            {.device = t4, .count = 4}, {.device = small, .count = 4}, {.device = t4, .count = 4}};
        QVERIFY(!isTwin(kinds, 0) && !isTwin(kinds, 1) && isTwin(kinds, 2));
        for (pricing::MachineKind& kind : kinds) {
            kind.device.kind = DeviceKind::Cpu; // which only have to hold it
            kind.count = 1;
        }
        QVERIFY(isTwin(kinds, 1));
    }
};

OUTLAY_TEST(TestCopies)
#include "tst_copies.moc"
