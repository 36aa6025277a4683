// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/data_file.h"
#include "core/hardware/calibration.h"
#include "core/hardware/hardware_catalog.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay::core;

namespace {

const HardwareCatalog& catalog()
{
    return *hardwareCatalog();
}

Device named(const char* name)
{
    return catalog().device(name).value_or(Device{});
}

const char* const OneDevice = R"({"format": "outlay-hardware", "as_of": "2026", "sources": ["s"],
    "processors": [], "networks": [{"instances": ["x1.large"], "gbit_per_s": 100, "source": 0}],
    "burstable": [{"instances": ["x1.tiny"], "sustained": 0.25, "source": 0}],
    "part_of_socket": {"of_even_share": 2, "source": 0},
    "accelerators": [{"name": "X1", "source": 0)";

} // namespace

class TestHardwareCatalog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isRead()
    {
        QVERIFY2(hardwareCatalog(),
                 hardwareCatalog() ? "" : hardwareCatalog().error().sentence().c_str());
        QVERIFY(catalog().devices().size() >= 80);
        QVERIFY(catalog().processors().size() >= 8);
        QVERIFY(!catalog().asOf().empty());
    }

    void namesOfOffersAreFound_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("device");
        const std::array<std::array<const char*, 2>, 34> rows{
            {{"T4", "T4"},
             {"Tesla T4", "T4"},
             {"T4G", "T4"},
             {"nvidia-tesla-t4", "T4"},
             {"V100", "V100-SXM2-16GB"},
             {"V100-32GB", "V100-SXM2-32GB"},
             {"8x V100 16GB", "V100-SXM2-16GB"},
             {"A100", "A100-40GB-SXM4"},
             {"A100-40GB", "A100-40GB-SXM4"},
             {"A100-80GB", "A100-80GB-SXM4"},
             {"NVIDIA A100 80GB", "A100-80GB-SXM4"},
             {"A100-SXM4-80GB", "A100-80GB-SXM4"},
             {"A100 PCIe 80GB", "A100-80GB-PCIe"},
             {"H100", "H100-80GB-SXM5"},
             {"H100-80GB-MEGA", "H100-80GB-SXM5"},
             {"H100 80GB PCIe Gen5", "H100-80GB-PCIe"},
             {"H100 NVL", "H100-NVL"},
             {"H200-141GB", "H200-SXM"},
             {"B200", "B200"},
             {"A10G", "A10G"},
             {"A10", "A10"},
             {"L4", "L4"},
             {"L40S", "L40S"},
             {"L40", "L40"},
             {"RTX6000", "Quadro RTX 6000"},
             {"RTX6000-Ada", "RTX 6000 Ada"},
             {"RTX 6000 Ada 48GB", "RTX 6000 Ada"},
             {"RTXA6000", "RTX A6000"},
             {"A6000", "RTX A6000"},
             {"RTX4090", "RTX 4090"},
             {"4090 24GB", "RTX 4090"},
             {"Inferentia", "Inferentia1"},
             {"Trainium2", "Trainium2"},
             {"Radeon Pro V520", "Radeon Pro V520"}}};
        for (const auto& row : rows)
            QTest::newRow(row[0]) << row[0] << row[1];
    }
    void namesOfOffersAreFound()
    {
        QFETCH(QString, name);
        QFETCH(QString, device);
        const Device* found = catalog().find(name.toStdString());
        QVERIFY(found != nullptr);
        QCOMPARE(QString::fromStdString(found->name), device);
    }

    void everyNameFindsItself()
    {
        for (const Device& device : catalog().devices()) {
            const Device* found = catalog().find(device.name);
            QVERIFY2(found != nullptr && found->name == device.name, device.name.c_str());
        }
    }

    void whatIsNotKnownIsSaid()
    {
        for (const char* name : {"", "Z900", "MPS/CPU", "A1000"})
            QVERIFY(catalog().find(name) == nullptr);
        const auto missing = catalog().device("A100-81GB PCIx"); // has the word A100
        QVERIFY(missing);
        const auto typo = catalog().device("H10O");
        QVERIFY(!typo);
        QVERIFY(typo.error().sentence().find("did you mean") != std::string::npos);
    }

    // A typing error of 107 W, and power in kW, are what other tools have shipped.
    void powersAreSound()
    {
        for (const Device& d : catalog().devices()) {
            const PowerRange power = powerRange(d, 0.12);
            if (power.maxWatts <= 0) {
                QVERIFY(!power.note.empty());
                continue;
            }
            QVERIFY2(power.maxWatts > power.idleWatts && power.idleWatts > 0, d.name.c_str());
            QVERIFY2(power.maxWatts >= 40 && power.maxWatts <= 1500, d.name.c_str());
            if (d.tdpWatts && d.maxWatts)
                QVERIFY2(std::abs(*d.maxWatts / *d.tdpWatts - 1) <= 0.25, d.name.c_str());
        }
        for (const char* name : {"L4", "H100", "H200", "B200"}) // without figures elsewhere
            QVERIFY(powerRange(named(name), 0.12).maxWatts > 0);
    }

    void ratesAreSound()
    {
        for (const Device& d : catalog().devices()) {
            QVERIFY2(!d.source.empty() && !d.asOf.empty(), d.name.c_str());
            if (d.halfTflops && d.fp32Tflops)
                QVERIFY2(*d.halfTflops >= *d.fp32Tflops, d.name.c_str());
            if (d.memoryGbPerS)
                QVERIFY2(*d.memoryGbPerS >= 40 && *d.memoryGbPerS < 20000, d.name.c_str());
        }
    }

    // Sizes that other catalogs have wrong.
    void memoriesAreThoseOfTheVendors_data()
    {
        QTest::addColumn<double>("gigabytes");
        QTest::newRow("T4") << 16.0;
        QTest::newRow("A100-40GB") << 40.0;
        QTest::newRow("A100-80GB") << 80.0;
        QTest::newRow("H100") << 80.0;
        QTest::newRow("H200") << 141.0;
        QTest::newRow("B200") << 180.0;
    }
    void memoriesAreThoseOfTheVendors()
    {
        QFETCH(double, gigabytes);
        QCOMPARE(named(QTest::currentDataTag()).memoryGb.value_or(0), gigabytes);
    }

    void ratesAreDense()
    {
        QCOMPARE(peakRate(named("H100"), Precision::Bf16).flopsPerS, 989.4e12); // 1,979 is sparse
        QCOMPARE(peakRate(named("A10G"), Precision::Fp16).flopsPerS, 70e12);    // 125 is the A10's
        QCOMPARE(peakRate(named("H100"), Precision::Fp32).flopsPerS, 66.9e12);
        QCOMPARE(peakRate(named("H100"), Precision::Tf32).flopsPerS, 494.7e12);
    }

    void whatADeviceLacksIsSaid()
    {
        for (const char* name : {"T4", "V100"}) {
            const Device d = named(name);
            const PeakRate rate = peakRate(d, Precision::Bf16);
            QCOMPARE(rate.flopsPerS, *d.fp32Tflops * 1e12);
            QVERIFY(rate.note.text().find("no bf16") != std::string::npos);
            QVERIFY(peakRate(d, Precision::Tf32).note.text().find("no tf32") != std::string::npos);
            QVERIFY(peakRate(d, Precision::Fp16).note.empty());
        }
        QVERIFY(peakRate(named("A100"), Precision::Bf16).note.empty());
        QCOMPARE(peakRate(named("Radeon Pro V520"), Precision::Fp32).flopsPerS, 0.0);
        QVERIFY(peakRate(named("TPU v4"), Precision::Fp32).flopsPerS > 0);
    }

    void servedWeightsMultiplyIn16Bits()
    {
        const Device d = named("A100");
        const double half = peakRate(d, ServingPrecision::Fp16).flopsPerS;
        QCOMPARE(peakRate(d, ServingPrecision::Int8).flopsPerS, half);
        QCOMPARE(peakRate(d, ServingPrecision::Int4).flopsPerS, half);
        QCOMPARE(peakRate(d, ServingPrecision::Fp32).flopsPerS, 19.5e12);
    }

    // A family's machines compute as its processor does, whatever the provider's way to name them.
    void familiesHaveTheirProcessors_data()
    {
        QTest::addColumn<QString>("instance");
        QTest::addColumn<QString>("processor");
        QTest::addColumn<double>("gflopsPerVcpu");
        QTest::newRow("aws") << "c6i.4xlarge"
                             << "Xeon Platinum 8375C" << 112.0;
        QTest::newRow("arm") << "t4g.medium"
                             << "Graviton2" << 40.0;
        QTest::newRow("old") << "x1e.8xlarge"
                             << "E7-8880 v3" << 36.8;
        QTest::newRow("gcp") << "n2-highmem-8"
                             << "8373C" << 108.8;
        QTest::newRow("gcp, amd") << "n2d-standard-2"
                                  << "7B13" << 44.8;
        QTest::newRow("gcp, not aws") << "c4-standard-2"
                                      << "8581C" << 99.2;
        QTest::newRow("no watts listed") << "t2d-standard-4"
                                         << "one vCPU a core" << 89.6;
        QTest::newRow("azure") << "Standard_D8s_v5"
                               << "8473C" << 112.0;
        QTest::newRow("azure, amd") << "Standard_D2as_v5"
                                    << "7763v" << 39.2;
        QTest::newRow("azure, burstable") << "Standard_B2ms"
                                          << "E5-2673 v4" << 36.8;
        QTest::newRow("azure, compute") << "Standard_F16s_v2"
                                        << "8272CL" << 108.8;
    }
    void familiesHaveTheirProcessors()
    {
        QFETCH(QString, instance);
        QFETCH(QString, processor);
        QFETCH(double, gflopsPerVcpu);
        const Device device = catalog().processorsOf(instance.toStdString(), 8, 32);
        QVERIFY2(device.name.find(processor.toStdString()) != std::string::npos,
                 device.name.c_str());
        QVERIFY(std::abs(*device.fp32Tflops - 8 * gflopsPerVcpu / 1000) < 1e-9);
        QVERIFY(device.memoryGbPerS.value_or(0) > 0);
        QVERIFY(device.idleWatts.value_or(0) > 0 && device.maxWatts > device.idleWatts);
    }

    void processorsScaleWithTheirVcpus()
    {
        const Device four = catalog().processorsOf("c7i.xlarge", 4, 8);
        const Device eight = catalog().processorsOf("c7i.2xlarge", 8, 16);
        QVERIFY(four.name.find("8488C") != std::string::npos);
        QCOMPARE(four.kind, DeviceKind::Cpu);
        QCOMPARE(*eight.fp32Tflops, 2 * *four.fp32Tflops);
        QCOMPARE(*eight.maxWatts, 2 * *four.maxWatts);
        // A part of a socket reads more than its even share, all of it no more than it has.
        QCOMPARE(*eight.memoryGbPerS, 2 * *four.memoryGbPerS);
        const auto perVcpu = [&](double vcpus) {
            return *catalog().processorsOf("c7i.metal", vcpus, {}).memoryGbPerS / vcpus;
        };
        QVERIFY(perVcpu(4) > 1.5 * perVcpu(96));
        QCOMPARE(perVcpu(64), 1.5 * perVcpu(96));
        QCOMPARE(perVcpu(192), perVcpu(96));
        const Device unknown = catalog().processorsOf("Standard_D4s_v3", 4, {});
        QVERIFY(unknown.name.find("typical") != std::string::npos);
        QVERIFY(*unknown.fp32Tflops > 0.05 && *unknown.fp32Tflops < 1);
        QVERIFY(unknown.memoryGbPerS && !unknown.memoryGb);
    }

    void brokenFilesAreNamed_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("part");
        const QString start = OneDevice;
        QTest::newRow("no JSON") << "{"
                                 << "x.json";
        QTest::newRow("other format") << R"( {"format": "a", "as_of": "b", "sources": ["c"]})"
                                      << "/format";
        QTest::newRow("no sources")
            << R"( {"format": "outlay-hardware", "as_of": "b", "sources": []})"
            << "no source is named";
        QTest::newRow("no list")
            << R"( {"format": "outlay-hardware", "as_of": "b", "sources": ["c"]})"
            << "/accelerators";
        QTest::newRow("negative") << start + R"(, "tdp_w": -5}]})"
                                  << "/accelerators/0/tdp_w";
        QTest::newRow("kind") << start + R"(, "kind": "toaster"}]})"
                              << "/accelerators/0/kind";
        QTest::newRow("network") << QString(start).replace("100", "-1") + "}]}"
                                 << "/networks/0/gbit_per_s";
        QTest::newRow("part") << QString(start).replace("_share\": 2", "_share\": 0.5") + "}]}"
                              << "/part_of_socket/of_even_share";
        QTest::newRow("source") << QString(start).replace("\"X1\", \"source\": 0",
                                                          "\"X1\", \"source\": 1") +
                                       "}]}"
                                << "/accelerators/0/source";
    }
    void brokenFilesAreNamed()
    {
        QFETCH(QString, text);
        QFETCH(QString, part);
        const auto read = HardwareCatalog::create(text.toStdString(), "x.json");
        QVERIFY(!read);
        QVERIFY2(read.error().sentence().find(part.toStdString()) != std::string::npos,
                 read.error().sentence().c_str());
    }

    void aSoundFileIsRead()
    {
        const auto read = HardwareCatalog::create(std::string(OneDevice) + "}]}", "x.json");
        QVERIFY(read);
        QCOMPARE(read->devices().front().source, std::string("s"));
        QCOMPARE(read->networkGbPerS("x1.large"), std::optional(12.5));
        QVERIFY(!read->networkGbPerS("x1"));
        QCOMPARE(read->sustainedShare("x1.tiny"), 0.25);
        QCOMPARE(read->sustainedShare("x1.large"), 1.0);
    }

    void theCalibrationIsRead()
    {
        QVERIFY2(calibration(), calibration() ? "" : calibration().error().sentence().c_str());
        QVERIFY(!calibration()->how.empty());
        // Every generation of the catalog has a row, so none falls back unseen.
        for (const Device& d : catalog().devices()) {
            const std::string& found = calibration()->ratesOf(d.generation).generation;
            QVERIFY2(found == d.generation || d.generation == "other", d.name.c_str());
        }
        QCOMPARE(calibration()->ratesOf("none such").generation, std::string("other"));
        QVERIFY(!readCalibration(R"({"how": "x", "as_of": "y", "generations": []})", "c"));
        QVERIFY(!readCalibration(R"({"how": "x", "as_of": "y", "generations":
            [{"generation": "a", "products": 0}]})",
                                 "c"));
    }
};

OUTLAY_TEST(TestHardwareCatalog)
#include "tst_hardware_catalog.moc"
