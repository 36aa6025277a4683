// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Trainings of which a part waits in the memory of rented machines: that has to be there.
#include "core/base/units.h"
#include "pricing/report/sections.h"
#include "tests/support/reports.h"

#include <QTest>

#include <cmath>

using namespace outlay::core;
using namespace outlay::pricing;
using outlay::tests::experimentOf;
using outlay::tests::Today;

namespace {

/// Everything of 8 B on machines of one provider.
Experiment offloaded(Offload offload)
{
    Experiment e = experimentOf("llama-3.1-8b");
    e.training = outlay::tests::wholeTuning();
    e.training.offload = offload;
    e.serving.requestsPerDay = 0;
    return e;
}

} // namespace

class TestOffloaded : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Beside what the devices have each machine is asked for its own, and nobody's word is taken for it.
    void machinesHaveWhatWaits()
    {
        const Report report = makeReport(offloaded(Offload::Weights), Today);
        const double usable = Today.calibration().host.usableMemory;
        int held = 0;
        int small = 0;
        int unknown = 0;
        for (const Option& option : report.training.options) {
            const TrainingForecast& f = report.training.forecasts[option.forecast];
            const Machine& machine = Today.book().machine(Today.book().rows()[option.row]);
            if (!f.hostMemory || f.fits != Fits::Yes) {
                QVERIFY(machine.accelerator.empty() || f.fits != Fits::Yes);
                continue;
            }
            const double needs = f.hostMemory->value();
            const auto has = machine.memoryGb;
            const Fits expected = !has                                  ? Fits::Unknown
                                  : needs <= usable * *has * BytesPerGb ? Fits::Yes
                                                                        : Fits::No;
            QVERIFY2(option.fits == expected, machine.instance.c_str());
            held += expected == Fits::Yes ? 1 : 0;
            unknown += expected == Fits::Unknown ? 1 : 0;
            if (expected != Fits::No)
                continue;
            if (small++ == 0) {
                const OptionText text = trainingOptionText(report, Today, option);
                QVERIFY(std::any_of(text.why.begin(), text.why.end(), [](const std::string& why) {
                    return why.find("machine's own memory of") != std::string::npos;
                }));
            }
        }
        QVERIFY(held > 0 && small > 0 && unknown > 0);
        QVERIFY(report.training.recommended.option->hostMemory->value() > 120 * Giga);
    }

    // What one machine's memory doesn't hold more of them divide.
    void moreMachinesHaveMoreMemory()
    {
        Experiment e = experimentOf("llama-3.1-70b-qlora");
        auto& design = std::get<TransformerDesign>(e.model.design);
        design.layers = 190;
        e.training.method = Method::Full;
        e.training.offload = Offload::Weights;
        e.training.tokens = 1e6;
        e.serving.requestsPerDay = 0;
        const Report report = makeReport(e, Today);
        const auto& option = report.training.recommended.option;
        QVERIFY(option && !option->offer.machine.accelerator.empty());
        QVERIFY(option->instances.value() > 1);
        QVERIFY(option->hostMemory->value() <=
                Today.calibration().host.usableMemory * *option->offer.machine.memoryGb * Giga);
        // And no card holds it alone, whatever is at work there: no machine has so much beside one.
        for (const LadderRow& row : report.scaling.ladder.rows)
            QVERIFY(row.devices.front().value_or(8) > 1);
    }

    // A few long samples in a step: each is shared by more devices than a machine has.
    void longSamplesAreSharedByMachines()
    {
        Experiment e = experimentOf("llama-3.1-8b-lora");
        e.training.sequence = 1 << 20;
        e.training.batch = 1;
        e.training.globalBatch = 2;
        e.plan.maxMachines = 16;
        e.serving.requestsPerDay = 0;
        const auto& option = makeReport(e, Today).training.recommended.option;
        QVERIFY(option && option->fits == "yes");
        QVERIFY(option->layout.context > 8 && option->instances.value() > 1);
        QVERIFY(std::any_of(option->why.begin(), option->why.end(), [](const std::string& why) {
            return why.find("context parallel") != std::string::npos;
        }));
        for (const std::string& why : option->why)
            QVERIFY2(why.front() < 'a' || why.front() > 'z', why.c_str());
    }

    void itIsSaid()
    {
        const auto jsonOf = [](Offload offload) {
            return toJson(makeReport(offloaded(offload), Today), Today);
        };
        const Json with = jsonOf(Offload::Optimizer);
        const Json* option = with.find("training")->find("recommended")->find("option");
        QVERIFY(option != nullptr && option->find("host_memory") != nullptr);
        QCOMPARE(*option->find("offload")->asString(), std::string("optimizer"));
        const Json* rows = with.find("scaling")->find("layouts")->find("rows");
        QVERIFY(rows != nullptr && rows->asArray()->front().find("host_memory") != nullptr);
        const std::string text = writeJson(jsonOf(Offload::None));
        QVERIFY(text.find("host_memory") == std::string::npos);
    }

    // How fast the update is follows from the machines of a kind: half of them have no more processors.
    void machinesUpdateWithWhatTheyHave()
    {
        const auto& kinds = Today.devices().kinds();
        const auto& table = Today.book().table();
        int checked = 0;
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            if (!kinds[k].hostVcpus)
                continue;
            int fewer = 0;
            int more = 0;
            int same = 0;
            for (std::size_t m = 0; m < table.machines.size(); ++m) {
                const MachineKind& its =
                    kinds[Today.devices().kindOf(static_cast<std::uint32_t>(m))];
                const auto& vcpus = table.machines[m].vcpus;
                if (its.twin != kinds[k].twin || !vcpus || table.machines[m].accelerator.empty())
                    continue;
                fewer += *vcpus < *kinds[k].hostVcpus ? 1 : 0;
                same += *vcpus == *kinds[k].hostVcpus ? 1 : 0;
                more += *vcpus > *kinds[k].hostVcpus ? 1 : 0;
            }
            QVERIFY(same > 0 && std::abs(fewer - more) <= same);
            ++checked;
        }
        QVERIFY(checked > 20);
    }
};

OUTLAY_TEST(TestOffloaded)
#include "tst_offloaded.moc"
