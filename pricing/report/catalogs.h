// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// All that a Report may know of the outside.
#pragma once

#include "core/carbon/carbon_catalog.h"
#include "core/hardware/calibration.h"
#include "core/hardware/hardware_catalog.h"
#include "core/probe/machine.h"
#include "pricing/prices_on.h"
#include "pricing/report/machine_devices.h"
#include "pricing/tariffs.h"
#include "pricing/token_prices.h"

#include <memory>

namespace outlay::pricing {

/// One of the data files.
struct DataRow {
    std::string name; // "prices", "grid"
    std::string asOf; // the newest date in it; empty where it has none
    std::string hash; // of its text
};

/// What a user keeps beside the program's data.
struct OwnPrices {
    OfferTable offers;
    std::vector<TokenPrice> tokens;
};

/// Cheap to copy. Whole or not at all: the devices are always those of the book, the prices always judged
/// on the day.
class Catalogs {
public:
    [[nodiscard]] const std::string& today() const { return m_today; } // "2026-11-20"
    [[nodiscard]] const core::HostMachine& here() const { return m_here; }
    [[nodiscard]] const PriceBook& book() const { return *m_book; }
    /// For who outlives the catalogs.
    [[nodiscard]] std::shared_ptr<const PriceBook> sharedBook() const { return m_book; }
    [[nodiscard]] const Tariffs& tariffs() const { return *m_tariffs; }
    [[nodiscard]] const TokenPrices& tokenPrices() const { return *m_tokenPrices; }
    [[nodiscard]] const core::HardwareCatalog& hardware() const { return *m_hardware; }
    [[nodiscard]] const core::Calibration& calibration() const { return *m_calibration; }
    [[nodiscard]] const core::CarbonCatalog& carbon() const { return *m_carbon; }
    [[nodiscard]] const MachineDevices& devices() const { return *m_devices; }
    [[nodiscard]] const PricesOn& prices() const { return *m_prices; }
    [[nodiscard]] const std::vector<DataRow>& data() const { return m_data; }

    // The same but for one thing, with what follows from it.
    [[nodiscard]] Catalogs on(std::string day) const;
    [[nodiscard]] Catalogs with(PriceBook book) const;

private:
    Catalogs() = default;
    friend core::Result<Catalogs> loadCatalogs(std::string today, core::HostMachine here,
                                               const OwnPrices& own);
    void judgePrices();

    std::string m_today;
    core::HostMachine m_here;
    std::shared_ptr<const PriceBook> m_book; // which devices and prices refer to
    std::shared_ptr<const Tariffs> m_tariffs;
    std::shared_ptr<const TokenPrices> m_tokenPrices;
    std::shared_ptr<const core::HardwareCatalog> m_hardware;
    std::shared_ptr<const core::Calibration> m_calibration;
    std::shared_ptr<const core::CarbonCatalog> m_carbon;
    std::shared_ptr<const MachineDevices> m_devices;
    std::shared_ptr<const PricesOn> m_prices;
    std::vector<DataRow> m_data;
};

/// The data that is linked into the program, with the user's over its own.
[[nodiscard]] core::Result<Catalogs> loadCatalogs(std::string today, core::HostMachine here,
                                                  const OwnPrices& own = {});

} // namespace outlay::pricing
