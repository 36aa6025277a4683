// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/price_book_file.h"

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/version.h"
#include "gui/session/settings.h"
#include "pricing/offer_table.h"

#include <filesystem>
#include <QStandardPaths>

namespace outlay::gui {

namespace fs = std::filesystem;
using core::Result;

std::string usualPricesPath()
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
    return folder.toStdString() + "/outlay/prices.json";
}

std::string userPricesPath()
{
    const QString chosen = storedPriceBook();
    return chosen.isEmpty() ? usualPricesPath() : chosen.toStdString();
}

Result<pricing::OfferTable> loadUserPrices(const std::string& path)
{
    std::error_code error;
    // A file that was chosen has to be there.
    if (path == usualPricesPath() && !fs::exists(path, error) && !error)
        return pricing::OfferTable{};
    const auto text = core::loadFile(path);
    if (!text)
        return core::failureOf(text);
    core::ByteWindow window(*text);
    const auto file = pricing::readPriceFile(window);
    if (!file)
        return tl::unexpected<core::Error>(file.error().in(path));
    return pricing::OfferTableBuilder(file->offers).take();
}

Result<void> saveUserPrices(const pricing::OfferTable& prices, const std::string& path)
{
    std::error_code error;
    const fs::path folder = fs::path(path).parent_path();
    fs::create_directories(folder, error);
    if (error)
        return tl::unexpected<core::Error>(
            core::Error{core::ErrorCode::Input,
                        "the folder can't be made (" + error.message() + ")",
                        "check its permissions",
                        {},
                        folder.string()});
    return core::saveFile(
        path, pricing::writePriceFile(prices, "outlay " + std::string(core::ProgramVersion),
                                      core::nowUtc()));
}

core::Result<pricing::MergeCounts> mergeIntoBook(const pricing::OfferTable& offers,
                                                 const std::string& path)
{
    auto book = loadUserPrices(path);
    if (!book)
        return core::failureOf(book);
    const pricing::OfferTable before = *book;
    const pricing::MergeCounts counts = pricing::merge(offers, *book);
    if (*book != before) {
        if (const auto saved = saveUserPrices(*book, path); !saved)
            return core::failureOf(saved);
    }
    return counts;
}

Result<pricing::PriceBook> loadPriceBook()
{
    const auto user = loadUserPrices(userPricesPath());
    if (!user)
        return core::failureOf(user);
    return pricing::PriceBook::load(*user);
}

core::Result<pricing::Catalogs> loadCatalogsNow()
{
    return loadCatalogsOn(core::todayUtc());
}

core::Result<pricing::Catalogs> loadCatalogsOn(std::string day)
{
    const auto user = loadUserPrices(userPricesPath());
    if (!user)
        return core::failureOf(user);
    return pricing::loadCatalogs(std::move(day), core::thisMachine(), *user);
}

core::Result<pricing::Catalogs> loadCatalogsNow(const pricing::OfferTable& user)
{
    return pricing::loadCatalogs(core::todayUtc(), core::thisMachine(), user);
}

} // namespace outlay::gui
