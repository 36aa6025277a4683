// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How soon an engine that takes requests in as they come has the first token of one.
#pragma once

#include "core/base/log_normal.h"

#include <vector>

namespace outlay::core {

inline constexpr double MostPrompts = 0.9; // of the time that they take, before answers stop

/// Requests that come to an engine, whose steps each read the prompts that came during the one before, and make one
/// token of each answer.
struct PromptTraffic {
    double promptS = 0; // log-normal
    double promptSpread = 0;
    double aloneS = 0; // what a step takes beside one prompt where nobody else is
    double stepS = 0;  // and beside prompts where so many are in flight as usual
    double perS = 0;
    double busyShare = 0; // of the time in which such steps run
};

class FirstTokens {
public:
    /// `sums` of prompts that scatter so, to which it refers.
    FirstTokens(const PromptTraffic& traffic, const SumsBelow& sums);
    FirstTokens(const PromptTraffic& traffic, SumsBelow&& sums) = delete;

    /// Of all requests, how many have it so soon.
    [[nodiscard]] double shareWithin(double seconds) const;
    /// Of these, more than 95 of 100; less than nothing where fewer are.
    [[nodiscard]] double leftWithin(double seconds) const;
    [[nodiscard]] double p95S() const;

private:
    [[nodiscard]] double lengthWith(double batches) const
    {
        return m_traffic.stepS + m_batchS * batches;
    }
    [[nodiscard]] double sumBelow(double seconds) const
    {
        return m_sums.at(seconds, m_traffic.promptS);
    }
    [[nodiscard]] double shareWhileBusy(double seconds) const;
    /// The rest of a step that takes `lengthS`, then one with the prompts of all who came during it.
    [[nodiscard]] double shareMeeting(double lengthS, double seconds) const;

    PromptTraffic m_traffic;
    const SumsBelow& m_sums;
    LogNormal m_promptS;
    // Prompts of many lengths come as fewer and longer ones would: in sum as long, and spread as wide.
    double m_batchS = 0;
    double m_batchesPerS = 0;
    std::vector<double> m_met; // how often one comes while a step with so many of them runs
};

} // namespace outlay::core
