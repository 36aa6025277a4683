// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The machine that time is applied for: a centre's, or the one of the Report's offer.
#pragma once

#include "pricing/application/application.h"
#include "pricing/report/offers/chosen_machine.h"

#include <memory>

namespace outlay::pricing {

/// Refers to the subject and the report.
class AppliedMachine {
public:
    [[nodiscard]] static core::Result<AppliedMachine> create(const Subject& subject,
                                                             const Report& report,
                                                             const ApplicationRequest& request);

    /// Why there is none, or no forecast on it; else empty.
    [[nodiscard]] const std::string& why() const { return m_machine.why(); }
    [[nodiscard]] std::string place() const { return m_machine.name(); }
    [[nodiscard]] std::string deviceName() const;
    [[nodiscard]] double memoryGb() const; // of a device; 0: not known
    [[nodiscard]] bool isProcessor() const;
    [[nodiscard]] std::string hoursName() const; // "GPU-hours", "core-hours"
    [[nodiscard]] std::string unit() const;      // the centre's, else the same

    /// Whole nodes from the first full one on.
    [[nodiscard]] std::int64_t asked() const { return m_asked; }
    [[nodiscard]] std::int64_t nodes() const;
    [[nodiscard]] std::vector<DevicesRow> rows() const;
    /// Devices or cores that so many devices are counted as.
    [[nodiscard]] double counted(std::int64_t devices) const;
    [[nodiscard]] double unitsPerHour(std::int64_t devices) const;

    /// On the devices that are asked for.
    [[nodiscard]] core::TrainingForecast forecast() const;
    [[nodiscard]] core::Quantity watts(const core::TrainingForecast& forecast) const;
    [[nodiscard]] core::Site site() const;
    /// What it takes for granted of the machine.
    [[nodiscard]] std::vector<ApplicationTerm> terms() const;

private:
    AppliedMachine(const Subject& subject, const Report& report);
    AppliedMachine(const Subject& subject, const Report& report, Centre centre,
                   std::shared_ptr<const MachineKind> kind);

    void ask(const ApplicationRequest& request);
    [[nodiscard]] std::int64_t fewest() const;
    [[nodiscard]] std::int64_t cores() const; // of a node of processors

    const Subject& m_subject;
    const Report& m_report;
    std::optional<Centre> m_centre;
    std::shared_ptr<const MachineKind> m_kind; // of the centre; the machine refers to it
    ChosenMachine m_machine;
    std::int64_t m_asked = 1;
    std::int64_t m_wanted = 1; // before nodes are filled
};

} // namespace outlay::pricing
