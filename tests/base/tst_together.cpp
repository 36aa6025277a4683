// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/together.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <stdexcept>
#include <thread>

using namespace outlay::core;

class TestTogether : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void doesBoth()
    {
        std::thread::id beside;
        std::thread::id here;
        together([&] { beside = std::this_thread::get_id(); },
                 [&] { here = std::this_thread::get_id(); });
        QVERIFY(here == std::this_thread::get_id());
        QCOMPARE(beside != here, std::thread::hardware_concurrency() > 1);
        QVERIFY(beside != std::thread::id());
    }

    void exceptionsPass()
    {
        const auto fails = [] { throw std::runtime_error("broken"); };
        bool isDone = false;
        const auto works = [&] { isDone = true; };
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, together(fails, [] {}));
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, together(works, fails));
        QVERIFY(isDone); // and was waited for
    }
};

OUTLAY_TEST(TestTogether)
#include "tst_together.moc"
