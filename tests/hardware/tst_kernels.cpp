// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The laws of kernels: against published timings, against counts one by one, and in proportion.
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/experiment/presets.h"
#include "core/hardware/attainable.h"
#include "core/hardware/hardware_catalog.h"
#include "core/probe/statistics.h"
#include "tests/support/kernel_laws.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>
#include <map>
#include <random>

using namespace outlay;
using namespace outlay::core;
using tests::Peaks;

namespace {

/// A line of the data: peaks, link, six sizes, microseconds.
struct TimedKernel {
    std::string kind;
    std::string system;
    std::array<double, 10> numbers{};

    [[nodiscard]] double size(std::size_t i) const { return numbers.at(3 + i); }
    [[nodiscard]] double seconds() const { return numbers.back() * 1e-6; }
};

std::vector<TimedKernel> timings()
{
    std::vector<TimedKernel> all;
    for (const std::string& line :
         split(loadFile(OUTLAY_TEST_DATA "/published_kernels.csv").value(), '\n')) {
        const auto cells = split(line, ',');
        TimedKernel timing{.kind = cells.front(), .system = cells.size() > 1 ? cells[1] : ""};
        if (cells.size() != timing.numbers.size() + 2 || timing.kind == "kind")
            continue;
        for (std::size_t i = 0; i < timing.numbers.size(); ++i)
            timing.numbers.at(i) = std::strtod(cells[i + 2].c_str(), nullptr);
        all.push_back(timing);
    }
    return all;
}

tests::KernelConstants constantsWith(const KernelRates& rates)
{
    tests::KernelConstants constants;
    constants.program = rates;
    return constants;
}

double forecastOf(const TimedKernel& t, const KernelRates& rates)
{
    const tests::ListedSystem system = tests::listed(t.system);
    const Peaks peaks{.flopsPerS = t.numbers[0],
                      .bytesPerS = t.numbers[1],
                      .fp32FlopsPerS = system.fp32FlopsPerS,
                      .latencies = KernelsGhz / system.ghz,
                      .units = system.units,
                      .cacheBytes = system.cacheBytes};
    if (t.kind == "prompt") {
        return tests::promptSeconds({.shape = {.batch = t.size(0),
                                               .queries = t.size(1),
                                               .heads = t.size(2),
                                               .headSize = t.size(4)},
                                     .cacheHeads = t.size(3)},
                                    peaks, constantsWith(rates));
    }
    if (t.kind == "sum")
        return exchangeSeconds(
            {.devices = t.size(0), .bytes = t.size(1)},
            speedOf(calibration()->ratesOfLink(t.numbers[2] / 1e9), t.numbers[2]));
    if (t.kind == "chunks" || t.kind == "position")
        return tests::gatedCallSeconds({.batch = t.size(0),
                                        .positions = t.size(1),
                                        .keyHeads = t.size(2),
                                        .heads = t.size(3),
                                        .key = t.size(4),
                                        .value = t.size(5)},
                                       peaks, constantsWith(rates));
    const bool isHalf = t.kind == "half";
    const Peaks narrow = isHalf ? peaks : tests::narrowed(peaks, system, *calibration());
    return tests::productSeconds({.rows = t.size(0),
                                  .columns = t.size(1),
                                  .inner = t.size(2),
                                  .valueBytes = isHalf ? 2.0 : 1.0},
                                 narrow, isHalf ? rates.half : rates.fp8);
}

} // namespace

