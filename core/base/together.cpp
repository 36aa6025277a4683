// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/together.h"

#include <future>
#include <thread>

namespace outlay::core {

void together(const std::function<void()>& beside, const std::function<void()>& here)
{
    static const bool hasSecondCore = std::thread::hardware_concurrency() > 1;
    if (!hasSecondCore) {
        beside();
        here();
        return;
    }
    auto other =
        std::async(std::launch::async, beside); // waited for by its destructor, whatever throws
    here();
    other.get();
}

} // namespace outlay::core
