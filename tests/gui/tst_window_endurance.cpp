// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Long use of the real window, made short: measurements one after the other leave nothing behind, and neither does what
// people do between them. `endurance` of the benchmarks does the same for hours.
#include "tests/support/long_use.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay;
using namespace outlay::gui;
using outlay::tests::Footprint;
using outlay::tests::footprintIn;

class TestWindowEndurance : public WindowTest {
    Q_OBJECT
private Q_SLOTS:
    void probesLeaveNothing()
    {
        LongUse use = begun(1);
        QVERIFY(use.probe()); // what is made once is made
        const Footprint before = settled(use);
        for (int i = 0; i < 10; ++i)
            QVERIFY(use.probe());
        QCOMPARE(m_window->document().experiment().measurements.all().rows().size(),
                 std::size_t{11});
        compare(before, use);
    }

    // One that does as it is told, one that must be killed, one that dies by itself.
    void cancelledProbesLeaveNothing_data()
    {
        QTest::addColumn<QByteArray>("mode");
        QTest::addColumn<int>("count");
        QTest::newRow("waits") << QByteArray("waits") << 10;
        QTest::newRow("keeps what it has") << QByteArray("keeps what it has") << 5;
        QTest::newRow("refuses to stop") << QByteArray("refuses to stop") << 1;
        QTest::newRow("killed") << QByteArray("killed") << 5;
    }
    void cancelledProbesLeaveNothing()
    {
        QFETCH(QByteArray, mode);
        QFETCH(int, count);
        LongUse use = begun(2);
        QVERIFY(use.probe());
        const Footprint before = settled(use);
        qputenv("OUTLAY_FAKE_PROBE", mode);
        for (int i = 0; i < count; ++i)
            QVERIFY(use.cancelledProbe(100));
        compare(before, use);
    }

    // What many steps of undo hold grows by what was measured, and not by all that was measured before each.
    void measurementsAreHeldOnce()
    {
        LongUse use = begun(3);
        for (int i = 0; i < 5; ++i)
            QVERIFY(use.probe());
        const auto grown = [&use](int probes) {
            const double before = tests::heapMegabytes();
            for (int i = 0; i < probes; ++i)
                static_cast<void>(use.probe());
            return tests::heapMegabytes() - before;
        };
        const double first = grown(10);
        const double second = grown(10);
        QVERIFY2(second < 0.5, qPrintable(QString::number(second)));
        QVERIFY2(second < 1.5 * first + 0.2, qPrintable(QString::number(first)));
    }

    // The oldest steps go, and all that are left lead back.
    void undoHasAnEnd()
    {
        Document document(tests::catalogs(), core::preset("text-generator")->experiment);
        QUndoStack& undo = document.undoStack();
        QCOMPARE(undo.undoLimit(), Document::MostUndoSteps);
        // Fewer show as much.
        constexpr int Most = 12;
        constexpr int Beyond = 5;
        undo.setUndoLimit(Most);
        for (int i = 0; i < Most + Beyond; ++i)
            QVERIFY(document.set("/model/hidden", core::Json(101 + i)));
        QCOMPARE(undo.count(), Most);
        const auto hidden = [&] {
            return std::get<core::RecurrentDesign>(document.experiment().model.design).hiddenOf(0);
        };
        undo.setIndex(0);
        QCOMPARE(hidden(), 100 + Beyond);
        undo.setIndex(undo.count());
        QCOMPARE(hidden(), 100 + Beyond + Most);
    }

    // A little of everything: nothing but the files that were saved is new.
    void useLeavesNothing()
    {
        LongUse use = begun(4);
        const Footprint before = settled(use);
        const int acts = tests::Slower > 1 ? 40 : 200;
        for (int i = 0; i < acts; ++i)
            use.act();
        QVERIFY(use.probe());
        compare(before, use);
    }

private:
    /// Whatever a worker was told to do before.
    [[nodiscard]] LongUse begun(unsigned seed) const
    {
        qunsetenv("OUTLAY_FAKE_PROBE");
        return {*m_window, m_home.path(), seed};
    }

    /// Saved, so that nothing is kept for a crash.
    [[nodiscard]] Footprint settled(LongUse& use) const
    {
        use.save();
        return footprintIn(m_home.path());
    }

    void compare(const Footprint& before, LongUse& use) const
    {
        // What ends in the background may take a moment.
        Footprint after = settled(use);
        QTRY_VERIFY_WITH_TIMEOUT(
            (after = settled(use), after.processes == 0 && after.descriptors <= before.descriptors),
            10000);
        QCOMPARE(after.files, before.files);
    }
};

OUTLAY_TEST(TestWindowEndurance)
#include "tst_window_endurance.moc"
