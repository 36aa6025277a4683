// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/size_limit.h"

#include <csignal>

namespace outlay::core {

void surviveSizeLimit()
{
    // A handler, which no program that is started inherits; what is ignored stays so.
    struct sigaction before {};
    ::sigaction(SIGXFSZ, nullptr, &before);
    if (before.sa_handler != SIG_DFL)
        return;
    struct sigaction action {};
    action.sa_handler = [](int) {};
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGXFSZ, &action, nullptr);
}

} // namespace outlay::core
