// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/host_facts.h"
#include "gui/session/host_command.h"

namespace outlay::gui {

/// Whether a measurement could be made there: what its worker says, or what is wrong. Of a queue its commands and its
/// folder are tried, too.
void checkHost(QObject* parent, const core::Profile& profile, const core::LaunchSite& site,
               std::function<void(const core::Result<core::HostFacts>&)> answer);

} // namespace outlay::gui