class TestKernels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void publishedTimings_data()
    {
        QTest::addColumn<double>("worstMedian");
        QTest::newRow("half") << 0.17;
        QTest::newRow("fp8") << 0.25;
        QTest::newRow("prompt") << 0.27;
        QTest::newRow("sum") << 0.25;
        QTest::newRow("chunks") << 0.3;
        QTest::newRow("position") << 0.2;
    }
    // A sample of what the constants were fitted to: the law, its constants and their units still belong together.
    void publishedTimings()
    {
        QFETCH(double, worstMedian);
        std::vector<double> misses;
        for (const TimedKernel& t : timings()) {
            if (t.kind == QTest::currentDataTag())
                misses.push_back(std::abs(forecastOf(t, calibration()->kernels) / t.seconds() - 1));
        }
        QVERIFY(misses.size() >= 40);
        QVERIFY2(median(misses) < worstMedian, std::to_string(median(misses)).c_str());
    }

    // Half the clock doubles what is waited for on the device, and nothing else; an unlisted one is that of the constants.
    void launchesWaitForClocks()
    {
        Device fast = *hardwareCatalog()->find("A100-80GB-SXM4");
        fast.clockGhz = KernelsGhz;
        Device slow = fast;
        slow.clockGhz = KernelsGhz / 2;
        Device unlisted = fast;
        unlisted.clockGhz.reset();
        const auto reach = [](const Device& device) {
            return attainableOf(device, Training{.precision = Precision::Bf16}, *calibration());
        };
        const Attainable at = reach(fast);
        QVERIFY(at.launchS > 0 && at.attention && at.attention->callS > 0);
        QCOMPARE(reach(slow).launchS, 2 * at.launchS);
        QCOMPARE(reach(slow).attention->callS, 2 * at.attention->callS);
        QCOMPARE(reach(slow).flopsPerS, at.flopsPerS);
        QCOMPARE(reach(slow).bytesPerS, at.bytesPerS);
        QCOMPARE(reach(slow).hostS, at.hostS);
        QCOMPARE(reach(unlisted).launchS, at.launchS);
        for (const Device& device : hardwareCatalog()->devices()) {
            const bool isListed = device.clockGhz && *device.clockGhz > 0.7 && *device.clockGhz < 3;
            QVERIFY2(isListed || (!device.clockGhz && device.vendor != "NVIDIA"),
                     device.name.c_str());
        }
        // The constants were fitted with the clocks that they are used with.
        for (const auto& [system, device] :
             {std::pair{"a100_sxm", "A100-80GB-SXM4"}, std::pair{"h100_sxm", "H100-80GB-SXM5"},
              std::pair{"l40s", "L40S"}, std::pair{"b200_sxm", "B200"}}) {
            QCOMPARE(tests::listed(system).ghz, *hardwareCatalog()->find(device)->clockGhz);
            QCOMPARE(tests::listed(system).units, *hardwareCatalog()->find(device)->units);
            QCOMPARE(std::string(tests::listed(system).device), std::string(device));
            QCOMPARE(tests::listed(system).fp32FlopsPerS,
                     *hardwareCatalog()->find(device)->fp32Tflops * 1e12);
        }
    }

    void pairsAreThoseThatMeet()
    {
        std::mt19937_64 random(3);
        std::uniform_int_distribution<int> sizes(0, 40);
        for (int i = 0; i < 300; ++i) {
            const int queries = sizes(random) + 1;
            const int past = sizes(random);
            const int window = sizes(random);
            double met = 0;
            for (int position = past; position < past + queries; ++position) {
                for (int seen = 0; seen <= position; ++seen)
                    met += window == 0 || position - seen < window ? 1 : 0;
            }
            const AttentionShape shape{.queries = static_cast<double>(queries),
                                       .past = static_cast<double>(past),
                                       .window = static_cast<double>(window)};
            QCOMPARE(shape.pairs(), met);
        }
    }

    void smallProductsAreSlower()
    {
        const ProductRates rates{
            .rowsToHalf = 100, .columnsToHalf = 50, .innerToHalf = 20, .resultsToHalf = 3};
        constexpr double Endless = 1e15;
        QCOMPARE(smallness(rates, 100, Endless, Endless), 2.0);
        QCOMPARE(smallness(rates, Endless, 50, Endless), 2.0);
        QCOMPARE(smallness(rates, Endless, Endless, 20), 2.0);
        const ProductRates results{.rowsToHalf = 0, .columnsToHalf = 0, .resultsToHalf = 3};
        QCOMPARE(smallness(results, 60, 50, 7), 2.0);
    }

    // As the source of the kernels chooses: a generation, rows, columns; rows and columns of a tile.
    void tilesAreThoseOfTheKernels()
    {
        struct Row {
            const char* generation;
            double rows, columns;
            double tileRows, tileColumns;
        };
        constexpr std::array Rows{
            Row{"ada", 1, 8192, 16, 64},           Row{"ada", 1, 8193, 32, 64},
            Row{"ada", 16, 4096, 16, 64},          Row{"ada", 16, 16384, 32, 64},
            Row{"ada", 16, 16385, 16, 64},         Row{"ada", 64, 16384, 32, 64},
            Row{"ada", 64, 16385, 16, 64},         Row{"ada", 65, 128, 64, 64},
            Row{"ada", 128, 20000, 32, 64},        Row{"ada", 256, 8192, 128, 64},
            Row{"ada", 256, 16384, 64, 128},       Row{"ada", 256, 16385, 128, 64},
            Row{"ada_geforce", 257, 64, 128, 128}, Row{"hopper", 1, 128, 64, 64},
            Row{"hopper", 256, 128, 64, 64},       Row{"hopper", 257, 128, 128, 128},
            Row{"blackwell", 64, 64, 64, 64},      Row{"blackwell", 65, 64, 128, 128},
            Row{"blackwell", 257, 64, 256, 128},   Row{"blackwell_rtx", 1, 64, 128, 128},
        };
        for (const Row& row : Rows) {
            const tests::Tile tile =
                tests::tileOf(tests::tileChoiceOf(row.generation), row.rows, row.columns);
            QCOMPARE(tile.rows, row.tileRows);
            QCOMPARE(tile.columns, row.tileColumns);
        }
    }

    void tilesHoldAllResults()
    {
        std::mt19937_64 random(5);
        std::uniform_int_distribution<int> sizes(1, 3000);
        for (int i = 0; i < 300; ++i) {
            const int rows = sizes(random);
            const int columns = sizes(random);
            const auto choice = static_cast<tests::TileChoice>(i % 4);
            const tests::Tile tile = tests::tileOf(choice, rows, columns);
            int count = 0;
            for (double row = 0; row < rows; row += tile.rows) {
                for (double column = 0; column < columns; column += tile.columns)
                    ++count;
            }
            const tests::Tiles tiles = tests::tilesOf(choice, rows, columns);
            QCOMPARE(tiles.count, static_cast<double>(count));
            QCOMPARE(tiles.filled * rows * columns, count * tile.rows * tile.columns);
        }
    }

    // An H20 has 78 units to ask for what its memory could give; an H100 has enough of them.
    void fewUnitsReadLess()
    {
        const Experiment e = preset("llama-3.1-8b")->experiment;
        Serving serving;
        serving.precision = ServingPrecision::Bf16;
        serving.engine = Engine::Vllm;
        const ServingDemand demand = servingDemand(e.model, LayerKinds(expand(e.model)), serving);
        const auto on = [&](const char* device) {
            return requestRatesOf(*hardwareCatalog()->find(device), demand, *calibration());
        };
        const double unit = calibration()->ratesOf("hopper").unitGbPerS * 1e9;
        QVERIFY(unit > 20e9 && unit < 40e9);
        QCOMPARE(on("H20").token.bytesPerS, 78 * unit);
        QVERIFY(on("H20").prompt.bytesPerS > 1.2 * 78 * unit);
        QCOMPARE(on("H100-80GB-SXM5").token.bytesPerS, on("H100-80GB-SXM5").prompt.bytesPerS);
    }

    // A card of half the power reaches half of its products, in 8 bits as in 16; one that isn't known to lack any, all.
    void powerLimitsNarrowProducts()
    {
        const Experiment e = preset("llama-3.1-8b")->experiment;
        const LayerKinds layers(expand(e.model));
        const auto reached = [&](const Device& device, ServingPrecision precision) {
            Serving serving;
            serving.precision = precision;
            serving.engine = Engine::Vllm;
            return requestRatesOf(device, servingDemand(e.model, layers, serving), *calibration())
                .prompt.flopsPerS;
        };
        for (const ServingPrecision precision : {ServingPrecision::Bf16, ServingPrecision::Fp8}) {
            Device scarce = *hardwareCatalog()->find("L40S");
            const double now = reached(scarce, precision);
            scarce.tdpWatts = *scarce.tdpWatts / 2;
            QCOMPARE(reached(scarce, precision), now / 2);
            Device plenty = *hardwareCatalog()->find("H100-80GB-SXM5");
            const double all = reached(plenty, precision);
            plenty.tdpWatts = *plenty.tdpWatts / 2;
            QCOMPARE(reached(plenty, precision), all);
        }
    }

    void exchangesGrowWithWhatTheyMove()
    {
        const LinkSpeed link = speedOf(calibration()->kernels.links, 300e9);
        double before = 0;
        for (double bytes = 1; bytes < 1e10; bytes *= 4) {
            const double now = exchangeSeconds({.devices = 8, .bytes = bytes}, link);
            QVERIFY(now > before);
            QVERIFY(now < exchangeSeconds({.devices = 8, .bytes = bytes},
                                          speedOf(calibration()->kernels.buses, 32e9)));
            before = now;
        }
        QCOMPARE(exchangeSeconds({.devices = 1, .bytes = 1e9}, link), 0.0);
    }

    // What reads half of the bytes and multiplies twice as fast, where there are units for it; else in 16 bits.
    void fp8HasItsOwnUnits()
    {
        const Device* with = hardwareCatalog()->find("H100-80GB-SXM5");
        const Device* without = hardwareCatalog()->find("A100-80GB-SXM4");
        QVERIFY(with != nullptr && without != nullptr);
        const PeakRate fast = peakRate(*with, ServingPrecision::Fp8);
        QCOMPARE(fast.arithmetic, Arithmetic::Fp8);
        QVERIFY(fast.flopsPerS > 1.9 * peakRate(*with, ServingPrecision::Fp16).flopsPerS);
        QVERIFY(fast.note.empty());
        const PeakRate widened = peakRate(*without, ServingPrecision::Fp8);
        QCOMPARE(widened.flopsPerS, peakRate(*without, ServingPrecision::Fp16).flopsPerS);
        QVERIFY(widened.note.text().find("no fp8 rate is listed") != std::string::npos);
    }
};

OUTLAY_TEST(TestKernels)
#include "tst_kernels.moc"
