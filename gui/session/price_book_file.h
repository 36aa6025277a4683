// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own price book on disk.
#pragma once

#include "pricing/import/import.h"
#include "pricing/report/catalogs.h"

#include <span>
#include <string>
#include <vector>

namespace outlay::gui {

/// The file that was chosen in the settings, else $XDG_DATA_HOME/outlay/prices.json.
[[nodiscard]] std::string userPricesPath();
[[nodiscard]] std::string usualPricesPath();

/// No offers where there is no file; an error that names it where it can't be read.
[[nodiscard]] core::Result<pricing::OfferTable> loadUserPrices(const std::string& path);
/// Makes the folder if need be, and replaces the file as a whole, with its hash beside it.
[[nodiscard]] core::Result<void> saveUserPrices(const pricing::OfferTable& prices,
                                                const std::string& path);

/// Prices of tokens lie beside the book; an error names their file.
[[nodiscard]] core::Result<pricing::OwnPrices> loadOwnPrices(const std::string& path);
[[nodiscard]] std::string tokenPricesPath(const std::string& path);

/// Which of these files something else than Outlay has changed: sentences.
[[nodiscard]] std::vector<std::string> changedPrices(const std::string& path);

/// Merges what was imported into the book at that place, or into the prices of tokens beside it; what has become of
/// it. That file is written only where something changes.
[[nodiscard]] core::Result<pricing::MergeCounts> mergeIntoBook(const pricing::PriceImport& import,
                                                               const std::string& path);
/// What that would come to.
[[nodiscard]] core::Result<pricing::MergeCounts> lookAt(const pricing::PriceImport& import,
                                                        const std::string& path);
/// The file that it goes into.
[[nodiscard]] std::string placeOf(const pricing::PriceImport& import, const std::string& path);

/// The program's prices with the user's over them.
[[nodiscard]] core::Result<pricing::PriceBook> loadPriceBook();

/// All that Reports are made from today on this machine.
[[nodiscard]] core::Result<pricing::Catalogs> loadCatalogsNow();
[[nodiscard]] core::Result<pricing::Catalogs> loadCatalogsOn(std::string day);
[[nodiscard]] core::Result<pricing::Catalogs> loadCatalogsNow(const pricing::OwnPrices& own);

} // namespace outlay::gui
