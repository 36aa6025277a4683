// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/byte_window.h"

#include <algorithm>
#include <cassert>
#include <istream>

namespace outlay::core {
namespace {

constexpr std::size_t ChunkBytes = 256U << 10U;
constexpr std::size_t LargestRest = 16U << 20U;

std::size_t linesIn(const char* from, const char* to)
{
    return static_cast<std::size_t>(std::count(from, to, '\n'));
}

} // namespace

ByteWindow::ByteWindow(std::string_view whole)
    : m_start(whole.data()), m_begin(whole.data()), m_size(whole.size())
{
}

ByteWindow::ByteWindow(std::istream& stream)
    : m_stream(&stream), m_start(m_buffer.data()), m_begin(m_buffer.data()), m_size(0)
{
}

void ByteWindow::take(std::size_t count)
{
    assert(count <= m_size);
    m_begin += count;
    m_size -= count;
}

void ByteWindow::skipByteOrderMark()
{
    constexpr std::string_view Mark = "\xEF\xBB\xBF";
    if (m_size < Mark.size())
        readMore();
    if (rest().starts_with(Mark))
        take(Mark.size());
}

bool ByteWindow::readMore()
{
    if (m_stream == nullptr || !*m_stream || m_size > LargestRest)
        return false;
    m_linesBefore += linesIn(m_start, m_begin);
    if (m_size > 0 && m_begin != m_buffer.data())
        std::copy(m_begin, m_begin + m_size, m_buffer.data());
    if (m_buffer.size() < m_size + ChunkBytes)
        m_buffer.resize(m_size + ChunkBytes);
    m_stream->read(m_buffer.data() + m_size, static_cast<std::streamsize>(ChunkBytes));
    const auto got = static_cast<std::size_t>(m_stream->gcount());
    m_start = m_begin = m_buffer.data();
    m_size += got;
    return got > 0;
}

std::size_t ByteWindow::line() const
{
    return 1 + m_linesBefore + linesIn(m_start, m_begin);
}

} // namespace outlay::core
