// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The real program: report, compare, check, sweep; what they write, say and return.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

struct Outcome {
    int exitCode = -1;
    QByteArray out;
    QByteArray err;
};

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The value at "a/b/0/c".
QJsonValue valueAt(const QByteArray& json, const char* path)
{
    QJsonValue here = QJsonDocument::fromJson(json).object();
    for (const QString& key : QString::fromLatin1(path).split(QLatin1Char('/')))
        here = here.isArray() ? here.toArray().at(key.toInt()) : here.toObject().value(key);
    return here;
}

} // namespace

class TestReportCommands : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        for (const char* preset : {"text-generator", "gpt2", "mlp"})
            QCOMPARE(run({"new", "--preset", preset, "-o", QByteArray(preset) + ".json"}).exitCode,
                     0);
        write("broken.json", "{\"format\":");
    }

    void reportWritesWhatIsAskedFor()
    {
        const Outcome o =
            run({"report", "text-generator.json", "--out", "made/here", "--format", "json,csv,md"});
        QCOMPARE(o.exitCode, 0);
        QVERIFY2(o.err.isEmpty(), o.err);
        QCOMPARE(o.out, QByteArray("made/here/cost_analysis.json\nmade/here/cost_analysis.csv\n"
                                   "made/here/cost_analysis.md\n"));
        const QByteArray json = contentOf(at("made/here/cost_analysis.json"));
        QCOMPARE(valueAt(json, "cost_breakdown/resources/parameters").toInteger(), 2'842'400);
        QCOMPARE(valueAt(json, "report/format").toString(), QStringLiteral("outlay-report"));
        QCOMPARE(valueAt(json, "experiment/format").toString(),
                 QStringLiteral("outlay-experiment"));
        QVERIFY(contentOf(at("made/here/cost_analysis.csv")).startsWith("pointer,value,low,high,"));
        QVERIFY(contentOf(at("made/here/cost_analysis.md")).startsWith("# Text generator\n"));
    }

    void withoutAFormatThePicturesAreMissed()
    {
        const Outcome o = run({"report", "mlp.json", "--out", "plain"});
        QCOMPARE(o.exitCode, 0);
        QCOMPARE(o.out, QByteArray("plain/cost_analysis.json\n"));
        QCOMPARE(o.err, QByteArray("outlay: cost_dashboard.png and cost_comparison.png were not "
                                   "written; this version draws no pictures.\n"));
    }

    void theTrainingTimeIsTaken()
    {
        const Outcome o = run({"report", "mlp.json", "--out", "timed", "--training-time", "420"});
        QCOMPARE(o.exitCode, 0);
        const QByteArray json = contentOf(at("timed/cost_analysis.json"));
        QCOMPARE(valueAt(json, "cost_breakdown/training/time_hours").toDouble(), 420.0 / 3600);
        QCOMPARE(valueAt(json, "report/training/here/basis").toString(), QStringLiteral("assumed"));
        // And is kept when the file is opened again.
        const Outcome again = run({"estimate", "timed/cost_analysis.json", "--json"});
        QVERIFY2(again.err.isEmpty(), again.err);
        QCOMPARE(valueAt(again.out, "training/here/value").toDouble(), 420.0);
    }

    void ownFilesOpenAgain()
    {
        QCOMPARE(run({"report", "gpt2.json", "--out", "again"}).exitCode, 0);
        const Outcome direct = run({"estimate", "gpt2.json", "--json"});
        const Outcome again = run({"estimate", "again/cost_analysis.json", "--json"});
        QCOMPARE(again.out, direct.out);
        QVERIFY(again.err.isEmpty());
    }

    void anotherToolsFileOpensToo()
    {
        write("other.json", R"({"cost_breakdown": {"training": {"time_hours": 0.12},
                                "resources": {"parameters": 211000}}})");
        const Outcome o = run({"estimate", "other.json", "--json"});
        QCOMPARE(o.exitCode, 0);
        QCOMPARE(valueAt(o.out, "model/parameters").toInteger(), 211'000);
        QCOMPARE(valueAt(o.out, "training/here/value").toDouble(), 432.0);
        QVERIFY(o.err.contains("other.json: /experiment: missing; the model is taken as 211,000 "
                               "weights"));
    }

    void compareNamesTheBaselineAndTheBroken()
    {
        const Outcome o = run({"compare", "mlp.json", "broken.json", "gpt2.json", "missing.json"});
        QCOMPARE(o.exitCode, 2);
        QCOMPARE(o.err.count('\n'), 2);
        QVERIFY(o.err.contains("broken.json"));
        QVERIFY(o.err.contains("missing.json"));
        QVERIFY(o.out.startsWith("                 "));
        QVERIFY(o.out.contains("124,439,808 (+"));
        const Outcome second = run({"compare", "broken.json", "mlp.json"});
        QCOMPARE(second.exitCode, 2);
        QVERIFY(second.err.contains("so mlp.json is the baseline"));
    }

    void compareIsWrittenForPrograms()
    {
        const Outcome o = run({"compare", "mlp.json", "mlp.json", "--json"});
        QCOMPARE(o.exitCode, 0);
        QCOMPARE(valueAt(o.out, "experiments/0/is_baseline").toBool(), true);
        QVERIFY(valueAt(o.out, "experiments/0/figures/parameters/change").isNull());
        QCOMPARE(valueAt(o.out, "experiments/1/figures/parameters/change").toDouble(), 0.0);
        QCOMPARE(run({"compare", "mlp.json", "gpt2.json", "--out", "compared"}).exitCode, 0);
        QCOMPARE(
            valueAt(contentOf(at("compared/comparison.json")), "experiments/1/file").toString(),
            QStringLiteral("gpt2.json"));
        QVERIFY(contentOf(at("compared/comparison.csv")).startsWith("file,name,figure,value,"));
        QVERIFY(contentOf(at("compared/comparison.md")).contains("\n|---|---|---|\n"));
    }

    void checkSaysEachLimit()
    {
        write("budget.json", R"({"format": "outlay-budget", "version": 1, "limits": [
            {"pointer": "/model/parameters", "max": 3000000},
            {"pointer": "/training/memory/total", "max": 170000000},
            {"pointer": "/training/steps", "max": 10},
            {"pointer": "/training/here", "max": 100}]})");
        const Outcome o = run({"check", "text-generator.json", "--budget", "budget.json"});
        QCOMPARE(o.exitCode, 3);
        const QList<QByteArray> lines = o.out.split('\n');
        QCOMPARE(lines.at(0),
                 QByteArray("ok           /model/parameters: 2,842,400, max 3,000,000"));
        QVERIFY(lines.at(1).startsWith("close        /training/memory/total: 166,630,080 B, max "));
        QCOMPARE(lines.at(2), QByteArray("exceeded     /training/steps: 35,200, max 10"));
        QVERIFY(lines.at(3).startsWith(
            "unavailable  /training/here: unavailable, max 100; counts as exceeded: not measured"));
        QCOMPARE(o.err, QByteArray("outlay: text-generator.json: 2 of 4 limits are exceeded; "
                                   "change the design, or the budget.\n"));
    }

    void checkKeepsQuietWhenAllIsWell()
    {
        write("kind.json", R"({"format": "outlay-budget", "version": 1,
                               "limits": [{"pointer": "/model/parameters", "min": 1}]})");
        const Outcome o = run({"check", "mlp.json", "--budget", "kind.json"});
        QCOMPARE(o.exitCode, 0);
        QVERIFY(o.err.isEmpty());
    }

    void sweepPrintsEachPoint()
    {
        const QList<QByteArray> vary{"--vary", "/model/hidden=128,256", "--vary",
                                     "/training/batch=16,32"};
        const Outcome text = run(QList<QByteArray>{"sweep", "text-generator.json"} + vary);
        QCOMPARE(text.exitCode, 0);
        QVERIFY(text.out.contains("4,462,928"));
        const Outcome csv = run(QList<QByteArray>{"sweep", "text-generator.json", "--csv"} + vary);
        QCOMPARE(csv.out.count('\n'), 5);
        QVERIFY(csv.out.startsWith("/model/hidden,/training/batch,parameters,training_memory,"));
        const Outcome json =
            run(QList<QByteArray>{"sweep", "text-generator.json", "--json"} + vary);
        const QJsonArray points = valueAt(json.out, "points").toArray();
        QCOMPARE(points.size(), 4);
        // Each is what `estimate --set` says.
        const Outcome one = run({"estimate", "text-generator.json", "--json", "--set",
                                 "/model/hidden=256", "--set", "/training/batch=32"});
        QCOMPARE(valueAt(json.out, "points/3/figures/training_memory/value"),
                 valueAt(one.out, "training/memory/total/value"));
    }

    void errorsAreOneSentence_data()
    {
        QTest::addColumn<QList<QByteArray>>("words");
        QTest::addColumn<QByteArray>("sentence");
        const auto row = [](const char* sentence, const QList<QByteArray>& words) {
            QTest::newRow(sentence) << words << QByteArray("outlay: ") + sentence + "\n";
        };
        row("`outlay report` needs a folder; give --out DIR.", {"report", "mlp.json"});
        row("this version draws no pictures, so it can't write svg; give --format with any of "
            "json, csv, md, focus, emissions, boamps.",
            {"report", "mlp.json", "--out", "x", "--format", "svg"});
        row("there is no format 'jsn'; did you mean json?",
            {"report", "mlp.json", "--out", "x", "--format", "jsn"});
        row("--training-time is '-1'; give a number of seconds above 0.",
            {"report", "mlp.json", "--out", "x", "--training-time", "-1"});
        row("--training-time is 'long'; give a number of seconds above 0.",
            {"report", "mlp.json", "--out", "x", "--training-time=long"});
        row("mlp.json: the folder can't be made (Not a directory); name another one with --out.",
            {"report", "mlp.json", "--out", "mlp.json"});
        row("`outlay check` needs a budget; give --budget BUDGET.json.", {"check", "mlp.json"});
        row("none.json: it can't be read (No such file or directory); check the name.",
            {"check", "mlp.json", "--budget", "none.json"});
        row("mlp.json, /format: this is not a budget; give `\"format\": \"outlay-budget\"`.",
            {"check", "mlp.json", "--budget", "mlp.json"});
        row("`outlay sweep` needs something to vary; give --vary POINTER=V1,V2, as in "
            "/training/batch=16,32.",
            {"sweep", "mlp.json"});
        row("both --json and --csv are given; give one of them.",
            {"sweep", "mlp.json", "--vary", "/training/batch=1,2", "--csv", "--json"});
        row("mlp.json with /training/batch=0, /training/batch: the samples in a pass on each "
            "device is 0; give a whole "
            "number from 1 to 16,777,216.",
            {"sweep", "mlp.json", "--vary", "/training/batch=0,2"});
        row("`outlay compare` got 1 file names; see `outlay compare --help`.",
            {"compare", "mlp.json"});
    }
    void errorsAreOneSentence()
    {
        QFETCH(QList<QByteArray>, words);
        QFETCH(QByteArray, sentence);
        const Outcome o = run(words);
        QCOMPARE(o.err, sentence);
        QCOMPARE(o.exitCode, 2);
        QVERIFY(o.out.isEmpty());
        QVERIFY(!QFile::exists(at("x")));
    }

    void nothingIsWrittenIfOneFormatFails()
    {
        const Outcome o = run({"report", "mlp.json", "--out", "half", "--format", "csv,nothing"});
        QCOMPARE(o.exitCode, 2);
        QVERIFY(!QFile::exists(at("half")));
    }

    void eachAnswersHelp()
    {
        for (const char* command : {"report", "compare", "check", "sweep"}) {
            const Outcome o = run({command, "--help"});
            QCOMPARE(o.exitCode, 0);
            QVERIFY(o.out.startsWith(QByteArray("Usage: outlay ") + command + " "));
        }
    }

private:
    Outcome run(const QList<QByteArray>& words) const
    {
        QStringList arguments;
        for (const QByteArray& word : words)
            arguments << QString::fromUtf8(word);
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_DATA_HOME"), m_folder.path());
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_folder.path());
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("none-at-all"));
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(OUTLAY_PROGRAM), arguments);
        if (!process.waitForFinished(30'000) || process.exitStatus() != QProcess::NormalExit)
            return {};
        return {process.exitCode(), process.readAllStandardOutput(),
                process.readAllStandardError()};
    }

    QString at(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    void write(const char* name, const QByteArray& content) const
    {
        QFile file(at(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("a test file can't be written");
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestReportCommands)
#include "tst_report_commands.moc"
