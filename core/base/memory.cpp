// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory.h"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace outlay::core {

void keepFreedMemory()
{
#ifdef M_TRIM_THRESHOLD
    constexpr int Mega = 1024 * 1024;
    mallopt(M_MMAP_THRESHOLD, MostBytesInHeap);
    mallopt(M_TRIM_THRESHOLD, 64 * Mega);
    mallopt(M_ARENA_MAX, 2); // a Report is made by two threads; each further one would keep its own
#endif
}

void giveBackFreedMemory()
{
#ifdef M_TRIM_THRESHOLD
    malloc_trim(0);
#endif
}

} // namespace outlay::core
