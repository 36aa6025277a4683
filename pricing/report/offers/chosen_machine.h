// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The machine of the Report's training offer, or one that is given, for what-ifs that stay on it.
#pragma once

#include "core/hardware/holding.h"
#include "pricing/report/report.h"
#include "pricing/report/subject.h"

namespace outlay::pricing {

/// Machines that no offer is of: they are had by the hour, are not taken back, and have no price.
struct GivenMachines {
    const MachineKind& kind;
    std::int64_t count = 1; // that train together
    std::string name;
};

/// Refers to all that it is made of.
class ChosenMachine {
public:
    ChosenMachine(const Subject& subject, const Report& report);
    ChosenMachine(const Subject& subject, const Report& report, GivenMachines given);

    /// Why there is no machine or no forecast on it, as a sentence without a full stop; empty if all is well.
    [[nodiscard]] const std::string& why() const { return m_why; }
    [[nodiscard]] std::string name() const; // "aws g4dn.xlarge in us-east-1"
    [[nodiscard]] const MachineKind& kind() const;

    /// As many as train together.
    [[nodiscard]] std::int64_t machines() const;

    /// As for the offers: corrected by what was measured here.
    [[nodiscard]] core::TrainingForecast forecast(const core::TrainingDemand& demand,
                                                  std::int64_t devices) const;
    /// The same on so many whole machines.
    [[nodiscard]] core::TrainingForecast forecastOn(const core::TrainingDemand& demand,
                                                    std::int64_t machines) const;
    /// The same where they hold it so.
    [[nodiscard]] core::TrainingForecast forecast(const core::Holding& holding) const;
    /// All that train together; refers to the catalogs.
    [[nodiscard]] core::Devices devices() const;
    [[nodiscard]] core::Quantity hours(const core::Quantity& runSeconds,
                                       std::int64_t machines) const;
    [[nodiscard]] core::Quantity usd(const core::Quantity& hours, std::int64_t machines) const;

private:
    [[nodiscard]] core::Purchase purchase() const;
    [[nodiscard]] core::TrainingForecast corrected(const core::TrainingDemand& demand,
                                                   const core::Devices& on) const;
    [[nodiscard]] core::TrainingForecast corrected(core::TrainingForecast forecast) const;

    const Subject& m_subject;
    const Report& m_report;
    std::optional<GivenMachines> m_given; // in place of the offer
    core::Quantity m_price;
    std::string m_why;
};

} // namespace outlay::pricing
