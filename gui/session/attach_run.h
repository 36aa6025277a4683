// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody kept of a run becomes part of its experiment, beside what is forecast of it today.
#pragma once

#include "pricing/actual/track.h"

#include <QObject>
#include <QString>

namespace outlay::gui {

struct AttachRequest {
    std::string file;
    pricing::RecordFilter filter;
    bool isHere = false; // the run was on this machine; else where it is planned
};

/// Sound where each day of the filter is one.
[[nodiscard]] core::Result<void> checkDays(const pricing::RecordFilter& filter);

/// As it is attached now, with the hash of its file.
[[nodiscard]] core::Result<pricing::Actual> readActual(const AttachRequest& request,
                                                       const core::Experiment& experiment,
                                                       const pricing::Report& report);

/// Fails where the run is attached to it already.
[[nodiscard]] core::Result<core::Experiment> withActual(core::Experiment experiment,
                                                        const pricing::Actual& actual);

/// The same while the window stays free: a bill may be larger than the memory.
class RunAttacher final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Of several readings only the last one finishes.
    void read(const AttachRequest& request, const core::Experiment& experiment,
              const pricing::Report& report);

Q_SIGNALS:
    void finished(const outlay::core::Result<outlay::pricing::Actual>& read);

private:
    int m_generation = 0;
};

} // namespace outlay::gui
