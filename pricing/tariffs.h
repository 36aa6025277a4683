// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is not paid by the machine's hour: functions by the request, storage, transfer, and the managed
// services' own hours.
#pragma once

#include "core/base/fields.h"
#include "core/base/quantity.h"
#include "pricing/drift.h"

namespace outlay::pricing {

enum class TariffKind { Serverless, Storage, Transfer, Accelerator, Managed };
inline constexpr std::array<std::string_view, 5> TariffKindNames{
    "serverless", "storage", "transfer", "accelerator", "managed"};

/// One step of a tariff: what a unit costs, up to an amount a month.
struct Tariff {
    TariffKind kind = TariffKind::Storage;
    std::string provider;
    std::string service; // "S3 Standard", "to the internet", "ml.g4dn.xlarge"
    std::string region;
    std::string unit; // "GB-month", "GiB", "request", "GB-second", "hour"
    double usd = 0;
    std::optional<double> upTo; // units a month; nothing: without end
    std::string note;
    std::int64_t source = 0; // index into the tariffs' sources

    bool operator==(const Tariff&) const = default;
};
void describe(core::FieldVisitor& v, Tariff& t);

struct TariffChoice {
    TariffKind kind = TariffKind::Storage;
    std::string_view provider;
    std::string_view service;
    std::string_view region;
};

class Tariffs {
public:
    Tariffs() = default;
    [[nodiscard]] static core::Result<Tariffs> create(std::string_view json);
    /// Those that are linked into the program.
    [[nodiscard]] static core::Result<Tariffs> load();

    [[nodiscard]] std::span<const Tariff> all() const { return m_tariffs; }
    [[nodiscard]] const PriceSource& source(const Tariff& tariff) const;

    /// The steps of one tariff, smallest amount first. Where its region has none, those of another
    /// region that has; none where no region has.
    [[nodiscard]] std::span<const Tariff> steps(const TariffChoice& choice) const;

    /// USD for `amount` units in a month, step by step, as of `today`; assumed where it is another
    /// region's tariff, unavailable where there is none.
    [[nodiscard]] core::Quantity cost(const TariffChoice& choice, double amount,
                                      std::string_view today, const Drift& drift) const;

private:
    std::vector<Tariff> m_tariffs; // sorted by kind, provider, service, region, amount
    std::vector<PriceSource> m_sources;
};

} // namespace outlay::pricing
