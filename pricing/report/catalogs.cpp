// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/catalogs.h"

#include "core/base/resources.h"
#include "core/base/text.h"
#include "pricing/date.h"
#include "pricing/price_file.h"

namespace outlay::pricing {
namespace {

/// Shares what lives as long as the program.
template <typename T>
std::shared_ptr<const T> shared(const core::Result<T>& loaded)
{
    return {std::shared_ptr<const T>(), &*loaded};
}

std::string newestOf(const OfferTable& table)
{
    std::string newest;
    for (const PriceSource& source : table.sources) {
        if (isNewer(source.asOf, newest))
            newest = source.asOf;
    }
    return newest;
}

std::string newestOf(const std::vector<TokenPrice>& prices)
{
    std::string newest;
    for (const TokenPrice& price : prices) {
        if (isNewer(price.checked, newest))
            newest = price.checked;
    }
    return newest;
}

std::string newestOf(const Tariffs& tariffs)
{
    std::string newest;
    for (const Tariff& tariff : tariffs.all()) {
        if (isNewer(tariffs.source(tariff).asOf, newest))
            newest = tariffs.source(tariff).asOf;
    }
    return newest;
}

std::vector<DataRow> dataOf(const Catalogs& catalogs, const OwnPrices& own)
{
    std::vector<DataRow> data{{"prices", newestOf(catalogs.book().table()), {}},
                              {"tariffs", newestOf(catalogs.tariffs()), {}},
                              {"token-prices", catalogs.tokenPrices().asOf(), {}},
                              {"hardware", catalogs.hardware().asOf(), {}},
                              {"calibration", catalogs.calibration().asOf, {}},
                              {"grid", catalogs.carbon().gridAsOf(), {}},
                              {"equivalents", {}, {}}};
    for (DataRow& row : data)
        row.hash = core::resourceSha256(row.name + ".json");
    if (!own.offers.rows.empty())
        data.push_back({"own prices", newestOf(own.offers),
                        core::shortHash(writePriceFile(own.offers, {}, {}))});
    if (!own.tokens.empty())
        data.push_back({"own token prices", newestOf(own.tokens),
                        core::shortHash(writeTokenPrices(own.tokens))});
    return data;
}

} // namespace

core::Result<Catalogs> loadCatalogs(std::string today, core::HostMachine here, const OwnPrices& own)
{
    auto book = PriceBook::load(own.offers);
    if (!book)
        return core::failureOf(book);
    auto tariffs = Tariffs::load();
    if (!tariffs)
        return core::failureOf(tariffs);
    auto tokenPrices = TokenPrices::load();
    if (!tokenPrices)
        return core::failureOf(tokenPrices);
    if (!core::hardwareCatalog())
        return core::failureOf(core::hardwareCatalog());
    if (!core::calibration())
        return core::failureOf(core::calibration());
    if (!core::carbonCatalog())
        return core::failureOf(core::carbonCatalog());
    Catalogs catalogs;
    catalogs.m_today = std::move(today);
    catalogs.m_here = std::move(here);
    catalogs.m_tariffs = std::make_shared<const Tariffs>(std::move(*tariffs));
    catalogs.m_tokenPrices = std::make_shared<const TokenPrices>(tokenPrices->with(own.tokens));
    catalogs.m_hardware = shared(core::hardwareCatalog());
    catalogs.m_calibration = shared(core::calibration());
    catalogs.m_carbon = shared(core::carbonCatalog());
    catalogs = catalogs.with(std::move(*book));
    catalogs.m_data = dataOf(catalogs, own);
    return catalogs;
}

Catalogs Catalogs::on(std::string day) const
{
    Catalogs other = *this;
    other.m_today = std::move(day);
    other.judgePrices();
    return other;
}

Catalogs Catalogs::with(PriceBook book) const
{
    Catalogs other = *this;
    other.m_book = std::make_shared<const PriceBook>(std::move(book));
    other.m_devices = std::make_shared<const MachineDevices>(other.m_book, *m_hardware);
    other.judgePrices();
    return other;
}

void Catalogs::judgePrices()
{
    m_prices = std::make_shared<const PricesOn>(*m_book, m_today);
}

} // namespace outlay::pricing
