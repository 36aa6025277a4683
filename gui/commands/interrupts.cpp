// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/commands/interrupts.h"

#include <csignal>

namespace outlay::gui {
namespace {

volatile std::sig_atomic_t wasInterrupted = 0;

void interrupt(int)
{
    wasInterrupted = 1;
}

} // namespace

Interrupts::Interrupts()
    : m_beforeInt(std::signal(SIGINT, interrupt)), m_beforeTerm(std::signal(SIGTERM, interrupt))
{
}

Interrupts::~Interrupts()
{
    std::signal(SIGINT, m_beforeInt);
    std::signal(SIGTERM, m_beforeTerm);
}

bool Interrupts::wasAsked()
{
    return wasInterrupted != 0;
}

} // namespace outlay::gui
