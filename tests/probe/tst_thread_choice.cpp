// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/thread_choice.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay::worker;

class TestThreadChoice : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsUsualComesFirst_data()
    {
        QTest::addColumn<Threads>("usual");
        QTest::addColumn<int>("most");
        QTest::addColumn<std::vector<Threads>>("choices");
        using All = std::vector<Threads>;
        QTest::newRow("one core") << Threads{1, 1} << 1 << All{{1, 1}};
        QTest::newRow("one of each") << Threads{1, 1} << 4 << All{{1, 1}, {1, 4}, {4, 1}};
        QTest::newRow("the matrix library's") << Threads{1, 2} << 2 << All{{1, 2}, {1, 1}, {2, 1}};
        QTest::newRow("LibTorch's") << Threads{4, 1} << 8 << All{{4, 1}, {1, 1}, {1, 8}, {8, 1}};
        QTest::newRow("two pools") << Threads{8, 8} << 8 << All{{1, 1}, {1, 8}, {8, 1}, {8, 8}};
        QTest::newRow("held to one") << Threads{8, 8} << 1 << All{{1, 1}};
    }
    void whatIsUsualComesFirst()
    {
        QFETCH(Threads, usual);
        QFETCH(int, most);
        QFETCH(std::vector<Threads>, choices);
        QCOMPARE(threadChoices(usual, most), choices);
    }

    void whatIsntTriedIsUsual()
    {
        QCOMPARE(untriedThreads({1, 16}, 16), (Threads{1, 16}));
        QCOMPARE(untriedThreads({8, 1}, 16), (Threads{8, 1}));
        QCOMPARE(untriedThreads({8, 16}, 16), (Threads{1, 16})); // not two pools
        QCOMPARE(untriedThreads({8, 16}, 1), (Threads{1, 1}));
    }

    // The second's steps take `share` of the first's.
    void fewStepsMustDifferMore_data()
    {
        QTest::addColumn<int>("steps");
        QTest::addColumn<double>("share");
        QTest::addColumn<bool>("isBelieved");
        QTest::newRow("slower") << 12 << 1.1 << false;
        QTest::newRow("two, a sixth less") << 2 << 0.84 << false;
        QTest::newRow("two, a fifth less") << 2 << 0.8 << true;
        QTest::newRow("twelve, a twentieth less") << 12 << 0.95 << false;
        QTest::newRow("twelve, a tenth less") << 12 << 0.9 << true;
    }
    void fewStepsMustDifferMore()
    {
        QFETCH(int, steps);
        QFETCH(double, share);
        QFETCH(bool, isBelieved);
        const auto count = static_cast<std::size_t>(steps);
        const std::vector<double> first(count, 0.2);
        const std::vector<double> second(count, 0.2 * share);
        QCOMPARE(fastestOf({first, second}) == 1, isBelieved);
        // Of two that are believed the faster one counts, wherever it stands.
        const std::vector<double> third(count, 0.2 * share * 0.99);
        QCOMPARE(fastestOf({first, second, third}) == 2, isBelieved);
        QCOMPARE(fastestOf({first, third, second}) == 1, isBelieved);
    }

    void aSlowedStepIsNoReason()
    {
        QCOMPARE(fastestOf({{0.2, 0.2, 0.9, 0.9}, {0.19, 0.19, 0.19, 0.19}}), std::size_t{0});
    }
};

OUTLAY_TEST(TestThreadChoice)
#include "tst_thread_choice.moc"
