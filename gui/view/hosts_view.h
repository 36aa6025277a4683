// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The machines that can be measured on, whether they answer, and what this design takes on each.
#pragma once

#include "core/launch/profile.h"
#include "core/probe/host_facts.h"
#include "core/probe/message.h"
#include "gui/view/chart_model.h"
#include "pricing/report/report.h"

namespace outlay::gui {

enum class HostAnswer { Unasked, Awaited, Yes, No };

/// A profile, and what is known of its machine now.
struct HostEntry {
    core::Profile profile;
    HostAnswer answer = HostAnswer::Unasked;
    core::HostFacts facts; // of Yes
    QString problem;       // of No
};

/// All of them, and the measurement that runs on one.
struct HostList {
    QString folder;
    std::vector<HostEntry> hosts;
    std::vector<QString> unread; // sentences on files that can't be read
    std::optional<std::size_t> measuring;
    core::Progress progress; // of that
    QString waitsFor;        // why a queue doesn't run it yet
    bool isStopping = false;
};

struct HostsView {
    QString summary;
    QString empty; // what to do where there is no host
    std::vector<QString> names;
    TableData hosts;
    ChartModel chart; // the time of this training on each
    QString running;  // what the one that measures does; empty where none does
    int donePermille = 0;
    std::vector<QString> findings;

    bool operator==(const HostsView&) const = default;
};

[[nodiscard]] HostsView makeHostsView(const HostList& list,
                                      const std::vector<pricing::HostRow>& measured,
                                      const DisplayLocale& locale);

} // namespace outlay::gui
