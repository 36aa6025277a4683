// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// All offers: those of the program, with those of the user's own book over them.
#pragma once

#include "core/base/quantity.h"
#include "pricing/drift.h"
#include "pricing/price_file.h"
#include "pricing/stack.h"
#include "pricing/trust.h"

#include <span>

namespace outlay::pricing {

class PriceBook {
public:
    /// No offers at all.
    PriceBook();
    /// Of the same offer in both, the one with the newer date counts; of the same date, the user's.
    PriceBook(const PriceFile& program, const OfferTable& user);

    /// The prices that are linked into the program, with the user's over them.
    [[nodiscard]] static core::Result<PriceBook> load(const OfferTable& user = {});

    /// Some offers, judged by all: doubts and drift stay as they are here. `rows` is sorted and has no row
    /// twice.
    [[nodiscard]] PriceBook only(std::span<const std::uint32_t> rows) const;

    /// Sorted by provider, instance, region and purchase.
    [[nodiscard]] const OfferTable& table() const { return m_table; }
    [[nodiscard]] std::span<const OfferRow> rows() const { return m_table.rows; }
    [[nodiscard]] const Machine& machine(const OfferRow& row) const;
    [[nodiscard]] const std::string& region(const OfferRow& row) const;
    [[nodiscard]] const PriceSource& source(const OfferRow& row) const;
    /// By the machine's index.
    [[nodiscard]] const Stack& stack(std::uint32_t machine) const { return *m_stacks[machine]; }

    // All lookups take names as they are written in the book, and find nothing for others.
    [[nodiscard]] std::span<const OfferRow> ofProvider(std::string_view provider) const;
    [[nodiscard]] std::span<const OfferRow> ofInstance(std::string_view provider,
                                                       std::string_view instance) const;
    [[nodiscard]] std::span<const OfferRow> ofMachine(std::uint32_t machine) const;
    /// Indices of rows, over all providers that name a region so.
    [[nodiscard]] std::span<const std::uint32_t> inRegion(std::string_view region) const;
    /// That very offer, in that very region or in the first of any.
    [[nodiscard]] const OfferRow* find(const core::OfferChoice& choice) const;
    /// An empty region means any.
    [[nodiscard]] bool isIn(const OfferRow& row, std::string_view asked) const;

    [[nodiscard]] std::size_t indexOf(const OfferRow& row) const;
    [[nodiscard]] Doubt doubt(std::size_t row) const { return m_doubts[row]; }
    /// As a sentence without a full stop; empty where there is no doubt.
    [[nodiscard]] std::string doubtReason(std::size_t row) const;
    [[nodiscard]] const Drift& drift() const { return m_drift; }

private:
    /// Rows of the machines from `first` to before `last`.
    [[nodiscard]] std::span<const OfferRow> ofMachines(std::size_t first, std::size_t last) const;

    OfferTable m_table;
    Peers m_peers;
    Drift m_drift;
    std::vector<Doubt> m_doubts;
    std::vector<const Stack*> m_stacks; // by machine
    std::vector<std::vector<std::uint32_t>> m_rowsOfRegion;
};

} // namespace outlay::pricing
