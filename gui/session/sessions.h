// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a window works with, for those of its parts that need several.
#pragma once

#include "gui/session/document.h"
#include "gui/session/file_session.h"
#include "gui/session/hosts_session.h"
#include "gui/session/probe_session.h"
#include "gui/session/program_session.h"
#include "gui/session/settings.h"
#include "gui/session/track_session.h"
#include "gui/session/traffic_session.h"

namespace outlay::gui {

/// They outlive who holds this.
struct Sessions {
    Document& document;
    FileSession& files;
    ProbeSession& probe;
    ProgramSession& program;
    TrackSession& track;
    HostsSession& hosts;
    Settings& settings;

    /// One at a time: two would disturb each other, or the document.
    [[nodiscard]] bool isMeasuring() const
    {
        return probe.isRunning() || program.isRunning() || hosts.isRunning();
    }
};

} // namespace outlay::gui
