// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The table of providers against the price book and the tariffs: what a row says has to be found there.
#include "pricing/provider.h"
#include "tests/support/catalogs.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace outlay;
using namespace outlay::pricing;

namespace {

const Catalogs& Today = tests::catalogs();

template <typename Is>
bool hasMachine(std::string_view id, const Is& is)
{
    const auto& machines = Today.book().table().machines;
    return std::any_of(machines.begin(), machines.end(),
                       [&](const Machine& m) { return m.provider == id && is(m.instance); });
}

bool hasTariff(TariffKind kind, std::string_view id, std::string_view service)
{
    const auto& regions = Today.book().table().regions;
    return std::any_of(regions.begin(), regions.end(), [&](const std::string& region) {
        return Today.tariffs()
            .cost({kind, id, service, region}, 1, Today.today(), Today.book().drift())
            .isAvailable();
    });
}

} // namespace

class TestProvider : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyProviderOfTheBookHasARow()
    {
        std::set<std::string> seen;
        for (const Machine& machine : Today.book().table().machines)
            seen.insert(machine.provider);
        QVERIFY(seen.size() > 3);
        for (const std::string& id : seen) {
            QVERIFY2(!provider(id).title.empty(), id.c_str());
            QVERIFY2(!provider(id).billed.empty(), id.c_str());
        }
        // The others come with catalogs.
        QVERIFY(providers().size() > seen.size());
    }

    void whatARowSaysIsThere()
    {
        std::ptrdiff_t families = 0;
        for (const Provider& row : providers()) {
            const auto startsWith = [](std::string_view start) {
                return [start](const std::string& instance) { return instance.starts_with(start); };
            };
            const auto isSold = [&](std::string_view family) {
                return hasMachine(row.id, startsWith(family));
            };
            families += std::count_if(row.burstable.begin(), row.burstable.end(), isSold);
            QVERIFY(row.shownWithout.empty() || hasMachine(row.id, startsWith(row.shownWithout)));
            if (row.storage != provider("nobody").storage)
                QVERIFY2(hasTariff(TariffKind::Storage, row.id, row.storage), row.id.data());
            if (row.rareStorage)
                QVERIFY(hasTariff(TariffKind::Storage, row.id, row.rareStorage->name));
            if (!row.insideTransfer.empty())
                QVERIFY(hasTariff(TariffKind::Transfer, row.id, row.insideTransfer));
            if (row.managed)
                QVERIFY(hasMachine(row.id, [&](const std::string& instance) {
                    return hasTariff(TariffKind::Managed, row.id,
                                     std::string(row.managed->prefix) + instance);
                }));
            if (row.functions) {
                QVERIFY(hasTariff(TariffKind::Serverless, row.id, row.functions->secondsTariff));
                QVERIFY(hasTariff(TariffKind::Serverless, row.id, row.functions->requestsTariff));
            }
        }
        QVERIFY(families >= 3); // the book has some of them; imports bring others
    }

    // An import that names no provider: nothing of the book is taken for another's.
    void namesTellTheProvider()
    {
        int told = 0;
        int all = 0;
        for (const OfferRow& row : Today.book().rows()) {
            const Machine& machine = Today.book().machine(row);
            const std::string_view said = providerOf(machine.instance, Today.book().region(row));
            if (provider(machine.provider).isInstance == nullptr)
                continue;
            ++all;
            told += said == machine.provider ? 1 : 0;
            QVERIFY2(said.empty() || said == machine.provider, machine.instance.c_str());
        }
        QVERIFY(told > 0.98 * all);
    }

    void othersNamesAreUnderstood()
    {
        std::set<std::string_view> names;
        for (const Provider& row : providers()) {
            QVERIFY2(names.insert(row.id).second, row.id.data());
            for (const std::string_view alias : row.aliases) {
                QVERIFY2(names.insert(alias).second, alias.data());
                QCOMPARE(providerNamed(alias), row.id);
            }
            QCOMPARE(providerNamed(row.id), row.id);
        }
        QCOMPARE(providerNamed("lambdalabs"), std::string_view("lambda"));
        QCOMPARE(providerNamed("my-cluster"), std::string_view("my-cluster"));
    }

    void whatIsntKnownIsPlain()
    {
        QCOMPARE(providerTitle("aws"), std::string_view("AWS"));
        QCOMPARE(providerTitle("my-cluster"), std::string_view("my-cluster"));
        const Provider& nobody = provider("my-cluster");
        QVERIFY(nobody.billed.empty() && nobody.burstable.empty() && !nobody.managed);
        QVERIFY(functionProvider().functions.has_value());
    }
};

OUTLAY_TEST(TestProvider)
#include "tst_provider.moc"
