// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The layouts that a search looks through, against a list made by asking of every one whether it is possible.
#include "core/hardware/layout.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace outlay::core;

namespace {

bool isPowerOfTwo(std::int64_t number)
{
    return number > 0 && (number & (number - 1)) == 0;
}

bool isAllowed(const std::optional<std::int64_t>& asked, std::int64_t value, bool otherwise)
{
    return asked ? *asked == value : otherwise;
}

/// By what the settings ask, what divides what, and what a search leaves alone.
bool isPossible(const TrainingDemand& demand, std::int64_t devices, std::int64_t inMachine,
                const Layout& l)
{
    const Training& t = demand.training;
    const bool isSearched = t.globalBatch && t.method == Method::Full;
    const auto blocks = static_cast<std::int64_t>(demand.blocks);
    const std::int64_t ofCopies = devices / l.context;
    const bool isEven = devices % l.context == 0 && ofCopies % (l.tensor * l.stages) == 0 &&
                        demand.heads % l.tensor == 0;
    const bool isTensor = isAllowed(t.tensorParallel, l.tensor,
                                    isSearched ? isPowerOfTwo(l.tensor) &&
                                                     l.tensor <= std::min(inMachine, demand.heads)
                                               : l.tensor == 1);
    const bool areStages = isAllowed(t.pipelineStages, l.stages,
                                     isSearched ? blocks % l.stages == 0 : l.stages == 1) &&
                           l.stages <= std::min(blocks, ofCopies / l.tensor);
    const bool mayTakeTurns = l.stages > 1 && !t.pipelineStages;
    const bool areChunks =
        l.stages == 1
            ? l.chunks == 1
            : isAllowed(t.pipelineChunks, l.chunks,
                        l.chunks == 1 || (mayTakeTurns && (l.chunks == 2 || l.chunks == 4))) &&
                  (l.chunks == 1 || blocks % (l.stages * l.chunks) == 0);
    const std::int64_t inStage = devices / l.stages;
    const bool areDivided = demand.experts % l.experts == 0 && inStage % l.experts == 0;
    const bool areExperts =
        t.expertParallel
            ? l.experts == *t.expertParallel && areDivided
            : l.experts == 1 || (isSearched && demand.experts > 0 && isPowerOfTwo(l.experts) &&
                                 areDivided && l.experts >= l.tensor);
    return isEven && isTensor && areStages && areChunks && areExperts && !l.isPlain();
}

std::vector<Layout> allPossible(const TrainingDemand& demand, std::int64_t devices,
                                std::int64_t inMachine)
{
    std::vector<Layout> all;
    const std::int64_t context = demand.training.contextParallel.value_or(1);
    for (std::int64_t tensor = 1; tensor <= 16; ++tensor) {
        for (std::int64_t stages = 1; stages <= 32; ++stages) {
            for (std::int64_t chunks = 1; chunks <= 4; ++chunks) {
                for (std::int64_t experts = 1; experts <= 16; ++experts) {
                    const Layout layout{.tensor = tensor,
                                        .stages = stages,
                                        .chunks = chunks,
                                        .context = context,
                                        .experts = experts};
                    if (isPossible(demand, devices, inMachine, layout))
                        all.push_back(layout);
                }
            }
        }
    }
    return all;
}

TrainingDemand randomDemand(std::mt19937_64& random)
{
    const auto oneOf = [&](std::initializer_list<std::int64_t> numbers) {
        std::uniform_int_distribution<std::size_t> place(0, numbers.size() - 1);
        return *(numbers.begin() + place(random));
    };
    const auto maybe = [&](std::int64_t value) {
        return oneOf({0, 0, 0, 1}) == 1 ? std::optional(value) : std::nullopt;
    };
    TrainingDemand demand;
    demand.blocks = static_cast<double>(oneOf({1, 6, 12, 24, 32}));
    demand.heads = oneOf({1, 8, 12, 16});
    demand.experts = oneOf({0, 0, 8, 16});
    demand.training.globalBatch =
        oneOf({0, 1, 1}) == 1 ? std::optional<std::int64_t>(512) : std::nullopt;
    demand.training.method = oneOf({0, 0, 0, 1}) == 1 ? Method::Lora : Method::Full;
    demand.training.tensorParallel = maybe(oneOf({1, 2, 3, 4}));
    demand.training.pipelineStages = maybe(oneOf({1, 2, 3, 4}));
    demand.training.pipelineChunks = maybe(oneOf({1, 2, 3}));
    demand.training.contextParallel = maybe(oneOf({1, 2}));
    demand.training.expertParallel = maybe(oneOf({1, 2, 4, 8}));
    return demand;
}

} // namespace

class TestSplitLayouts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void noneIsLeftOut()
    {
        std::mt19937_64 random(11);
        std::size_t found = 0;
        for (int i = 0; i < 400; ++i) {
            const TrainingDemand demand = randomDemand(random);
            const std::int64_t inMachine = std::int64_t{1} << (i % 4);
            const std::int64_t devices = inMachine << (i % 3);
            const std::vector<Layout> listed = splitLayouts(demand, devices, inMachine);
            const std::vector<Layout> all = allPossible(demand, devices, inMachine);
            QCOMPARE(listed.size(), all.size());
            for (const Layout& layout : all)
                QCOMPARE(std::count(listed.begin(), listed.end(), layout), 1);
            QVERIFY(std::is_sorted(listed.begin(), listed.end(), [](const auto& a, const auto& b) {
                return a.kinds() < b.kinds();
            }));
            found += listed.size();
        }
        QVERIFY(found > 1000);
    }
};

OUTLAY_TEST(TestSplitLayouts)
#include "tst_split_layouts.moc"
