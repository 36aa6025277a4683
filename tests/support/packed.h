// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <zlib.h>

namespace outlay::tests {

/// As gzip does it.
inline std::string packed(std::string text)
{
    z_stream z{};
    constexpr int WithGzipHeader = 16;
    constexpr int Memory = 8;
    ::deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + WithGzipHeader, Memory,
                   Z_DEFAULT_STRATEGY);
    std::string bytes(::deflateBound(&z, static_cast<uLong>(text.size())), '\0');
    z.next_in = reinterpret_cast<Bytef*>(text.data());
    z.avail_in = static_cast<uInt>(text.size());
    z.next_out = reinterpret_cast<Bytef*>(bytes.data());
    z.avail_out = static_cast<uInt>(bytes.size());
    ::deflate(&z, Z_FINISH);
    bytes.resize(bytes.size() - z.avail_out);
    ::deflateEnd(&z);
    return bytes;
}

} // namespace outlay::tests
