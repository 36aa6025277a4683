// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A program on another accelerator by the rates of both alone, beside models that were measured on two.
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/hardware/by_rates.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace outlay::core;

namespace {

Device named(std::string_view name)
{
    return hardwareCatalog()->device(name).value();
}

} // namespace

class TestByRates : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void publishedPairsLieInside()
    {
        const auto times = timesAsFast(named("RTX 3090"), named("RTX 4090"));
        QVERIFY(times.isAvailable());
        const auto text = loadFile(OUTLAY_TEST_DATA "/published_gpu_pairs.csv");
        QVERIFY(text);
        std::vector<double> misses;
        double inside = 0;
        for (const std::string& line : split(*text, '\n')) {
            const std::vector<std::string> cells = split(line, ',');
            const auto first = cells.size() == 4 ? numberIn(cells[2]) : std::nullopt;
            const auto second = cells.size() == 4 ? numberIn(cells[3]) : std::nullopt;
            if (!first || !second)
                continue;
            const double measured = *second / *first;
            misses.push_back(std::abs(times.value() / measured - 1));
            inside += times.low() <= measured && measured <= times.high() ? 1 : 0;
        }
        QCOMPARE(misses.size(), std::size_t{60});
        std::nth_element(misses.begin(), misses.begin() + 30, misses.end());
        QVERIFY2(misses[30] < 0.2, qPrintable(QString::number(misses[30])));
        const double share = inside / 60;
        QVERIFY2(share >= 0.72 && share <= 0.92, qPrintable(QString::number(share)));
    }

    // There and back is where it began, and further apart is less sure.
    void bothWaysAgree()
    {
        for (const Device& from : hardwareCatalog()->devices()) {
            for (const Device& to : hardwareCatalog()->devices()) {
                const auto there = timesAsFast(from, to);
                const auto back = timesAsFast(to, from);
                QCOMPARE(there.isAvailable(), back.isAvailable());
                if (!there.isAvailable())
                    continue;
                QVERIFY(std::abs(there.value() * back.value() - 1) < 1e-9);
                QVERIFY(std::abs(there.low() * back.high() - 1) < 1e-9);
                QVERIFY(there.low() * 1.5 < there.high());
                const double memory = *to.memoryGbPerS / *from.memoryGbPerS;
                const double products = *to.halfTflops / *from.halfTflops;
                QVERIFY(there.value() >= std::min(memory, products) * (1 - 1e-9));
                QVERIFY(there.value() <= std::max(memory, products) * (1 + 1e-9));
            }
        }
    }

    void othersOfItsKindAlone()
    {
        const auto others = onOthers(*hardwareCatalog(), "NVIDIA H100 80GB HBM3");
        QVERIFY(others.size() > 10);
        QVERIFY(std::is_sorted(others.begin(), others.end(), [](const auto& a, const auto& b) {
            return a.times.value() > b.times.value();
        }));
        for (const OnAnother& other : others) {
            const Device device = named(other.device);
            QCOMPARE(device.vendor, named("H100").vendor);
            QVERIFY(device.kind == DeviceKind::Gpu && !device.servesOnly);
            QVERIFY(other.device != "H100");
        }
        QVERIFY(onOthers(*hardwareCatalog(), "an NVIDIA accelerator").empty());
        QVERIFY(onOthers(*hardwareCatalog(), "").empty());
        QVERIFY(
            !timesAsFast(named("H100"), hardwareCatalog()->processorsOf("", 8, {})).isAvailable());
    }
};

OUTLAY_TEST(TestByRates)
#include "tst_by_rates.moc"
