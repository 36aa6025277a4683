// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of prices by the token that others publish: which of their models are weights that we know, and what is
// left out. The lists are made for the tests, in the formats of genai-prices and LiteLLM.
#include "core/base/file.h"
#include "pricing/import/importers.h"
#include "pricing/import/token_lists.h"
#include "tests/support/catalogs.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <sstream>

using namespace outlay;
using namespace outlay::pricing;

namespace {

const TokenPrices& known()
{
    return tests::catalogs().tokenPrices();
}

const ImportOptions Undated{.today = "2026-11-20"};
const std::string Genai = core::loadFile(OUTLAY_TEST_DATA "/prices/genai_prices.json").value();
const std::string LiteLlm = core::loadFile(OUTLAY_TEST_DATA "/prices/litellm.json").value();

core::Result<PriceImport> readList(const std::string& text, const ImportOptions& options = Undated)
{
    std::istringstream file(text);
    return importTokenList(file, options);
}

const TokenPrice* priceOf(const PriceImport& import, std::string_view model)
{
    for (const TokenPrice& price : import.tokens) {
        if (price.model == model)
            return &price;
    }
    return nullptr;
}

} // namespace

class TestTokenLists : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Whoever read the program's own list by hand gave each name its weights: most are told alike, none otherwise.
    void namesMeanWeights()
    {
        std::size_t told = 0;
        for (const TokenPrice& price : known().all()) {
            const std::string found = WeightNames(known().weights()).meantBy(price.model);
            QVERIFY2(found.empty() || found == price.weights, price.model.c_str());
            told += found.empty() ? 0U : 1U;
        }
        qInfo("%zu of %zu", told, known().all().size());
        QVERIFY(10 * told >= 9 * known().all().size());
    }

    void otherModelsAreOthers_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* model : {"deepseek-r1-distill-llama-70b",
                                  "llama-guard-3-8b",
                                  "Hermes-3-Llama-3.1-8B",
                                  "Llama-4-Scout-17B-128E-Instruct",
                                  "deepseek-v3.2",
                                  "DeepSeek-V3.2-Exp",
                                  "deepseek-r1-distill-qwen-32b",
                                  "kimi-k2.5",
                                  "kimi-k2p6",
                                  "GLM-4.5V",
                                  "GLM-4.7-FlashX",
                                  "glm-4.5-airx",
                                  "gpt-oss-safeguard-20b",
                                  "qwen3-30b-a3b-2508",
                                  "DeepSeek-R1-0528-Qwen3-8B",
                                  "llama-3.2-11b-vision",
                                  "gpt-4o",
                                  "dolphin-mixtral-8x7b",
                                  "qwen3-coder-8b-a1b",
                                  "llama-3.1-nemotron-70b-instruct",
                                  "mistral-7b-openorca",
                                  "Llama-3-8B-Instruct-262k",
                                  "gemma-7b-1.1-it",
                                  "mixtral-8x7b-22b",
                                  "Qwen3-8B-1.5",
                                  "Qwen2.5-VL-72B-Instruct",
                                  "",
                                  "8b",
                                  "llama"})
            QTest::newRow(*model != '\0' ? model : "none") << QString::fromUtf8(model);
    }
    void otherModelsAreOthers()
    {
        QFETCH(QString, model);
        QCOMPARE(WeightNames(known().weights()).meantBy(model.toStdString()), std::string());
    }

    void genaiPrices()
    {
        QVERIFY(looksLikeTokenList(Genai));
        const auto import = readList(Genai);
        QVERIFY2(import.has_value(), import ? "" : import.error().sentence().c_str());
        QCOMPARE(import->account.rows, std::size_t{7});
        QCOMPARE(import->account.imported, std::size_t{3});
        QCOMPARE(import->account.leftOut.size(),
                 std::size_t{4}); // a guard, free, by the hour, no output
        const TokenPrice llama{.provider = "groq",
                               .model = "llama-3.1-8b-instant",
                               .weights = "Llama 3.1 8B",
                               .input = 0.06,
                               .output = 0.09,
                               .cachedInput = 0.03,
                               .context = 131072,
                               .checked = "2026-09-01"};
        QCOMPARE(*priceOf(*import, "llama-3.1-8b-instant"), llama);
        const TokenPrice* mixtral = priceOf(*import, "mixtral-8x7b-32768");
        QVERIFY(mixtral != nullptr && mixtral->input == 3 && mixtral->output == 4);
        QVERIFY(
            priceOf(*import, "gemma2-9b-it")->checked.empty()); // nobody checked it in the future
    }

    // In its third version the list stands beside its units.
    void genaiPricesWithUnits()
    {
        const auto import = readList(R"({"units": {}, "providers": )" + Genai + "}");
        QVERIFY(import.has_value());
        QCOMPARE(import->tokens, readList(Genai)->tokens);
    }

    void liteLlmIsUndated()
    {
        QVERIFY(looksLikeTokenList(LiteLlm));
        const auto import = readList(LiteLlm);
        QVERIFY(import.has_value());
        QCOMPARE(import->account.rows, std::size_t{4});
        QCOMPARE(import->account.imported, std::size_t{2});
        const TokenPrice* groq = priceOf(*import, "llama-3.1-8b-instant");
        QVERIFY(groq != nullptr && qFuzzyCompare(groq->input, 0.05) &&
                qFuzzyCompare(groq->output, 0.08));
        QCOMPARE(trustOf(*groq, "2026-11-20"), Trust::Doubtful);
        QCOMPARE(priceOf(*import, "meta.llama3-1-8b-instruct-v1:0")->provider, std::string("aws"));
        const auto dated = readList(LiteLlm, {.asOf = "2026-11-01", .today = "2026-11-20"});
        QCOMPARE(trustOf(dated->tokens.front(), "2026-11-20"), Trust::Fresh);
    }

    // What was compared with the provider's page isn't given up for what nobody dated.
    void newerOnesCount()
    {
        const auto import = readList(Genai);
        const TokenPrices all = known().with(import->tokens);
        // Whose figure it is isn't forgotten: the source of the program's own stands behind none of it.
        const auto importedIn = [](const TokenPrices& prices) {
            const auto& rows = prices.all();
            return std::count_if(rows.begin(), rows.end(),
                                 [](const TokenPrice& price) { return price.isImported; });
        };
        QVERIFY(importedIn(known()) == 0 && importedIn(all) > 0);
        const auto groq = [&](const TokenPrices& prices) {
            const auto found =
                std::find_if(prices.all().begin(), prices.all().end(), [](const TokenPrice& price) {
                    return price.provider == "groq" && price.model == "llama-3.1-8b-instant";
                });
            return found->input;
        };
        QCOMPARE(groq(known()), 0.05);
        QCOMPARE(groq(all), 0.06);
        const auto undated = readList(LiteLlm);
        QCOMPARE(groq(all.with(undated->tokens)), 0.06);
        std::vector<TokenPrice> own = undated->tokens;
        QCOMPARE(merge(import->tokens, own).replaced, std::size_t{1});
        QCOMPARE(merge(import->tokens, own).same, import->tokens.size());
        QCOMPARE(merge(undated->tokens, own).older, std::size_t{1});
        const auto read = readTokenPrices(writeTokenPrices(own));
        QVERIFY(read.has_value() && *read == own);
    }

    void badListsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("cut off") << QByteArray(Genai.data(), 700);
        QTest::newRow("no list") << QByteArray("\"input_cost_per_token\"");
        QTest::newRow("nothing known")
            << QByteArray(R"({"gpt-4o": {"input_cost_per_token": 1e-06}})");
        QTest::newRow("of another kind")
            << QByteArray(R"([1, [2], {"models": 3}, {"models": [4, null]}])");
        QTest::newRow("empty") << QByteArray("[]");
    }
    void badListsAreRefused()
    {
        QFETCH(QByteArray, text);
        const auto import = readList(text.toStdString());
        QVERIFY(!import.has_value());
        QVERIFY(!import.error().what.empty() && !import.error().sentence().empty());
    }
};

OUTLAY_TEST(TestTokenLists)
#include "tst_token_lists.moc"
