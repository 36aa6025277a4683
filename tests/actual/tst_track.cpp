// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is said over all runs, held against histories of which the truth is known.
#include "core/experiment/presets.h"
#include "pricing/actual/track.h"
#include "pricing/report/make_report.h"
#include "tests/support/catalogs.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace outlay;
using namespace outlay::pricing;

namespace {

Actual timed(double foretold, double half, double found)
{
    Actual a;
    a.seconds = found;
    a.seconds80 = Foretold{foretold, foretold / half, foretold * half};
    return a;
}

} // namespace

class TestTrack : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void countsAndMisses()
    {
        const std::vector<Actual> runs{timed(100, 1.5, 110), timed(100, 1.5, 160),
                                       timed(100, 1.5, 50), Actual{}};
        const Track time = trackOf(runs).front();
        QCOMPARE(time.runs, std::size_t{3});
        QCOMPARE(time.inside, std::size_t{1});
        QVERIFY(std::abs(time.medianMiss - 0.375) < 1e-12); // of 0.0909, 0.375 and 1
        QVERIFY(!time.factor);
        QCOMPARE(trackOf(runs)[1].runs, std::size_t{0});
    }

    // A factor of 1.3 and a spread of 20 %: the interval of the factor holds it in 80 of 100 histories of any length, and
    // as many runs lie inside as the normal distribution says.
    void factorsHold_data()
    {
        QTest::addColumn<int>("runs");
        for (const int runs : {5, 8, 12, 40})
            QTest::newRow(QByteArray::number(runs).data()) << runs;
    }
    void factorsHold()
    {
        QFETCH(int, runs);
        std::mt19937 random(static_cast<unsigned>(runs));
        std::normal_distribution<double> one(0, 1);
        int held = 0;
        std::size_t inside = 0;
        constexpr int Histories = 1000;
        for (int h = 0; h < Histories; ++h) {
            std::vector<Actual> history;
            for (int i = 0; i < runs; ++i)
                history.push_back(
                    timed(100, std::exp(0.2 * 1.2816), 130 * std::exp(0.2 * one(random))));
            const Track track = trackOf(history).front();
            QVERIFY(track.factor.has_value());
            held += track.factor->low <= 1.3 && 1.3 <= track.factor->high ? 1 : 0;
            inside += track.inside;
        }
        qInfo("%d of %d", held, Histories);
        QVERIFY(held >= 770 && held <= 830);
        // log(1.3) = 0.262 is 1.312 spreads off: between -2.593 and -0.030 lie 48 %.
        QVERIFY(std::abs(double(inside) / (double(Histories) * runs) - 0.483) < 0.02);
    }

    void theForecastIsKept()
    {
        const core::Experiment e = core::preset("text-generator")->experiment;
        const Report report = makeReport(e, tests::catalogs());
        const Record record{.kind = "Slurm accounting", .seconds = 1000, .usd = 0.3};
        const Actual planned = actualOf(record, e, report, false);
        const auto& hours = report.training.recommended.option->hours;
        QVERIFY(planned.seconds80.has_value());
        QCOMPARE(planned.seconds80->value, 3600 * hours.value());
        QCOMPARE(planned.usd80->high, report.training.recommended.option->usd.high());
        const Actual here = actualOf(record, e, report, true);
        QVERIFY(!here.seconds80); // it wasn't measured here
        core::Json list = core::Json::array();
        list.append(toJson(planned));
        list.append(core::Json("nonsense"));
        const auto again = actualsOf(list);
        QCOMPARE(again.size(), std::size_t{1});
        QCOMPARE(again.front(), planned);
        QVERIFY(actualsOf(core::Json::object()).empty());
    }
};

OUTLAY_TEST(TestTrack)
#include "tst_track.moc"
