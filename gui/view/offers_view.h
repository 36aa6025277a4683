// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// All offers for the training: rows whose words are made when one is looked at, and time against cost.
#pragma once

#include "core/base/json.h"
#include "gui/view/chart_model.h"
#include "gui/view/display_locale.h"
#include "pricing/report/report.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace outlay::gui {

enum class OfferColumn {
    Provider,
    Instance,
    Region,
    Accelerator,
    Purchase,
    Hours,
    Usd,
    Fits,
    AsOf,
    Note
};
inline constexpr int OfferColumns = static_cast<int>(OfferColumn::Note) + 1;

[[nodiscard]] QString titleOf(OfferColumn column);
[[nodiscard]] bool isNumber(OfferColumn column);

struct OfferFilter {
    QString words; // each of them must be in the row
    bool onlySound = false;

    bool operator==(const OfferFilter&) const = default;
};

/// Keeps what it needs of a Report, so that it may outlive it.
class OfferRows {
public:
    OfferRows() = default;
    OfferRows(const pricing::Report& report, const pricing::Catalogs& catalogs);

    [[nodiscard]] std::size_t count() const { return m_options.size(); }
    [[nodiscard]] const pricing::Option& option(std::size_t row) const { return m_options[row]; }
    [[nodiscard]] std::optional<double> hours(std::size_t row) const;
    /// Before each run's first step, the same everywhere.
    [[nodiscard]] double startupHours() const { return m_startupHours; }
    /// Of the run itself.
    [[nodiscard]] std::optional<double> workHours(std::size_t row) const;
    [[nodiscard]] QString text(std::size_t row, OfferColumn column,
                               const DisplayLocale& locale) const;
    /// All of it in a few lines.
    [[nodiscard]] QString hint(std::size_t row, const DisplayLocale& locale) const;
    [[nodiscard]] bool isLess(std::size_t a, std::size_t b, OfferColumn column) const;
    [[nodiscard]] core::OfferChoice choice(std::size_t row) const;
    /// Rows that pass, in the order of the Report.
    [[nodiscard]] std::vector<std::uint32_t> passing(const OfferFilter& filter) const;

private:
    [[nodiscard]] const pricing::OfferRow& offer(std::size_t row) const;
    [[nodiscard]] const pricing::Machine& machine(std::size_t row) const;
    [[nodiscard]] double machines(std::size_t row) const;
    /// "3.1 h (2.4 h to 4 h)".
    [[nodiscard]] QString hoursText(std::size_t row, const DisplayLocale& locale) const;
    [[nodiscard]] QString note(std::size_t row) const;

    std::vector<pricing::Option> m_options;
    std::vector<std::optional<pricing::HoursRange>> m_hours; // beside the options
    std::vector<double> m_machines; // that train together, by kind of machine
    double m_startupHours = 0;
    std::shared_ptr<const pricing::PriceBook> m_book;
};

/// What the limits of the chart are of, in its order.
inline constexpr std::array<std::string_view, 2> LimitPointers{"/plan/deadline_hours",
                                                               "/plan/budget_usd"};
/// What the experiment says of a limit that stands at a place of the chart.
[[nodiscard]] core::Json limitValue(const OfferRows& rows, std::size_t limit,
                                    std::optional<double> at, const DisplayLocale& locale);

struct OffersView {
    QString verdict;
    ChartModel chart; // points name their row by their key

    bool operator==(const OffersView&) const = default;
};

/// `shown` are the rows to draw.
[[nodiscard]] OffersView makeOffersView(const OfferRows& rows,
                                        const std::vector<std::uint32_t>& shown,
                                        const core::Plan& plan, const DisplayLocale& locale);

/// Those than which none is both faster and cheaper, the fastest first: of what keeps the plan's limits, or of
/// all that could be bought.
enum class FrontOf { Plan, Usable };
[[nodiscard]] std::vector<std::uint32_t> paretoFront(const OfferRows& rows,
                                                     const std::vector<std::uint32_t>& among,
                                                     FrontOf of = FrontOf::Plan);

} // namespace outlay::gui
