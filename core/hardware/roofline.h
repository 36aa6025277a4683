// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Seconds of a pass on a device: products and bytes, group by group, and what waits in between.
#pragma once

#include "core/hardware/attainable.h"

namespace outlay::core {

/// Seconds by what they are spent on.
struct PassTime {
    double productS = 0;
    double movingS = 0;
    double recurrenceS = 0; // steps that wait for each other
    double launchS = 0;
    double hostS = 0;       // the processor's beside all of that: no part of the total
    bool isChunked = false; // a recurrence in it runs in chunks of its steps

    [[nodiscard]] double total() const { return productS + movingS + recurrenceS + launchS; }
    PassTime& operator+=(const PassTime& other);
    [[nodiscard]] PassTime times(double count) const;
    /// A device that is faster than its processor starts kernels waits for it, and is so in some parts of a pass only:
    /// the root of both squares is the longer of the two where they are far apart. Once for each pass.
    [[nodiscard]] PassTime withHost() const;
};

/// Devices that share each product and its bytes, not its launches.
struct Sharers {
    double layers = 1;
    double ofExperts = 1; // that each have some of the experts; one: experts are layers like others
    double routed = 1;    // parts of a pass's rows of which each then sends one to them
};

[[nodiscard]] PassTime forwardTime(const std::vector<KernelGroup>& groups, const Attainable& on,
                                   const Sharers& sharers = {});

/// What runs forward once more on the way back.
enum class Again { Nothing, WhatIsRead, Blocks };

/// Of devices that each hold all of a layer, or share it: what shares layers runs blocks to their end.
[[nodiscard]] Again againOf(const Training& training, const Attainable& on, bool isShared);

/// Twice the forward products; a recurrence goes back step by step, and its weights' gradients are
/// one product over all steps.
[[nodiscard]] PassTime backwardTime(const std::vector<KernelGroup>& groups, const Attainable& on,
                                    Again again, const Sharers& sharers = {});

} // namespace outlay::core
