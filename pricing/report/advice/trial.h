// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the figures of a changed experiment again, on the machines that come into question alone.
#pragma once

#include "pricing/report/advice/rule.h"
#include "pricing/report/advice/saving.h"

namespace outlay::pricing {

struct AskedOffers;

class Trials {
public:
    /// On the machines that are cheapest now, those that the plan names, and the offers `also`; training on those alone that
    /// may train. A change may make another machine cheaper still: then it saves more than is promised, never less.
    Trials(const Subject& subject, const Report& report, std::span<const std::uint32_t> also);

    /// Of the experiment as it is.
    [[nodiscard]] const Bill& before() const { return m_before; }
    /// With the patch applied, or why it can't be.
    [[nodiscard]] core::Result<Bill> after(const core::Json& patch);

private:
    Trials(const Subject& subject, const Report& report, const AskedOffers& asked);

    core::Experiment m_experiment;
    Catalogs m_catalogs; // with a smaller book
    Report m_costs;      // of the experiment on those
    AskedKinds m_toTrainOn;
    Bill m_before;
};

} // namespace outlay::pricing
