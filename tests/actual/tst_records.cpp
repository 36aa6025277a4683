// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What others keep of runs, in files made here as their formats say.
#include "pricing/actual/record.h"
#include "tests/support/packed.h"
#include "tests/support/test_class.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace outlay;
using namespace outlay::pricing;

namespace {

const QByteArray CodeCarbon =
    "timestamp,project_name,run_id,experiment_id,duration,emissions,emissions_rate,cpu_power,"
    "energy_consumed,country_name\n"
    "2026-11-01T10:00:00,p,first,e,600.5,0.02,3e-05,40,0.08,Germany\n"
    "2026-11-02T10:00:00,p,second,e,1200,0.05,4e-05,40,0.2,Germany\n"
    "2026-11-03T10:00:00,p,broken,e,,0.05,4e-05,40,0.2,Germany\n";

const QByteArray Slurm = "JobID|JobName|Elapsed|ElapsedRaw|ConsumedEnergyRaw|Start|State\n"
                         "101|train|01:00:00|3600||2026-11-01T10:00:00|PREEMPTED\n"
                         "101|train|1-02:00:00|93600||2026-11-01T12:00:00|COMPLETED\n"
                         "101.batch|batch|1-02:00:00|93600|7200000|2026-11-01T12:00:00|COMPLETED\n"
                         "102|other|00:10:00|||2026-11-03T10:00:00|COMPLETED\n"
                         "102.0|step|00:10:00||1.8M|2026-11-03T10:00:00|COMPLETED\n";

const QByteArray Focus =
    "BilledCost,BillingCurrency,ChargePeriodStart,ResourceId,Tags\n"
    "1.25,USD,2026-11-01T00:00:00Z,arn:aws:ec2:us-east-1:1:instance/i-aa,\"{\"\"run\"\": "
    "\"\"x1\"\"}\"\n"
    "2.50,USD,2026-11-02T00:00:00Z,arn:aws:ec2:us-east-1:1:instance/i-aa,{}\n"
    "9.00,USD,2026-11-02T00:00:00Z,arn:aws:s3:::bucket,\"{\"\"run\"\": \"\"x2\"\"}\"\n";

const QByteArray Cur =
    "identity/LineItemId,lineItem/UsageStartDate,lineItem/ResourceId,lineItem/UnblendedCost,"
    "lineItem/CurrencyCode,resourceTags/user:run\n"
    "a,2026-11-01T00:00:00Z,i-aa,0.5,USD,x1\n"
    "b,2026-11-01T01:00:00Z,i-aa,0.75,USD,x1\n"
    "c,2026-11-01T01:00:00Z,i-bb,4,USD,x2\n"
    "d,2026-11-01T01:00:00Z,i-aa,,USD,x1\n";

QByteArray packed(const QByteArray& text)
{
    return QByteArray::fromStdString(tests::packed(text.toStdString()));
}

QByteArray flipped(QByteArray bytes, qsizetype at)
{
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    return bytes;
}

} // namespace

