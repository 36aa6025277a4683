// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What requests are like: the published percentiles come back, and nothing else of an experiment changes.
#include "core/base/log_normal.h"
#include "core/experiment/mixes.h"
#include "core/experiment/presets.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <array>
#include <cmath>
#include <set>

using namespace outlay::core;

namespace {

struct Counted {
    std::string_view id;
    std::array<double, 2> input; // half and nine tenths of them are at most so long
    std::array<double, 2> output;
};

// arXiv 2403.02310, table 2; arXiv 2503.22562, table 2.
constexpr std::array Published{Counted{"chat", {1730, 5696}, {415, 834}},
                               Counted{"retrieval", {7059, 12985}, {208, 371}},
                               Counted{"batch", {1930, 6251}, {8, 43}}};

bool isAlike(const MixLength& length, const std::array<double, 2>& counted)
{
    const LogNormal law(static_cast<double>(length.mean), length.spread);
    constexpr double At90 = 1.2816;
    const auto isNear = [](double a, double b) { return std::abs(a / b - 1) < 0.02; };
    return isNear(law.at(0), counted[0]) && isNear(law.at(At90), counted[1]);
}

} // namespace

class TestMixes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void publishedPercentilesComeBack()
    {
        QVERIFY(trafficMixes());
        QCOMPARE(trafficMixes()->size(), Published.size());
        for (std::size_t i = 0; i < Published.size(); ++i) {
            const TrafficMix& mix = (*trafficMixes())[i];
            QCOMPARE(mix.id, std::string(Published[i].id));
            QVERIFY2(isAlike(mix.input, Published[i].input), mix.id.c_str());
            QVERIFY2(isAlike(mix.output, Published[i].output), mix.id.c_str());
            QVERIFY(!mix.title.empty() && !mix.summary.empty());
            QVERIFY(mix.source.find("arXiv 2") != std::string::npos);
        }
    }

    void noSpreadWhereAllAreAlike()
    {
        const MixLength all = mixLength(50, 50);
        QVERIFY(all.mean == 50 && all.spread == 0);
        QCOMPARE(mixLength(0, 10).mean, 0);
        QCOMPARE(mixLength(10, 9).mean, 0);
    }

    // And it is known again; the rest is as it was.
    void requestsAreReplaced()
    {
        const Experiment before = preset("llama-3.1-8b")->experiment;
        QVERIFY(mixOf(before) == nullptr);
        for (const TrafficMix& mix : *trafficMixes()) {
            const auto after = withMix(before, mix.id);
            QVERIFY(after);
            QVERIFY(mixOf(*after) != nullptr && mixOf(*after)->id == mix.id);
            QCOMPARE(after->plan.running == Running::AtOnce, mix.isAtOnce);
            QVERIFY(after->model == before.model && after->training == before.training);
            QCOMPARE(after->serving.requestsPerDay, before.serving.requestsPerDay);
            QCOMPARE(after->serving.precision, before.serving.precision);
            const auto back = withMix(*after, "chat");
            QVERIFY(back && back->plan.running == Running::Always);
        }
        Experiment waiting = *withMix(before, "batch"); // somebody waits for these
        waiting.plan.running = Running::Always;
        QVERIFY(mixOf(waiting) == nullptr);
        Experiment own = *withMix(before, "chat");
        own.serving.outputTokens += 1;
        QVERIFY(mixOf(own) == nullptr);
    }

    // Whoever waits is promised a whole answer that the two other promises allow.
    void promisesAgree()
    {
        for (const TrafficMix& mix : *trafficMixes()) {
            if (mix.isAtOnce)
                continue;
            const Serving s = withMix(preset("llama-3.1-8b")->experiment, mix.id)->serving;
            const double longest =
                LogNormal(static_cast<double>(s.outputTokens), s.outputSpread).at(At95);
            const double ms = *s.firstTokenP95Ms + longest * *s.tokenP95Ms;
            QVERIFY2(s.latencyP95Ms >= ms && s.latencyP95Ms < 1.2 * ms, mix.id.c_str());
        }
    }

    void othersAreRefused()
    {
        const Experiment generating = preset("gpt2")->experiment;
        const auto unknown = withMix(generating, "chats");
        QVERIFY(!unknown);
        QVERIFY(unknown.error().sentence().find("chat, retrieval, batch") != std::string::npos);
        QVERIFY(!takesMix(preset("bert-base")->experiment));
        QVERIFY(!withMix(preset("bert-base")->experiment, "chat"));
    }
};

OUTLAY_TEST(TestMixes)
#include "tst_mixes.moc"
