// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/freed_memory.h"

#include "core/base/memory.h"

#include <cstdlib>
#include <limits>
#include <malloc.h>
#include <vector>

#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 33)
#define OUTLAY_ASKS_GLIBC
#endif
#endif

namespace outlay::worker {

#ifdef OUTLAY_ASKS_GLIBC

namespace {

/// Blocks that are held while it is asked, so that what lies free in the heap is used up.
class Blocks {
public:
    Blocks() = default;
    ~Blocks()
    {
        for (void* const block : m_inHeap)
            std::free(block);
    }

    Blocks(const Blocks&) = delete;
    Blocks& operator=(const Blocks&) = delete;

    /// Whether one of so many bytes comes from the system by itself, once none fits into the heap as it is.
    bool isMapped(int bytes)
    {
        constexpr int Most = 10'000;
        for (int i = 0; i < Most; ++i) {
            const struct mallinfo2 before = mallinfo2();
            void* const block = std::malloc(static_cast<std::size_t>(bytes));
            if (block == nullptr)
                return false;
            const struct mallinfo2 after = mallinfo2();
            if (after.hblks > before.hblks) {
                Mapped.push_back(block);
                return true;
            }
            m_inHeap.push_back(block);
            if (after.arena > before.arena)
                return false;
        }
        return false;
    }

private:
    // Never written, so they take no memory; freed, they would be what glibc learns from.
    inline static std::vector<void*> Mapped;
    std::vector<void*> m_inHeap;
};

/// It learns from blocks that come and go, and doesn't tell: the smallest one that it takes from the system by itself.
int mappedFrom()
{
    constexpr int Page = 4096;
    constexpr int Least = 128 * 1024;
    Blocks blocks;
    int below = Least;
    int from = core::MostBytesInHeap;
    while (from - below > Page) {
        const int bytes = (below + (from - below) / 2) / Page * Page;
        (blocks.isMapped(bytes) ? from : below) = bytes;
    }
    return from;
}

int learned()
{
    static const int From = mappedFrom();
    return From;
}

} // namespace

bool canKeepFreed()
{
    // Glibc takes as much from the system by itself; another allocator says nothing to glibc.
    const std::size_t before = mallinfo2().hblks;
    void* volatile block = // or the compiler leaves both calls out
        std::malloc(2 * static_cast<std::size_t>(core::MostBytesInHeap));
    const bool isGlibc = mallinfo2().hblks > before;
    std::free(block);
    return isGlibc;
}

void keepFreed()
{
    static_cast<void>(learned()); // before it is changed
    mallopt(M_MMAP_THRESHOLD, core::MostBytesInHeap);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

void giveFreedBack()
{
    mallopt(M_MMAP_THRESHOLD, learned());
    mallopt(M_TRIM_THRESHOLD, 2 * learned());
    malloc_trim(0);
}

void giveLittleBack()
{
    mallopt(M_MMAP_THRESHOLD, core::MostBytesInHeap);
    mallopt(M_TRIM_THRESHOLD, 2 * core::MostBytesInHeap);
}

#else

bool canKeepFreed()
{
    return false;
}
void keepFreed() {}
void giveFreedBack() {}
void giveLittleBack() {}

#endif

} // namespace outlay::worker
