// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A file in memory alone, for readers that want a path.
#pragma once

#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace outlay::fuzz {

class ForeignFile {
public:
    ForeignFile() : m_descriptor(::memfd_create("foreign", MFD_CLOEXEC)) {}
    ~ForeignFile() { ::close(m_descriptor); }
    ForeignFile(const ForeignFile&) = delete;
    ForeignFile& operator=(const ForeignFile&) = delete;

    /// The path of a file that holds just that.
    [[nodiscard]] std::string with(const std::string& input) const
    {
        const bool isHeld = ::ftruncate(m_descriptor, 0) == 0 &&
                            ::pwrite(m_descriptor, input.data(), input.size(), 0) ==
                                static_cast<ssize_t>(input.size());
        if (!isHeld)
            std::abort();
        return "/proc/self/fd/" + std::to_string(m_descriptor);
    }

private:
    int m_descriptor;
};

} // namespace outlay::fuzz
