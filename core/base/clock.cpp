// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"

#include <array>
#include <ctime>

namespace outlay::core {

std::string utcText(std::int64_t seconds)
{
    const auto time = static_cast<std::time_t>(seconds);
    std::tm fields{};
    gmtime_r(&time, &fields);
    std::array<char, 32> text{};
    const std::size_t length =
        std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &fields);
    return {text.data(), length};
}

std::string nowUtc()
{
    return utcText(static_cast<std::int64_t>(std::time(nullptr)));
}

std::string todayUtc()
{
    constexpr std::size_t DateLength = 10;
    return nowUtc().substr(0, DateLength);
}

} // namespace outlay::core
