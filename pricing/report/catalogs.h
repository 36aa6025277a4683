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

#include <memory>

namespace outlay::pricing {

/// The book's prices as they look on one day.
struct PricedBook {
    std::shared_ptr<const PriceBook> book; // which the prices refer to
    std::string today;
    PricesOn prices;
};

/// One of the data files.
struct DataRow {
    std::string name; // "prices", "grid"
    std::string asOf; // the newest date in it; empty where it has none
    std::string hash; // of its text
};

/// Cheap to copy; nothing in it changes while Reports are made.
struct Catalogs {
    std::string today; // "2026-11-20"; ages count from it
    core::Machine here;
    std::shared_ptr<const PriceBook> book;
    std::shared_ptr<const Tariffs> tariffs;
    std::shared_ptr<const core::HardwareCatalog> hardware;
    std::shared_ptr<const core::Calibration> calibration;
    std::shared_ptr<const core::CarbonCatalog> carbon;
    std::shared_ptr<const MachineDevices> devices; // of the book's machines
    std::shared_ptr<const PricedBook> priced;      // of the book, today
    std::vector<DataRow> data;                     // what was loaded

    // These two, made anew where they are of another book or day, or none.
    [[nodiscard]] std::shared_ptr<const MachineDevices> devicesOfBook() const;
    [[nodiscard]] std::shared_ptr<const PricedBook> pricesToday() const;
};

/// The data that is linked into the program, with the user's offers over its own.
[[nodiscard]] core::Result<Catalogs> loadCatalogs(std::string today, core::Machine here,
                                                  const OfferTable& user = {});

} // namespace outlay::pricing
