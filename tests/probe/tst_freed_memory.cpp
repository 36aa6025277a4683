// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/freed_memory.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <array>
#include <cstdlib>
#include <malloc.h>
#include <sys/resource.h>

using namespace outlay::worker;

namespace {

constexpr std::size_t PageBytes = 4096;
constexpr std::size_t BlockBytes = 1536U << 10U; // too small for huge pages

long pageFaults()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

/// Blocks come and go: 4,608 pages.
void comeAndGo()
{
    std::array<void*, 12> blocks{};
    for (void*& block : blocks) {
        block = std::malloc(BlockBytes);
        auto* const bytes = static_cast<volatile char*>(block); // else nothing is written
        for (std::size_t at = 0; at < BlockBytes; at += PageBytes)
            bytes[at] = 1;
    }
    for (void* block : blocks)
        std::free(block);
}

/// Once they have come and gone before.
long faultsOf()
{
    comeAndGo();
    const long before = pageFaults();
    comeAndGo();
    return pageFaults() - before;
}

} // namespace

class TestFreedMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsKeptIsFoundAgain()
    {
#ifndef OUTLAY_SANITIZED // whose memory isn't glibc's
        QVERIFY(canKeepFreed());
#endif
        if (!canKeepFreed())
            return;
        constexpr int Mapped = 1024 * 1024; // another program has other ones
        mallopt(M_MMAP_THRESHOLD, Mapped);
        mallopt(M_TRIM_THRESHOLD, 2 * Mapped);
        constexpr long Few = 500;
        constexpr long Many = 3000;
        for (int i = 0; i < 2; ++i) {
            keepFreed();
            QVERIFY2(faultsOf() < Few, "kept");
            giveFreedBack();
            const long back = faultsOf();
            QVERIFY2(back > Many, std::to_string(back).c_str());
        }
    }
};

OUTLAY_TEST(TestFreedMemory)
#include "tst_freed_memory.moc"
