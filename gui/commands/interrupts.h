// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace outlay::gui {

/// While it lives, Ctrl+C and SIGTERM ask for the end of what is being done instead of ending the program.
class Interrupts {
public:
    Interrupts();
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

    /// Since the program began.
    [[nodiscard]] static bool wasAsked();
    /// How often that is to be looked at: a signal handler may do next to nothing.
    static constexpr int PollMs = 50;

private:
    using Handler = void (*)(int);
    Handler m_beforeInt;
    Handler m_beforeTerm;
};

} // namespace outlay::gui
