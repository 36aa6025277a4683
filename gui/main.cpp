// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory.h"
#include "core/base/size_limit.h"
#include "gui/commands/command.h"
#include "gui/window/run_window.h"

#include <iostream>

int main(int argc, char* argv[])
{
    std::ios::sync_with_stdio(false);
    outlay::core::surviveSizeLimit();
    const std::vector<std::string> words(argv + 1, argv + argc);
    // A folder that is called like a command doesn't hide it.
    const bool isCommand = !words.empty() && outlay::gui::isCommand(words.front());
    if (!isCommand && outlay::gui::isForWindow(words)) {
        outlay::core::keepFreedMemory();
        return outlay::gui::runWindow(argc, argv);
    }
    return outlay::gui::runCommandLine(words, {std::cout, std::cerr});
}
