// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// `outlay prices` as scripts use it, with a price book of its own.
#include "tests/support/run_program.h"
#include "tests/support/test_class.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace outlay::tests;

namespace {

QString data(const char* name)
{
    return QStringLiteral(OUTLAY_TEST_DATA "/prices/") + QString::fromLatin1(name);
}

} // namespace

class TestPricesCommand : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    // Beside the book; what it says of a service's tokens is believed as far as it is dated.
    void importsPricesOfTokens()
    {
        const Outcome first = run({"import", data("genai_prices.json")});
        QCOMPARE(first.exitCode, 0);
        QVERIFY2(first.out.startsWith("genai-prices: 7 rows, 3 imported, 4 left out\n"), first.out);
        QVERIFY(first.out.contains("3 prices of tokens: 3 new, 0 replaced"));
        QVERIFY(run({"import", data("genai_prices.json")}).out.contains("3 unchanged"));
        const Outcome undated = run({"import", data("litellm.json")});
        QCOMPARE(undated.exitCode, 0);
        QVERIFY2(undated.out.contains("1 new, 0 replaced, 0 unchanged, 1 older"), undated.out);
        QVERIFY2(undated.err.contains("--as-of"), undated.err);
        QCOMPARE(run({"age"}).exitCode, 0);
    }

    void listsWhatIsAskedFor()
    {
        const Outcome o = run({"list", "--provider", "gcp", "--region", "us-central1",
                               "--accelerator", "T4", "--purchase", "on_demand"});
        QCOMPARE(o.exitCode, 0);
        QVERIFY(o.err.isEmpty());
        const QList<QByteArray> lines = o.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 3); // with n1-standard-8
        QVERIFY(lines[0].startsWith("USD/h"));
        QVERIFY2(lines[1].startsWith("0.54 "), lines[1]);
        QVERIFY(lines[1].contains("n1-standard-4+T4"));
        // The default is the whole list.
        QVERIFY(run({}).out.count('\n') > 16'000);
    }

    void doubtfulPricesAreNeverFirst()
    {
        const QList<QByteArray> lines = run({}).out.trimmed().split('\n').mid(1);
        bool isDoubtful = false;
        for (const QByteArray& line : lines) {
            QVERIFY2(!isDoubtful || line.contains("doubtful: "), line);
            isDoubtful = line.contains("doubtful: ");
        }
        QVERIFY(isDoubtful);
        const Outcome stale = run(
            {"--instance", "g4dn.xlarge", "--region", "us-east-1", "--purchase", "reserved_1y"});
        QVERIFY(stale.out.contains("cheapest known, as of 2025-04-04"));
    }

    void jsonCanBeImportedAgain()
    {
        const QStringList filter{"list", "--provider", "aws", "--region", "us-east-1", "--json"};
        const Outcome listed = run(filter);
        QCOMPARE(listed.exitCode, 0);
        const QJsonArray offers =
            QJsonDocument::fromJson(listed.out).object().value(QLatin1String("offers")).toArray();
        QVERIFY(offers.size() > 300);
        for (const QJsonValue& offer : offers)
            QVERIFY(offer.toObject().value(QLatin1String("usd_per_hour")).toDouble() > 0);
        write("listed.json", listed.out);
        const Outcome o = run({"import", at("listed.json")});
        QCOMPARE(o.exitCode, 0);
        QVERIFY2(o.out.contains(" 0 left out"), o.out);
        QCOMPARE(run(filter).out, listed.out);
    }

    void newerPricesAreToldOf()
    {
        const Outcome all = run({"sources"});
        QCOMPARE(all.exitCode, 0);
        for (const char* list : {"SkyPilot catalog: ", "gpuhunt catalog: ", "AWS price list: ",
                                 "Azure Retail Prices: ", "genai-prices: ", "LiteLLM's prices: "})
            QVERIFY2(all.out.contains(list), list);
        QVERIFY(all.out.contains("you have: "));
        // Another list's name for it, and the id that offers have here.
        const Outcome one = run({"sources", "--provider", "lambda"});
        QVERIFY2(one.out.contains("v3/lambdalabs/latest/catalog.zip"), one.out);
        QVERIFY2(one.out.contains("import lambdalabs.csv --provider lambda --as-of"), one.out);
        QVERIFY(!one.out.contains("{") && !one.out.contains("Azure"));
        QVERIFY(!one.out.contains("LiteLLM")); // which has all of its providers in one file
        // A list of one provider alone is that provider's, too.
        const Outcome aws = run({"sources", "--provider", "aws"});
        QVERIFY2(aws.out.contains("AWS price list: ") && !aws.out.contains("Azure"), aws.out);
        const Outcome none = run({"sources", "--provider", "nobody"});
        QCOMPARE(none.exitCode, 2);
    }

    void importsReplaceAndAreListed()
    {
        const Outcome o = run({"import", data("own_offers.json")});
        QCOMPARE(o.exitCode, 0);
        QVERIFY2(o.out.startsWith("prices of Outlay: 7 rows, 2 imported, 5 left out\n"), o.out);
        QVERIFY2(o.out.contains("2 offers: 2 new, 0 replaced, 0 unchanged, 0 older"), o.out);
        QVERIFY2(o.out.contains("1 left out, row 3 the first: its price is zero"), o.out);
        QVERIFY(!o.err.contains("left out")); // once is enough
        const Outcome listed =
            run({"--instance", "g4dn.xlarge", "--region", "us-east-1", "--purchase", "on_demand"});
        QVERIFY2(listed.out.contains("0.45 "), listed.out);
        QVERIFY(listed.out.contains("2026-11-01"));
        QVERIFY(run({"age"}).out.contains("our contract"));
    }

    void importingTwiceIsImportingOnce()
    {
        for (const char* name : {"own_offers.json", "aws_offer.json", "aws_offer.csv",
                                 "azure_retail.json", "gpuhunt.csv", "skypilot_v5.csv"}) {
            QCOMPARE(run({"import", data(name), "--as-of", "2026-11-01"}).exitCode, 0);
            const QByteArray once = contentOf(book());
            const QDateTime written = QFileInfo(book()).lastModified();
            const Outcome again = run({"import", data(name), "--as-of", "2026-11-01"});
            QCOMPARE(again.exitCode, 0);
            QVERIFY2(again.out.contains(": 0 new, 0 replaced, "), again.out);
            QCOMPARE(contentOf(book()), once);
            QCOMPARE(QFileInfo(book()).lastModified(), written);
        }
    }

    // What a catalog of 2022 says doesn't replace what is known of 2026, nor become new by importing.
    void oldPricesStayOld()
    {
        QCOMPARE(run({"import", data("own_offers.json")}).exitCode, 0);
        const Outcome o = run({"import", data("skypilot_v8.csv"), "--as-of", "2022-12-02"});
        QVERIFY2(o.out.contains("2 offers: 1 new, 0 replaced, 0 unchanged, 1 older"), o.out);
        const Outcome listed = run({"--instance", "g4dn.xlarge", "--region", "us-east-1"});
        QVERIFY2(listed.out.contains("0.45 "), listed.out);
        QVERIFY(!listed.out.contains("2022-12-02"));
    }

    void undatedFilesAreSaidToBe()
    {
        const Outcome o = run({"import", data("gpuhunt.csv")});
        QCOMPARE(o.exitCode, 0);
        QVERIFY(o.err.contains("--as-of DATE"));
        const Outcome listed = run({"--provider", "runpod", "--region", "EU-RO-1"});
        QVERIFY(listed.out.contains("undated"));
        QVERIFY(listed.out.contains("doubtful: "));
        QVERIFY(
            !run({"import", data("gpuhunt.csv"), "--as-of", "2026-11-01"}).err.contains("as-of"));
        QVERIFY(!run({"--provider", "runpod", "--region", "EU-RO-1"}).out.contains("doubtful"));
    }

    void agesAreSorted()
    {
        const Outcome o = run({"age"});
        QCOMPARE(o.exitCode, 0);
        const QList<QByteArray> lines = o.out.trimmed().split('\n');
        QVERIFY(lines.size() > 10);
        QVERIFY(lines[0].startsWith("As of"));
        QVERIFY(lines[1].startsWith("2026-07-20"));
        QVERIFY(lines.back().startsWith("- "));
    }

    void refuses_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("what");
        QTest::newRow("action") << QStringList{"lst"} << QByteArray("no action 'lst'");
        QTest::newRow("no file") << QStringList{"import"} << QByteArray("got no file");
        QTest::newRow("a file too much") << QStringList{"list", "x"} << QByteArray("takes no file");
        QTest::newRow("missing") << QStringList{"import", "/no/such"} << QByteArray("/no/such");
        QTest::newRow("a folder") << QStringList{"import", "/tmp"} << QByteArray("is a directory");
        QTest::newRow("region") << QStringList{"--region", "us-est-1"}
                                << QByteArray("did you mean 'us-east-1'?");
        QTest::newRow("provider") << QStringList{"--provider", "acme"} << QByteArray("aws, azure");
        QTest::newRow("purchase") << QStringList{"--purchase", "lease"} << QByteArray("on_demand");
        QTest::newRow("date") << QStringList{"import", "x", "--as-of", "today"}
                              << QByteArray("is no date");
        QTest::newRow("future") << QStringList{"import", "x", "--as-of", "2100-01-01"}
                                << QByteArray("in the future");
    }
    void refuses()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, what);
        const Outcome o = run(words);
        QVERIFY2(isRefusal(o, what), o.err);
        QVERIFY(!QFile::exists(book()));
    }

    void brokenFilesLeaveTheBookAlone_data()
    {
        QTest::addColumn<QByteArray>("content");
        const QByteArray aws = contentOf(data("aws_offer.json"));
        QTest::newRow("cut off") << aws.left(aws.size() - 40);
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("words") << QByteArray("hello, world\n");
        QTest::newRow("zeros") << QByteArray("InstanceType,Region,Price\na.b,us-east-1,0\n");
        QTest::newRow("another version")
            << QByteArray(R"({"format":"outlay-prices","version":9,"machines":{}})");
        QTest::newRow("binary") << QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    }
    void brokenFilesLeaveTheBookAlone()
    {
        QFETCH(QByteArray, content);
        QCOMPARE(run({"import", data("own_offers.json")}).exitCode, 0);
        const QByteArray before = contentOf(book());
        QVERIFY(!before.isEmpty());
        write("bad", content);
        const Outcome o = run({"import", at("bad")});
        QCOMPARE(o.exitCode, 2);
        QVERIFY(o.out.isEmpty());
        QCOMPARE(o.err.count('\n'), 1);
        QVERIFY2(o.err.contains("bad"), o.err);
        QCOMPARE(contentOf(book()), before);
    }

    void aBrokenBookIsNamedAndKept()
    {
        QCOMPARE(run({"import", data("own_offers.json")}).exitCode, 0);
        const QByteArray half = contentOf(book()).left(200);
        QFile file(book());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(half);
        file.close();
        for (const QStringList& words :
             {QStringList{}, QStringList{"age"}, QStringList{"import", data("aws_offer.json")}}) {
            const Outcome o = run(words);
            QCOMPARE(o.exitCode, 2);
            QVERIFY2(o.err.contains("prices.json, line 1: "), o.err);
            QVERIFY2(o.err.contains("; move it away: then the program's own prices count"), o.err);
            QCOMPARE(contentOf(book()), half);
        }
        QVERIFY(QFile::rename(book(), at("away")));
        QCOMPARE(run({"import", data("own_offers.json")}).exitCode, 0);
    }

private:
    [[nodiscard]] QString at(const char* name) const
    {
        return m_folder->filePath(QString::fromLatin1(name));
    }
    [[nodiscard]] QString book() const { return at("data/outlay/prices.json"); }

    void write(const char* name, const QByteArray& content) const
    {
        QFile file(at(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }

    [[nodiscard]] Outcome run(QStringList words) const
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_DATA_HOME"), at("data"));
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), at("data"));
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("none-at-all"));
        process.setProcessEnvironment(environment);
        words.prepend(QStringLiteral("prices"));
        process.start(QStringLiteral(OUTLAY_PROGRAM), words);
        return outcomeOf(process);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

OUTLAY_TEST(TestPricesCommand)
#include "tst_prices_command.moc"
