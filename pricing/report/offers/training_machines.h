// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How many machines of a kind a training takes.
#pragma once

#include "core/hardware/step.h"
#include "pricing/report/correction.h"
#include "pricing/report/machine_devices.h"
#include "pricing/report/report.h"

namespace outlay::pricing {

/// The training on so many machines of a kind; the network is named where there are several.
[[nodiscard]] core::Devices devicesOf(const Subject& subject, const MachineKind& kind,
                                      std::int64_t machines);

/// Of the recommended offer; nothing where none is, or nobody knows what is inside.
[[nodiscard]] std::optional<core::Devices> chosenDevices(const Subject& subject,
                                                         const TrainingReport& training);

/// Refers to all that it is made of.
class TrainingMachines {
public:
    TrainingMachines(const Subject& subject, const Corrections& corrections);

    /// `timed` are the passes of devices as fast as these, whatever joins them.
    [[nodiscard]] core::TrainingForecast on(const MachineKind& kind, std::int64_t machines,
                                            core::TimedPasses& timed) const;
    /// The fewest that hold it and keep the deadline, doubled up to what the plan allows; where none does, the fewest of
    /// those that are nearly as soon as can be and don't take too long for a plan. More than enough where that is
    /// cheaper. `alone` is the forecast on one, and what there is where nothing joins machines of this kind.
    [[nodiscard]] core::TrainingForecast enough(const MachineKind& kind,
                                                const core::TrainingForecast& alone,
                                                core::TimedPasses& timed) const;

private:
    /// The next number after that of a forecast with which it may not take too long, if every device always works.
    [[nodiscard]] std::int64_t moreMachines(const MachineKind& kind,
                                            const core::TrainingForecast& forecast,
                                            std::int64_t most, core::TimedPasses& timed) const;
    /// Of a few times as many machines, where they take notably less together: weights that are divided leave room for
    /// larger passes, or needn't be gathered as often.
    [[nodiscard]] core::TrainingForecast cheaperOf(const MachineKind& kind,
                                                   core::TrainingForecast forecast,
                                                   std::int64_t most,
                                                   core::TimedPasses& timed) const;
    [[nodiscard]] double hoursOf(const core::TrainingForecast& forecast) const;

    const Subject& m_subject;
    const Corrections& m_corrections;
    RunHours m_hours;
    double m_deadlineHours = 0;
    double m_longestHours = 0;
};

} // namespace outlay::pricing
