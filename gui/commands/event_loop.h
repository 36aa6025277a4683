// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

#include <string>

namespace outlay::gui {

/// What a command needs that waits for other programs: signals arrive in `run`, until somebody quits.
class EventLoop {
public:
    EventLoop() : m_application(m_count, m_words) {}
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    static void run() { QCoreApplication::exec(); }
    static void end() { QCoreApplication::quit(); }

private:
    // They live as long as the application.
    int m_count = 1;
    std::string m_name = "outlay";
    char* m_words[2] = {m_name.data(), nullptr};
    QCoreApplication m_application;
};

} // namespace outlay::gui
