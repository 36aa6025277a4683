// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The line to whoever started `outlay run --live`: messages leave by what was standard output, and the end of what was
// standard input asks for the program's end.
#pragma once

#include "core/program/program_message.h"

namespace outlay::core {

class LiveLine {
public:
    /// From now on what is printed goes where complaints go, and there is nothing to read.
    LiveLine();
    ~LiveLine();
    LiveLine(const LiveLine&) = delete;
    LiveLine& operator=(const LiveLine&) = delete;

    void say(const ProgramMessage& message) const;
    /// Whether the other end wants no more of it, or is gone.
    [[nodiscard]] bool isClosed() const;

private:
    int m_out;
    int m_in;
};

} // namespace outlay::core
