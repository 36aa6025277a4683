// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The table of providers against the price book and the tariffs: what a row says has to be found there.
#include "core/experiment/presets.h"
#include "pricing/provider.h"
#include "pricing/report/known_assumptions.h"
#include "pricing/report/known_names.h"
#include "pricing/report/make_report.h"
#include "pricing/stack.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace outlay;
using namespace outlay::pricing;
using outlay::tests::Today;

namespace {

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
        for (const Provider& row : providers()) {
            const auto startsWith = [](std::string_view start) {
                return [start](const std::string& instance) { return instance.starts_with(start); };
            };
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
        QCOMPARE(providerNamed("AWS"), std::string_view("aws"));
        QCOMPARE(providerNamed("LambdaLabs"), std::string_view("lambda"));
        QVERIFY(isAmong({"Google", "AWS"}, "aws") && !isAmong({"Google"}, "aws"));
        QVERIFY(isAmong({"my-cluster"}, "my-cluster") && !isAmong({}, "aws"));
    }

    void whatIsntKnownIsPlain()
    {
        QCOMPARE(providerTitle("aws"), std::string_view("AWS"));
        QCOMPARE(providerTitle("my-cluster"), std::string_view("my-cluster"));
        const Provider& nobody = provider("my-cluster");
        QVERIFY(nobody.billed.empty() && !nobody.managed);
        QVERIFY(functionProvider().functions.has_value());
    }

    void machinesHaveAStack_data()
    {
        QTest::addColumn<QByteArray>("provider");
        QTest::addColumn<QByteArray>("instance");
        QTest::addColumn<QByteArray>("accelerator");
        QTest::addColumn<QByteArray>("stack");
        const auto row = [](const char* provider, const char* instance, const char* accelerator,
                            const char* stack) {
            QTest::addRow("%s %s %s", provider, instance, accelerator)
                << QByteArray(provider) << QByteArray(instance) << QByteArray(accelerator)
                << QByteArray(stack);
        };
        row("aws", "g4dn.xlarge", "T4", "cuda");
        row("aws", "p6-b200.48xlarge", "B200", "cuda");
        row("aws", "g5g.xlarge", "T4G", "arm");
        row("aws", "g4ad.xlarge", "Radeon Pro V520", "rocm");
        row("aws", "trn1.2xlarge", "Trainium1", "neuron");
        row("aws", "inf2.xlarge", "Inferentia2", "neuron");
        row("aws", "c6i.large", "", "cpu");
        for (const char* arm : {"c7gn.large", "t4g.small", "m6gd.large", "a1.large", "x2gd.large"})
            row("aws", arm, "", "arm");
        row("gcp", "t2a-standard-4", "", "arm");
        row("gcp", "c4a-standard-4", "", "arm");
        row("gcp", "t2d-standard-4", "", "cpu");
        row("gcp", "ct5lp-hightpu-4t", "TPU v5e", "tpu");
        row("azure", "Standard_D2ps_v5", "", "arm");
        row("azure", "Standard_E4pds_v5", "", "arm");
        row("azure", "Standard_D2as_v5", "", "cpu");
        row("azure", "Standard_ND96isr_MI300X_v5", "MI300X", "rocm");
        row("azure", "Standard_NC40ads_H100_v5", "H100-80GB", "cuda");
        row("lambda", "gpu_1x_gh200", "GH200", "arm");
        row("nobody", "big-box", "", "cpu");
        row("nobody", "big-box", "Gaudi 2", "gaudi");
    }
    void machinesHaveAStack()
    {
        QFETCH(QByteArray, provider);
        QFETCH(QByteArray, instance);
        QFETCH(QByteArray, accelerator);
        QFETCH(QByteArray, stack);
        Machine machine;
        machine.provider = provider.toStdString();
        machine.instance = instance.toStdString();
        machine.accelerator = accelerator.toStdString();
        QCOMPARE(QByteArray::fromStdString(std::string(stackOf(machine).id)), stack);
    }

    // What most code is built for, unless the plan says more; what it doesn't name is listed, with the reason.
    void softwareIsTheUsualUnlessItIsNamed()
    {
        for (const core::Preset& one : *core::presets()) {
            const Report report = makeReport(one.experiment, Today);
            for (const Recommendation* r :
                 {&report.training.recommended, &report.serving.recommended}) {
                // Nothing is rented for a service without requests.
                const bool isIdle =
                    r == &report.serving.recommended && one.experiment.serving.requestsPerDay <= 0;
                QVERIFY2(r->option.has_value() != isIdle, one.id.c_str());
                if (isIdle)
                    continue;
                const std::string_view stack = stackOf(r->option->offer.machine).id;
                QVERIFY2(stack == "cuda" || stack == "cpu", one.id.c_str());
            }
        }
        core::Experiment e = core::preset("gpt2")->experiment;
        e.plan.stacks = {"neuron"};
        const Report report = makeReport(e, Today);
        QCOMPARE(std::string(stackOf(report.training.recommended.option->offer.machine).id),
                 std::string("neuron"));
        // An offer that somebody chose is taken, and told to be outside.
        e.plan.stacks.clear();
        e.plan.trainingOffer =
            core::OfferChoice{"aws", "trn1.2xlarge", "us-east-1", core::Purchase::OnDemand};
        const Report chosen = makeReport(e, Today);
        const auto& option = *chosen.training.recommended.option;
        QCOMPARE(option.offer.machine.instance, std::string("trn1.2xlarge"));
        QVERIFY(std::any_of(option.why.begin(), option.why.end(), [](const std::string& why) {
            return why.find("AWS Neuron") != std::string::npos;
        }));
        // An environment names its machine itself.
        e.plan.environments = {{.name = "production", .offer = "aws/c7g.large"}};
        QVERIFY(makeReport(e, Today).month.environments[0].usd.isAvailable());
    }

