// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader may take: a second of the processor, a hundred times its input in memory. What takes more, or crashes, ends
// the program with its input kept in a file.
#pragma once

#include <cstddef>
#include <string>

namespace outlay::fuzz {

/// Where a sanitizer watches, everything takes longer.
#ifdef OUTLAY_SANITIZED
inline constexpr double LongestSeconds = 10;
#else
inline constexpr double LongestSeconds = 1;
#endif

/// Of an input's size, and for small inputs at least the other: a reader's tables and buffers (the window over a stream,
/// the names of a family's keys) are as large for ten bytes as for a million.
inline constexpr std::size_t MostTimes = 100;
inline constexpr std::size_t LeastBytes = 1U << 20U;

struct Spent {
    double seconds = 0;    // of the processor, all threads
    std::size_t bytes = 0; // on the heap at once, at most
};

/// Before the first execution.
void watchFor(const std::string& target);

/// While one lives, memory isn't held against the input: what is done with a value isn't its reading.
class NotReading {
public:
    NotReading();
    ~NotReading();
    NotReading(const NotReading&) = delete;
    NotReading& operator=(const NotReading&) = delete;
};

/// Bytes on the heap now.
[[nodiscard]] std::size_t livingBytes();

/// Something that must hold doesn't.
[[noreturn]] void fail(const std::string& why);

// The two ends of an execution.
void beginInput(const std::string& input);
[[nodiscard]] Spent endInput();

/// Feeds one input.
template <typename Feed>
Spent watched(const std::string& input, const Feed& feed)
{
    beginInput(input);
    feed(input);
    return endInput();
}

} // namespace outlay::fuzz
