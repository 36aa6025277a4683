// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A file that gzip has packed, read as what is in it, a piece at a time.
#pragma once

#include <fstream>
#include <istream>
#include <memory>
#include <string>
#include <vector>

namespace outlay::pricing {

/// How a packed file begins.
inline constexpr std::string_view GzipMark = "\x1f\x8b";

class GzipBuffer final : public std::streambuf {
public:
    explicit GzipBuffer(const std::string& path);
    ~GzipBuffer() override;
    GzipBuffer(const GzipBuffer&) = delete;
    GzipBuffer& operator=(const GzipBuffer&) = delete;

    /// What was read so far is all that can be read: the rest is no packed data, or missing.
    [[nodiscard]] bool isDamaged() const { return m_isDamaged; }

protected:
    int_type underflow() override;

private:
    struct Inflating;

    /// Whether there is something to unpack.
    bool readOn();
    /// Of the packed file: several may follow each other.
    bool beginNext();

    std::ifstream m_file;
    std::unique_ptr<Inflating> m_state;
    std::vector<char> m_packed;
    std::vector<char> m_plain;
    bool m_isDamaged = false;
    bool m_isWithin = true; // a part that hasn't ended
};

} // namespace outlay::pricing
