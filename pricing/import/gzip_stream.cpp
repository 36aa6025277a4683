// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/import/gzip_stream.h"

#include <zlib.h>

namespace outlay::pricing {
namespace {

constexpr std::size_t PieceBytes = 256 * 1024;
constexpr int WithGzipHeader = 16; // beside the bits of the window

} // namespace

struct GzipBuffer::Inflating {
    z_stream stream{};

    Inflating() { ::inflateInit2(&stream, MAX_WBITS + WithGzipHeader); }
    ~Inflating() { ::inflateEnd(&stream); }
    Inflating(const Inflating&) = delete;
    Inflating& operator=(const Inflating&) = delete;
};

GzipBuffer::GzipBuffer(const std::string& path)
    : m_file(path, std::ios::binary), m_state(std::make_unique<Inflating>()), m_packed(PieceBytes),
      m_plain(PieceBytes)
{
}

GzipBuffer::~GzipBuffer() = default;

bool GzipBuffer::readOn()
{
    z_stream& z = m_state->stream;
    if (z.avail_in > 0)
        return true;
    m_file.read(m_packed.data(), static_cast<std::streamsize>(m_packed.size()));
    z.next_in = reinterpret_cast<Bytef*>(m_packed.data());
    z.avail_in = static_cast<uInt>(m_file.gcount());
    return z.avail_in > 0;
}

bool GzipBuffer::beginNext()
{
    m_isWithin = false;
    z_stream& z = m_state->stream;
    while (readOn() && *z.next_in == 0) { // some fill up with zeros
        ++z.next_in;
        --z.avail_in;
    }
    if (z.avail_in == 0)
        return false;
    m_isWithin = true;
    return ::inflateReset(&m_state->stream) == Z_OK;
}

GzipBuffer::int_type GzipBuffer::underflow()
{
    z_stream& z = m_state->stream;
    while (!m_isDamaged && m_isWithin) {
        if (!readOn()) {
            m_isDamaged = true; // it ends in the middle
            break;
        }
        z.next_out = reinterpret_cast<Bytef*>(m_plain.data());
        z.avail_out = static_cast<uInt>(m_plain.size());
        const int outcome = ::inflate(&z, Z_NO_FLUSH);
        const std::size_t count = m_plain.size() - z.avail_out;
        if (outcome == Z_STREAM_END)
            beginNext();
        else
            m_isDamaged = outcome != Z_OK;
        if (count == 0)
            continue;
        setg(m_plain.data(), m_plain.data(), m_plain.data() + count);
        return traits_type::to_int_type(*gptr());
    }
    return traits_type::eof();
}

} // namespace outlay::pricing
