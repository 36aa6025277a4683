// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/together.h"

#include <future>
#include <system_error>
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
    std::future<void> other; // waited for by its destructor, whatever throws
    try {
        other = std::async(std::launch::async, beside);
    } catch (const std::system_error&) { // no thread is to be had
        beside();
    }
    here();
    if (other.valid())
        other.get();
}

} // namespace outlay::core
