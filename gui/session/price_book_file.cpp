// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/price_book_file.h"

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/version.h"
#include "gui/session/file_hash.h"
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

namespace {

/// Nor where its folder is one that this user may not even enter: what is in there is somebody else's.
bool isMissing(const std::string& path)
{
    std::error_code error;
    return !fs::exists(path, error) && (!error || error == std::errc::permission_denied);
}

/// Nobody wrote the usual one by hand: what can be done about it is to do without.
tl::unexpected<core::Error> unreadable(core::Error error, const std::string& path)
{
    if (path == usualPricesPath() || path == tokenPricesPath(usualPricesPath()))
        error.remedy =
            "move it away: then the program's own prices count, and yours can be imported "
            "again";
    return tl::unexpected<core::Error>(error.in(path));
}

} // namespace

Result<pricing::OfferTable> loadUserPrices(const std::string& path)
{
    // A file that was chosen has to be there.
    if (path == usualPricesPath() && isMissing(path))
        return pricing::OfferTable{};
    const auto text = core::loadFile(path);
    if (!text)
        return core::failureOf(text);
    core::ByteWindow window(*text);
    const auto file = pricing::readPriceFile(window);
    if (!file)
        return unreadable(file.error(), path);
    return pricing::OfferTableBuilder(file->offers).take();
}

namespace {

/// Makes the folder if need be.
Result<void> saveInFolder(const std::string& path, const std::string& text)
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
    return saveWithHash(path, text);
}

Result<std::vector<pricing::TokenPrice>> loadTokenPrices(const std::string& path)
{
    if (isMissing(path))
        return std::vector<pricing::TokenPrice>{};
    const auto text = core::loadFile(path);
    if (!text)
        return core::failureOf(text);
    auto prices = pricing::readTokenPrices(*text);
    if (!prices)
        return unreadable(prices.error(), path);
    return prices;
}

} // namespace

std::string tokenPricesPath(const std::string& path)
{
    return (fs::path(path).parent_path() / "token-prices.json").string();
}

Result<pricing::OwnPrices> loadOwnPrices(const std::string& path)
{
    auto offers = loadUserPrices(path);
    if (!offers)
        return core::failureOf(offers);
    auto tokens = loadTokenPrices(tokenPricesPath(path));
    if (!tokens)
        return core::failureOf(tokens);
    return pricing::OwnPrices{std::move(*offers), std::move(*tokens)};
}

namespace {

Result<void> saveTokenPrices(const std::vector<pricing::TokenPrice>& prices,
                             const std::string& file)
{
    const std::string text = pricing::writeTokenPrices(prices);
    // What couldn't be read again would shut the user out.
    if (const auto again = pricing::readTokenPrices(text); !again)
        return tl::unexpected<core::Error>(again.error().in(file));
    return saveInFolder(file, text);
}

pricing::MergeCounts merge(const pricing::PriceImport& import, pricing::OwnPrices& own)
{
    return import.isOfTokens() ? pricing::merge(import.tokens, own.tokens)
                               : pricing::merge(import.offers, own.offers);
}

} // namespace

Result<void> saveUserPrices(const pricing::OfferTable& prices, const std::string& path)
{
    return saveInFolder(path, pricing::writePriceFile(prices,
                                                      "outlay " + std::string(core::ProgramVersion),
                                                      core::nowUtc()));
}

std::string placeOf(const pricing::PriceImport& import, const std::string& path)
{
    return import.isOfTokens() ? tokenPricesPath(path) : path;
}

namespace {

/// Of the two files the one that it goes into: the other may be broken.
Result<pricing::OwnPrices> loadFor(const pricing::PriceImport& import, const std::string& path)
{
    pricing::OwnPrices own;
    if (import.isOfTokens()) {
        auto tokens = loadTokenPrices(tokenPricesPath(path));
        if (!tokens)
            return core::failureOf(tokens);
        own.tokens = std::move(*tokens);
        return own;
    }
    auto offers = loadUserPrices(path);
    if (!offers)
        return core::failureOf(offers);
    own.offers = std::move(*offers);
    return own;
}

} // namespace

Result<pricing::MergeCounts> lookAt(const pricing::PriceImport& import, const std::string& path)
{
    auto own = loadFor(import, path);
    if (!own)
        return core::failureOf(own);
    return merge(import, *own);
}

Result<pricing::MergeCounts> mergeIntoBook(const pricing::PriceImport& import,
                                           const std::string& path)
{
    auto own = loadFor(import, path);
    if (!own)
        return core::failureOf(own);
    const pricing::OwnPrices before = *own;
    const pricing::MergeCounts counts = merge(import, *own);
    auto saved = Result<void>();
    if (own->tokens != before.tokens)
        saved = saveTokenPrices(own->tokens, tokenPricesPath(path));
    else if (own->offers != before.offers)
        saved = saveUserPrices(own->offers, path);
    if (!saved)
        return core::failureOf(saved);
    return counts;
}

std::vector<std::string> changedPrices(const std::string& path)
{
    std::vector<std::string> sentences;
    for (const std::string& file : {path, tokenPricesPath(path)}) {
        if (auto change = changeOf(file))
            sentences.push_back(std::move(*change));
    }
    return sentences;
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
    const auto own = loadOwnPrices(userPricesPath());
    if (!own)
        return core::failureOf(own);
    return pricing::loadCatalogs(std::move(day), core::thisMachine(), *own);
}

core::Result<pricing::Catalogs> loadCatalogsNow(const pricing::OwnPrices& own)
{
    return pricing::loadCatalogs(core::todayUtc(), core::thisMachine(), own);
}

} // namespace outlay::gui
