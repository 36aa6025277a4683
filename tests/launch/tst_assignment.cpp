// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/experiment/presets.h"
#include "core/probe/assignment.h"
#include "tests/support/test_class.h"

#include <QTemporaryDir>
#include <QTest>

#include <set>
#include <thread>

using namespace outlay::core;

namespace {

Assignment assignmentOf(std::int64_t batch)
{
    Assignment assignment{.build = "one"};
    assignment.job.model = preset("mlp")->experiment.model;
    assignment.job.training.batch = batch;
    return assignment;
}

Json numbered(int number)
{
    Json json = Json::object();
    json.set("number", Json(number));
    return json;
}

} // namespace

class TestAssignment final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void lineKeepsAll()
    {
        Assignment assignment = assignmentOf(7);
        assignment.occasion = "2026-11-26T00:00:00Z";
        assignment.job.threads = 3;
        QCOMPARE(*readAssignment(toLine(assignment)), assignment);
        QVERIFY(!readAssignment("{\"protocol\": 1}"));
    }

    // What could change the result changes the name.
    void keysTellApart()
    {
        const Assignment plain = assignmentOf(7);
        std::vector<Assignment> others(5, plain);
        others[0].job.training.batch = 8;
        others[1].build = "two";
        others[2].occasion = "now";
        others[3].job.seconds = 11;
        others[4].job.threads = 1;
        std::set<std::string> keys{resultKey(plain)};
        for (const Assignment& other : others)
            keys.insert(resultKey(other));
        QCOMPARE(keys.size(), std::size_t{6});
        QCOMPARE(resultKey(*readAssignment(toLine(plain))), resultKey(plain));
    }

    void firstMeasurementStays()
    {
        const QTemporaryDir home;
        const ResultFolder folder(home.filePath("results").toStdString());
        QVERIFY(!folder.find("a"));
        QVERIFY(folder.publish({"a", JobFailure{"no memory", "choose less"}}));
        QCOMPARE(*folder.find("a"), (JobResult{"a", JobFailure{"no memory", "choose less"}}));
        QVERIFY(folder.publish({"a", numbered(1)}));
        QVERIFY(folder.publish({"a", numbered(2)}));
        QVERIFY(folder.publish({"a", JobFailure{"late", ""}}));
        QCOMPARE(*folder.find("a"), (JobResult{"a", numbered(1)}));
    }

    // However many write at once, one wins, and no reader sees half of it.
    void writersRace()
    {
        const QTemporaryDir home;
        const ResultFolder folder(home.path().toStdString());
        std::atomic<bool> isBad = false;
        std::vector<std::thread> writers;
        for (int writer = 0; writer < 4; ++writer)
            writers.emplace_back([&, writer] {
                for (int i = 0; i < 50; ++i) {
                    const std::string key = "k" + std::to_string(i);
                    const auto before = folder.find(key);
                    isBad = isBad || !folder.publish({key, numbered(writer)});
                    const auto after = folder.find(key);
                    isBad = isBad || !after || (before && *before != *after);
                }
            });
        for (std::thread& writer : writers)
            writer.join();
        QVERIFY(!isBad);
        QCOMPARE(QDir(home.path()).entryList(QDir::Files).size(), 50); // nothing is left beside
    }

    void brokenResultsAreNone_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("half") << QByteArray("{\"result\":\"a\",\"measure");
        QTest::newRow("neither") << QByteArray("{\"result\":\"a\"}");
        QTest::newRow("both") << QByteArray("{\"result\":\"a\",\"measurement\":{},\"failed\":{}}");
        QTest::newRow("another's") << QByteArray("{\"result\":\"b\",\"measurement\":{}}");
        QTest::newRow("list") << QByteArray("[1]");
    }
    void brokenResultsAreNone()
    {
        QFETCH(QByteArray, text);
        const QTemporaryDir home;
        QVERIFY(saveFile(home.filePath("a.json").toStdString(), text.toStdString()));
        QVERIFY(!ResultFolder(home.path().toStdString()).find("a"));
    }

    void failuresMayBeTriedAgain()
    {
        const QTemporaryDir home;
        const ResultFolder folder(home.path().toStdString());
        const Assignment one = assignmentOf(1);
        const Assignment two = assignmentOf(2);
        QVERIFY(folder.publish({resultKey(one), JobFailure{"broken", ""}}));
        QVERIFY(folder.publish({resultKey(two), numbered(2)}));
        const std::string manifest = toLine(one) + toLine(two);
        QVERIFY(folder.accept(manifest));
        QVERIFY(!folder.find(resultKey(one)));
        QVERIFY(folder.find(resultKey(two)));
        QCOMPARE(*loadFile(folder.manifestPath(manifest)), manifest);
        const auto bad = folder.accept(toLine(one) + "nonsense\n");
        QVERIFY(!bad);
        QVERIFY(QString::fromStdString(bad.error().sentence()).contains("line 2"));
    }
};

OUTLAY_TEST(TestAssignment)
#include "tst_assignment.moc"
