// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/host/channel.h"

#include <cstdio>

namespace outlay::tests {

/// A channel that nobody reads.
struct Silence {
    std::FILE* file = std::fopen("/dev/null", "w");
    worker::Channel channel{file};
};

} // namespace outlay::tests
