// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Picks an option and an alternative from a ranked list, with the reasons and the risk.
#pragma once

#include "pricing/report/offers/support.h"
#include "pricing/report/report.h"
#include "pricing/report/subject.h"

#include <functional>

namespace outlay::pricing {

/// How many times its cost a training counts for by the time that it takes: once where it ends within a working day,
/// or where a deadline says what is soon enough, and `halved_time_worth_percent` more for each doubling of that.
class Patience {
public:
    /// Of a service: its time is no matter of money.
    Patience() = default;
    explicit Patience(const Subject& subject);

    [[nodiscard]] double factor(const Option& option) const;

    [[nodiscard]] bool isFelt() const { return m_power > 0; }
    /// What it costs by the end that a plan goes by, with its time.
    [[nodiscard]] double weight(const Option& option, core::Risk risk) const;

private:
    double m_power = 0;
};

/// What differs between training and serving.
struct Choosing {
    const std::vector<Option>& options; // ranked
    const std::optional<core::OfferChoice>& given;
    std::string_view pointer; // of `given` in the experiment
    std::string_view purpose; // "the run", "a month of the service"
    std::function<OptionText(const Option&)> text;
    std::function<Support(const Option&)> support;
    /// Why nothing is taken where all that fits takes too long: `cheapest` is the first of these.
    std::function<std::string(const Option& cheapest)> tooLong;
    Patience patience;
};

/// What has weak support gives way to what published runs support, where that costs no more than its upper end or a quarter
/// more, or half more than one whose end is open.
/// The cheapest of the plan's way of buying that fits, is allowed and holds deadline and budget, never a
/// doubtful one, and where none is in time the cheapest of the soonest; or what the plan names. Without a deadline a
/// training that ends sooner may cost a little more.
[[nodiscard]] Recommendation recommend(const Subject& subject, const Choosing& choosing);

} // namespace outlay::pricing