    // Any region will do where none is named: the one that is first in the ranking.
    void anOfferNeedsNoRegion()
    {
        core::Experiment e = core::preset("gpt2")->experiment;
        e.plan.trainingOffer = core::OfferChoice{"aws", "g5.xlarge", "", core::Purchase::OnDemand};
        QVERIFY(checkNames(e, Today).has_value());
        const Report report = makeReport(e, Today);
        QVERIFY(report.training.recommended.option.has_value());
        QCOMPARE(report.training.recommended.option->offer.machine.instance,
                 std::string("g5.xlarge"));
        for (const Option& option : report.training.options) {
            const OfferRow& row = outlay::tests::catalogs().book().rows()[option.row];
            if (outlay::tests::catalogs().book().machine(row).instance == "g5.xlarge" &&
                row.purchase == core::Purchase::OnDemand) {
                QCOMPARE(option.row, report.training.recommended.chosen->row);
                break; // in the order of the ranking
            }
        }
        e.plan.trainingOffer->purchase = core::Purchase::Reserved3y;
        e.plan.trainingOffer->instance = "p6-b200.48xlarge";
        const auto refused = checkNames(e, Today);
        QVERIFY(!refused);
        QCOMPARE(refused.error().what,
                 std::string("no price is known of 'aws p6-b200.48xlarge' as reserved_3y"));
        e.plan.trainingOffer->region = "nowhere-1";
        QVERIFY(!checkNames(e, Today).has_value());
    }

    void assumptionsThatMakeNoSenseAreRefused_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("what"); // nothing: taken
        QTest::addColumn<QString>("remedy");
        const auto row = [](const char* name, const char* json, const char* what = "",
                            const char* remedy = "change it, or take it out") {
            QTest::addRow("%s %s", name, json) << name << json << what << remedy;
        };
        row("p95_over_median", "-2", "this is no number from 1");
        row("p95_over_median", "0.9", "this is no number from 1");
        row("p95_over_median", "1");
        row("p95_over_median", "null", "this is no number from 1");
        row("startup_minutes", "-0.1", "this is no number from 0");
        row("startup_minutes", "\"5\"", "this is no number from 0");
        row("startup_minutes", "0");
        row("training_start_hour", "24", "this is no number from 0 to below 24");
        row("training_start_hour", "23.5");
        row("training_seconds", "0", "this is no number above 0");
        row("training_seconds", "0.5");
        row("network_gb_per_s", "0", "this is no number above 0");
        row("alert_usd_per_month", "900"); // of a later version, perhaps
        row("serving_way", "\"apis\"", "nothing is known of 'apis'",
            "give instance or serverless or api");
        row("serving_way", "\"api\"");
        row("grid_basis", "3", "this is no text", "give location or market or direct");
        row("storage_class", "7", "this is no text");
        row("storage_class", "\"S3 Standard\"");
        row("own_factor", "-1", "this is no factor of your own runs",
            "give a number above 0, or its value, low and high in that order");
        row("own_factor_here", "1.2");
        row("p95_over_medain", "2", "no assumption is called 'p95_over_medain'",
            "did you mean p95_over_median?");
        row("why_we_think_so", "\"a note\"");
    }
    void assumptionsThatMakeNoSenseAreRefused()
    {
        QFETCH(QString, name);
        QFETCH(QString, json);
        QFETCH(QString, what);
        QFETCH(QString, remedy);
        core::Experiment e = core::preset("gpt2")->experiment;
        e.assumptions.set(name.toStdString(), *core::readJson(json.toStdString()));
        const auto known = checkAssumptions(e);
        QCOMPARE(known.has_value(), what.isEmpty());
        if (known)
            return;
        QCOMPARE(known.error().place, "/assumptions/" + name.toStdString());
        QCOMPARE(known.error().what, what.toStdString());
        QCOMPARE(known.error().remedy, remedy.toStdString());
    }

    void numbersThatChangeNothingAreTold()
    {
        core::Experiment e = core::preset("gpt2")->experiment;
        e.assumptions.set("why_we_think_so", core::Json("a note"));
        e.assumptions.set("p95_over_median", core::Json(2));
        QVERIFY(unknownAssumptions(e).empty());
        e.assumptions.set("p95_over_medain", core::Json(2)); // which is refused
        QVERIFY(unknownAssumptions(e).empty());
        e.assumptions.set("alert_usd_per_month", core::Json(900));
        const auto told = unknownAssumptions(e);
        QCOMPARE(told.size(), std::size_t{1});
        QVERIFY(told.front().starts_with("/assumptions/alert_usd_per_month: "));
    }

    void unknownSoftwareIsRefused()
    {
        core::Experiment e = core::preset("gpt2")->experiment;
        e.plan.stacks = {"cuda", "neurn"};
        const auto refused = checkNames(e, Today);
        QVERIFY(!refused);
        QCOMPARE(refused.error().place, std::string("/plan/stacks/1"));
        QCOMPARE(refused.error().remedy, std::string("did you mean neuron?"));
        e.plan.stacks = {"cuda", "arm"};
        QVERIFY(checkNames(e, Today).has_value());
    }
};

OUTLAY_TEST(TestProvider)
#include "tst_provider.moc"
