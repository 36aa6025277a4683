// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A program's own operator new and delete, for one file of a program, which defines the two functions that they call.
#pragma once

#include <cstddef>
#include <new>

/// Null where none is to be had.
static void* grantedBlock(std::size_t bytes);
static void releaseBlock(void* block);

void* operator new(std::size_t bytes)
{
    if (void* block = grantedBlock(bytes))
        return block;
    throw std::bad_alloc();
}
void* operator new[](std::size_t bytes)
{
    return operator new(bytes);
}
void* operator new(std::size_t bytes, const std::nothrow_t& /*none*/) noexcept
{
    return grantedBlock(bytes);
}
void* operator new[](std::size_t bytes, const std::nothrow_t& /*none*/) noexcept
{
    return grantedBlock(bytes);
}
void operator delete(void* block) noexcept
{
    releaseBlock(block);
}
void operator delete[](void* block) noexcept
{
    releaseBlock(block);
}
void operator delete(void* block, std::size_t /*bytes*/) noexcept
{
    releaseBlock(block);
}
void operator delete[](void* block, std::size_t /*bytes*/) noexcept
{
    releaseBlock(block);
}
