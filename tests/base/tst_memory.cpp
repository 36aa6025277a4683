// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory.h"
#include "tests/support/footprint.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <memory>
#include <vector>

using namespace outlay;

class TestMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // What is freed stays for what comes next, until the program is at rest.
    void isKeptAndGivenBack()
    {
        constexpr std::size_t Count = 40'000;
        constexpr std::size_t Bytes = 1000; // so 40 MB
        core::keepFreedMemory();
        std::vector<std::unique_ptr<char[]>> blocks;
        for (std::size_t i = 0; i < Count; ++i) {
            blocks.push_back(std::make_unique<char[]>(Bytes));
            blocks.back()[0] = 1;
        }
        const double full = tests::residentMegabytes();
        blocks.clear();
        const double kept = tests::residentMegabytes();
        core::giveBackFreedMemory();
        const double rest = tests::residentMegabytes();
        QVERIFY2(kept > full - 10, std::to_string(full - kept).c_str());
        QVERIFY2(rest < full - 30, std::to_string(full - rest).c_str());
    }
};

OUTLAY_TEST(TestMemory)
#include "tst_memory.moc"
