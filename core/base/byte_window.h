// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a text that a reader looks at: of a stream only that is in memory, not all of it.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

namespace outlay::core {

class ByteWindow {
public:
    /// The whole text, which must outlive the window.
    explicit ByteWindow(std::string_view whole);
    /// The stream must outlive the window.
    explicit ByteWindow(std::istream& stream);
    ByteWindow(const ByteWindow&) = delete;
    ByteWindow& operator=(const ByteWindow&) = delete;

    /// What was read and not taken yet. Views into it hold until the next `readMore()`.
    [[nodiscard]] std::string_view rest() const { return {m_begin, m_size}; }
    void take(std::size_t count);
    /// What some programs write in front of UTF-8.
    void skipByteOrderMark();
    /// Reads on behind the rest; false at the end, or when one token is larger than any real one.
    bool readMore();

    /// The line of the first byte that is not taken, from 1.
    [[nodiscard]] std::size_t line() const;

private:
    std::istream* m_stream = nullptr;
    std::string m_buffer;
    const char* m_start; // of what is counted for line()
    const char* m_begin;
    std::size_t m_size;
    std::size_t m_linesBefore = 0;
};

} // namespace outlay::core