class TestRecords : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void codeCarbon()
    {
        const auto last = read(CodeCarbon, {});
        QVERIFY(last.has_value());
        QCOMPARE(last->seconds, std::optional(1200.0));
        QCOMPARE(last->kwh, std::optional(0.2));
        QCOMPARE(last->kgCo2e, std::optional(0.05));
        QVERIFY(!last->usd);
        QCOMPARE(read(CodeCarbon, {.run = "first"})->seconds, std::optional(600.5));
        QVERIFY(!read(CodeCarbon, {.run = "third"}));
        QVERIFY(!read(CodeCarbon, {.run = "broken"}));
    }

    // A job that was put back ran twice; its energy is its steps'.
    void slurm()
    {
        const auto job = read(Slurm, {.run = "101"});
        QVERIFY(job.has_value());
        QCOMPARE(job->seconds, std::optional(3600.0 + 93600));
        QCOMPARE(job->kwh, std::optional(2.0));
        QCOMPARE(job->began, std::string("2026-11-01T10:00:00"));
        const auto last = read(Slurm, {});
        QCOMPARE(last->seconds, std::optional(600.0));
        QCOMPARE(last->kwh, std::optional(0.5));
        QVERIFY(!read(Slurm, {.run = "10"}));
    }

    void elapsedTimes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<double>("seconds");
        QTest::newRow("days") << QByteArray("2-03:04:05") << 2 * 86400.0 + 3 * 3600 + 4 * 60 + 5;
        QTest::newRow("hours") << QByteArray("13:04:05") << 13 * 3600.0 + 4 * 60 + 5;
        QTest::newRow("minutes") << QByteArray("04:05") << 245.0;
    }
    void elapsedTimes()
    {
        QFETCH(QByteArray, text);
        QFETCH(double, seconds);
        const auto job = read("JobID|Elapsed\n7|" + text + "\n", {});
        QVERIFY(job.has_value());
        QCOMPARE(job->seconds, std::optional(seconds));
    }

    void trackers()
    {
        const auto state =
            read(R"({"global_step": 500, "max_steps": 500, "log_history": [)"
                 R"({"loss": 1, "step": 10}, {"train_runtime": 123.5, "step": 500}]})",
                 {});
        QVERIFY(state && state->seconds == 123.5);
        QVERIFY(!read(R"({"log_history": [{"loss": 1, "step": 10}]})", {}));
        const auto wandb = read(R"({"_runtime": 77.25, "loss": 0.1})", {});
        QVERIFY(wandb && wandb->seconds == 77.25);
        const auto mlflow = read("artifact_uri: file:///m\nend_time: 1732592460500\nrun_id: a\n"
                                 "start_time: 1732592400000\nstatus: 3\n",
                                 {});
        QVERIFY(mlflow && mlflow->seconds == 60.5);
        QVERIFY(!read("artifact_uri: x\nend_time: null\n\nstart_time: 1732592400000\n", {}));
    }

    void bills()
    {
        const auto resource = read(Focus, {.resource = "i-aa"});
        QVERIFY(resource.has_value());
        QCOMPARE(resource->usd, std::optional(3.75));
        QCOMPARE(resource->rows, std::size_t{2});
        QCOMPARE(read(Focus, {.tag = "run=x1"})->usd, std::optional(1.25));
        QCOMPARE(read(Focus, {.from = "2026-11-02", .to = "2026-11-02"})->usd, std::optional(11.5));
        QCOMPARE(read(Cur, {.tag = "run=x1"})->usd, std::optional(1.25));
        QCOMPARE(read(Cur, {.resource = "i-bb"})->usd, std::optional(4.0));
    }

    // What can't be read isn't left out of a sum, nor what was never billed taken for spending.
    void badBills_data()
    {
        QTest::addColumn<QByteArray>("bill");
        QTest::addColumn<QString>("says");
        const auto with = [](const char* was, const char* is) {
            return QByteArray(Focus).replace(was, is);
        };
        QTest::newRow("no number") << with("2.50", "2;50") << "the cost in line 3";
        QTest::newRow("none at all") << with("2.50", "nan") << "the cost in line 3";
        QTest::newRow("cut off") << Focus.chopped(30) << "line 4, its last, is cut off";
        QTest::newRow("an estimate")
            << QByteArray("BilledCost,BillingCurrency,ChargePeriodStart,BillingAccountId\n"
                          "1.25,USD,2026-11-01T00:00:00Z,outlay-estimate\n")
            << "an estimate that Outlay made";
    }
    void badBills()
    {
        QFETCH(QByteArray, bill);
        QFETCH(QString, says);
        const auto found = read(bill, {.from = "2026-11-01", .to = "2026-11-30"});
        QVERIFY(!found);
        QVERIFY2(found.error().sentence().find(says.toStdString()) != std::string::npos,
                 found.error().sentence().c_str());
    }

    // Each row is a number, and their sum is none.
    void sumsHaveAnEnd()
    {
        const auto job = read("JobID|Elapsed\n7|1e308:10:00\n", {});
        QVERIFY(!job && job.error().what.find("beyond any number") != std::string::npos);
        QByteArray bill = Focus;
        bill.replace("1.25", "1e308").replace("2.50", "1e308");
        QVERIFY(!read(bill, {.resource = "i-aa"}));
        QVERIFY(read(Focus, {.resource = "i-aa"}));
    }

    // As clouds deliver them: in one piece, or in several behind each other.
    void billsMayBePacked()
    {
        const auto plain = read(Focus, {.resource = "i-aa"});
        QVERIFY(plain.has_value());
        const qsizetype half = Focus.indexOf('\n', Focus.size() / 2) + 1;
        for (const QByteArray& bytes :
             {packed(Focus), packed(Focus.left(half)) + packed(Focus.mid(half)),
              packed({}) + packed(Focus) + packed({}), packed(Focus) + QByteArray(5000, '\0')}) {
            const auto record = read(bytes, {.resource = "i-aa"});
            QVERIFY2(record.has_value(), record ? "" : record.error().sentence().c_str());
            QCOMPARE(record->usd, plain->usd);
            QCOMPARE(record->rows, plain->rows);
            QCOMPARE(record->kind, plain->kind);
        }
    }

    // More than any piece that is read at once, and the rows beyond it count.
    void longBillsMayBePacked()
    {
        const qsizetype first = Focus.indexOf('\n') + 1;
        const QByteArray rows = Focus.mid(first);
        const QByteArray all = Focus.left(first) + rows.repeated(20'000);
        QVERIFY(all.size() > 2'000'000);
        const auto plain = read(all, {.resource = "i-aa"});
        const auto record = read(packed(all), {.resource = "i-aa"});
        QVERIFY(plain && record);
        QCOMPARE(record->rows, plain->rows);
        QCOMPARE(record->usd, plain->usd);
    }

    // All that was bought is no run, and another currency is no dollars.
    void billsThatSayTooMuch()
    {
        QVERIFY(!read(Focus, {}));
        QVERIFY(!read(Focus, {.resource = "nothing"}));
        QVERIFY(!read(Focus, {.tag = "run"}));
        QByteArray euros = Focus;
        QVERIFY(!read(euros.replace("USD", "EUR"), {.resource = "i-aa"}));
    }

    void whatIsNoRecord_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("a table") << QByteArray("a,b\n1,2\n");
        QTest::newRow("broken JSON") << QByteArray("{\"_runtime\": ");
        QTest::newRow("other JSON") << QByteArray("{\"a\": 1}");
        QTest::newRow("packed, and damaged") << QByteArray("\x1f\x8b\x08\x00rest", 8);
        QTest::newRow("packed, nothing more") << QByteArray("\x1f\x8b", 2);
        QTest::newRow("packed, the end is missing") << packed(Focus).chopped(12);
        QTest::newRow("packed, a bit is another") << flipped(packed(Focus), 40);
        QTest::newRow("packed, no record") << packed("a,b\n1,2\n");
        QTest::newRow("an archive") << QByteArray("PK\x03\x04") + QByteArray(200, 'x');
        QTest::newRow("a header alone") << CodeCarbon.left(CodeCarbon.indexOf('\n'));
        QTest::newRow("bytes") << QByteArray(5000, '\xff');
        QTest::newRow("zeros") << QByteArray(5000, '\0');
    }
    void whatIsNoRecord()
    {
        QFETCH(QByteArray, text);
        const auto record = read(text, {});
        QVERIFY(!record.has_value());
        QVERIFY(record.error().sentence().find("record") != std::string::npos);
    }

private:
    [[nodiscard]] core::Result<Record> read(const QByteArray& text,
                                            const RecordFilter& filter) const
    {
        const QString path = m_folder.filePath(QStringLiteral("record"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            return core::inputError("not written", "");
        file.write(text);
        file.close();
        return readRecord(path.toStdString(), filter);
    }

    QTemporaryDir m_folder;
};

OUTLAY_TEST(TestRecords)
#include "tst_records.moc"
