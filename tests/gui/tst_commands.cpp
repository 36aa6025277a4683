// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The real program, as scripts use it: output, errors, exit status, files.
#include "tests/support/run_program.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

using namespace outlay::tests;

namespace {

/// Bounded memory: reading a file or a header must not cost more than the file.
void boundMemory()
{
    constexpr rlim_t MostBytes = rlim_t{3} << 30U;
    [[maybe_unused]] const rlimit limit{MostBytes, MostBytes};
#ifndef OUTLAY_SANITIZED // which maps terabytes
    ::setrlimit(RLIMIT_AS, &limit);
#endif
}

Outcome run(const QStringList& words, const QString& folder = {})
{
    QProcess process;
    process.setChildProcessModifier(boundMemory);
    process.setWorkingDirectory(folder);
    // No display: a command that opened a window system would fail.
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("DISPLAY"));
    environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("none-at-all"));
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(OUTLAY_PROGRAM), words);
    return outcomeOf(process);
}

} // namespace

class TestCommands : public QObject {
    Q_OBJECT
private slots:
    void withoutADisplayTheWindowSaysSo()
    {
        const Outcome outcome = run({});
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY(outcome.out.isEmpty());
        QCOMPARE(outcome.err.count('\n'), 1);
        QVERIFY(outcome.err.contains("there is no display for the window"));
        QVERIFY(outcome.err.contains("outlay --help"));
    }

    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        qputenv("XDG_DATA_HOME", m_folder.path().toUtf8());   // nobody's own prices
        qputenv("XDG_CONFIG_HOME", m_folder.path().toUtf8()); // nor settings
    }

    void presetsAreOneALine()
    {
        const Outcome o = run({QStringLiteral("presets")});
        QCOMPARE(o.exitCode, 0);
        QVERIFY(o.err.isEmpty());
        const QList<QByteArray> lines = o.out.trimmed().split('\n');
        QVERIFY(lines.size() >= 14);
        for (const QByteArray& line : lines)
            QCOMPARE(line.simplified().split(' ').size(), 3);
        QVERIFY(o.out.contains(QByteArray("gated-rnn").leftJustified(23) +
                               "gated-rnn          189504\n"));
    }

    void newThenEstimate()
    {
        const QString file = at("new.json");
        QCOMPARE(run({QStringLiteral("new"), QStringLiteral("--preset"),
                      QStringLiteral("text-generator"), QStringLiteral("-o"), file})
                     .exitCode,
                 0);
        const QJsonObject saved = QJsonDocument::fromJson(contentOf(file)).object();
        QCOMPARE(saved.value(QLatin1String("format")).toString(),
                 QStringLiteral("outlay-experiment"));
        QVERIFY(saved.value(QLatin1String("producer"))
                    .toString()
                    .startsWith(QStringLiteral("outlay ")));
        QVERIFY(saved.value(QLatin1String("created")).toString().endsWith(QLatin1Char('Z')));
        const Outcome text = run({QStringLiteral("estimate"), file});
        QCOMPARE(text.exitCode, 0);
        QVERIFY(text.err.isEmpty());
        QVERIFY(text.out.contains("2,842,400 parameters"));
        const Outcome json =
            run({QStringLiteral("estimate"), file, QStringLiteral("--json"),
                 QStringLiteral("--set"), QStringLiteral("/model/convention=keras")});
        const QJsonObject report = QJsonDocument::fromJson(json.out).object();
        const QJsonObject model = report.value(QLatin1String("model")).toObject();
        QCOMPARE(model.value(QLatin1String("parameters")).toInteger(), 2'841'200);
        QList<qint64> counts;
        for (const QJsonValue& layer : model.value(QLatin1String("layers")).toArray())
            counts.append(layer.toObject().value(QLatin1String("parameters")).toInteger());
        counts.removeAll(0);
        QCOMPARE(counts, (QList<qint64>{1'000'000, 150'600, 180'600, 1'510'000}));
    }

    void everyPresetIsEstimated()
    {
        const QList<QByteArray> lines = run({QStringLiteral("presets")}).out.trimmed().split('\n');
        constexpr qsizetype Each = Slower > 1 ? 3 : 1;
        for (qsizetype i = 0; i < lines.size(); i += Each) {
            const QList<QByteArray> words = lines.at(i).simplified().split(' ');
            const QString file = at("preset.json");
            QCOMPARE(run({QStringLiteral("new"), QStringLiteral("--preset"),
                          QString::fromUtf8(words.front()), QStringLiteral("-o"), file})
                         .exitCode,
                     0);
            const Outcome o = run({QStringLiteral("estimate"), file, QStringLiteral("--json")});
            QCOMPARE(o.exitCode, 0);
            const QJsonObject report = QJsonDocument::fromJson(o.out).object();
            QCOMPARE(report.value(QLatin1String("model"))
                         .toObject()
                         .value(QLatin1String("parameters"))
                         .toInteger(),
                     words.back().toLongLong());
        }
    }

    void aDayIsSimulated()
    {
        const QString file = m_folder.filePath(QStringLiteral("served.json"));
        QCOMPARE(run({QStringLiteral("new"), QStringLiteral("--preset"),
                      QStringLiteral("llama-3.1-8b"), QStringLiteral("-o"), file})
                     .exitCode,
                 0);
        const Outcome text = run({QStringLiteral("simulate"), file});
        QCOMPARE(text.exitCode, 0);
        QVERIFY(text.out.contains("keeps what is promised") && text.out.contains(", the plan"));
        const Outcome json = run({QStringLiteral("simulate"), file, QStringLiteral("--machines"),
                                  QStringLiteral("3"), QStringLiteral("--json")});
        QCOMPARE(json.exitCode, 0);
        const QJsonObject day = QJsonDocument::fromJson(json.out).object();
        QCOMPARE(day[QStringLiteral("planned")].toInt(), 3);
        QCOMPARE(day[QStringLiteral("rows")].toArray().size(), 3);
        QCOMPARE(day[QStringLiteral("day")].toArray().size(), 96);
        for (const char* number : {"0", "2.5", "two", "1e9"}) {
            const Outcome bad = run({QStringLiteral("simulate"), file, QStringLiteral("--machines"),
                                     QLatin1String(number)});
            QCOMPARE(bad.exitCode, 2);
            QVERIFY(bad.out.isEmpty() && bad.err.count('\n') == 1);
            QVERIFY(bad.err.contains("--machines is"));
        }
    }

    void setTakesJsonAndBareText()
    {
        const QString file = at("set.json");
        run({QStringLiteral("new"), QStringLiteral("--preset"), QStringLiteral("mlp"),
             QStringLiteral("-o"), file});
        const QByteArray before = contentOf(file);
        const Outcome o = run({QStringLiteral("estimate"), file, QStringLiteral("--json"),
                               QStringLiteral("--set"), QStringLiteral("/model/hidden=[7]"),
                               QStringLiteral("--set"), QStringLiteral("/name=A new name"),
                               QStringLiteral("--set=/training/precision=bf16")});
        QCOMPARE(o.exitCode, 0);
        const QJsonObject report = QJsonDocument::fromJson(o.out).object();
        QCOMPARE(report.value(QLatin1String("name")).toString(), QStringLiteral("A new name"));
        QCOMPARE(report.value(QLatin1String("model"))
                     .toObject()
                     .value(QLatin1String("parameters"))
                     .toInteger(),
                 785 * 7 + 8 * 10);
        QCOMPARE(contentOf(file), before);
    }

    void unknownKeysAreWarnedOfAndForgiven()
    {
        const Outcome o = run({QStringLiteral("estimate"),
                               QStringLiteral(OUTLAY_TEST_DATA "/experiments/unknown_keys.json")});
        QCOMPARE(o.exitCode, 0);
        QCOMPARE(o.err.count('\n'), 5);
        QVERIFY(o.err.contains("/model/layerz (did you mean 'layers'?)"));
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("what");
        const QByteArray head(R"({"format":"outlay-experiment","version":1,"model":)");
        const auto lstm = [&](const char* hidden) {
            return head + R"({"family":"lstm","hidden":)" + hidden + "}}";
        };
        QTest::newRow("not JSON") << QByteArray("hello") << QByteArray("line 1");
        QTest::newRow("empty") << QByteArray("") << QByteArray("line 1");
        QTest::newRow("truncated") << (head + "{\"family\":") << QByteArray("line 1");
        QTest::newRow("wrong type") << lstm("\"big\"") << QByteArray("/model/hidden");
        QTest::newRow("negative") << lstm("-1") << QByteArray("/model/hidden");
        QTest::newRow("10^18") << lstm("1000000000000000000") << QByteArray("/model/hidden");
        QTest::newRow("NaN") << lstm("NaN") << QByteArray("line 1");
        QTest::newRow("1e400") << lstm("1e400") << QByteArray("line 1");
        QTest::newRow("2^40") << (head +
                                  R"({"family":"lstm","hidden":8,"vocabulary":1099511627776}})")
                              << QByteArray("/model/vocabulary");
        QTest::newRow("10^9 layers")
            << (head + R"({"family":"gru","hidden":8,"layers":1000000000}})")
            << QByteArray("/model/layers");
        QTest::newRow("unknown family")
            << (head + R"({"family":"cnn"}})") << QByteArray("/model/family");
        QTest::newRow("a cycle") << contentOf(QStringLiteral(OUTLAY_TEST_DATA "/keras/cycle.json"))
                                 << QByteArray("/config/layers/1");
        QTest::newRow("deep") << QByteArray(10'000, '[') + QByteArray(10'000, ']')
                              << QByteArray("64 levels");
        QTest::newRow("deep in a model")
            << head + QByteArray("{\"a\":").repeated(10'000) << QByteArray("64 levels");
        QTest::newRow("2^60 bytes")
            << QByteArray("\0\0\0\0\0\0\0\x10{}", 10) << QByteArray("claims");
        QTest::newRow("binary") << QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16)
                                << QByteArray("line");
    }
    // Each file is tried with the command that reads its kind, and with the other one.
    void refuses()
    {
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, what);
        write("bad.json", content);
        bool isNamed = false;
        for (const QString& command : {QStringLiteral("estimate"), QStringLiteral("import")}) {
            QStringList words{command, at("bad.json")};
            if (command == QLatin1String("import"))
                words << QStringLiteral("-o") << at("made.json");
            const Outcome o = run(words);
            QCOMPARE(o.exitCode, 2);
            QVERIFY(o.out.isEmpty());
            QCOMPARE(o.err.count('\n'), 1);
            QVERIFY2(o.err.contains("bad.json"), o.err);
            QVERIFY2(o.err.trimmed().endsWith('.'), o.err);
            isNamed = isNamed || o.err.contains(what);
        }
        QVERIFY(isNamed);
        QVERIFY(!QFile::exists(at("made.json")));
        QCOMPARE(contentOf(at("bad.json")), content);
    }

    void refusesWhatIsNoFile()
    {
        for (const QString& path :
             {at("missing.json"), m_folder.path(), QStringLiteral("/dev/zero")}) {
            for (const QString& command : {QStringLiteral("estimate"), QStringLiteral("import")}) {
                const Outcome o = run({command, path});
                QCOMPARE(o.exitCode, 2);
                QCOMPARE(o.err.count('\n'), 1);
                QVERIFY(o.err.contains(path.toUtf8()));
            }
        }
    }

    void refusesLargeFilesBySize()
    {
        QFile file(at("large.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.resize(qint64(1) << 40));
        for (const QString& command : {QStringLiteral("estimate"), QStringLiteral("import")}) {
            const Outcome o = run({command, at("large.json")});
            QCOMPARE(o.exitCode, 2);
            QVERIFY(o.err.contains("64 MB"));
        }
        QVERIFY(file.remove());
    }

    void usageErrors_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("what");
        const auto row = [](const char* name, const QStringList& words, const char* what) {
            QTest::newRow(name) << words << QByteArray(what);
        };
        row("command", {QStringLiteral("estimat")}, "did you mean `outlay estimate`?");
        row("preset", {QStringLiteral("new"), QStringLiteral("--preset"), QStringLiteral("gpt3")},
            "gpt2");
        row("no preset", {QStringLiteral("new")}, "--preset");
        row("no file", {QStringLiteral("estimate")}, "0 file names");
        row("option", {QStringLiteral("estimate"), QStringLiteral("--jason"), QStringLiteral("x")},
            "--json");
        row("set",
            {QStringLiteral("estimate"), QStringLiteral(OUTLAY_TEST_DATA "/experiments/full.json"),
             QStringLiteral("--set"), QStringLiteral("/model/hidden")},
            "--set POINTER=VALUE");
        row("pointer",
            {QStringLiteral("estimate"), QStringLiteral(OUTLAY_TEST_DATA "/experiments/full.json"),
             QStringLiteral("--set"), QStringLiteral("model.hidden=3")},
            "JSON pointer");
        row("number",
            {QStringLiteral("estimate"), QStringLiteral(OUTLAY_TEST_DATA "/experiments/full.json"),
             QStringLiteral("--set"), QStringLiteral("/model/hidden=1e400")},
            "/model/hidden");
    }
    void usageErrors()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, what);
        const Outcome o = run(words);
        QVERIFY2(isRefusal(o, what), o.err);
    }

    // A bare text may begin with a digit.
    void datesAreTexts()
    {
        const QString file = QStringLiteral(OUTLAY_TEST_DATA "/experiments/full.json");
        const Outcome o = run({QStringLiteral("estimate"), file, QStringLiteral("--set"),
                               QStringLiteral("/notes=2026-11-20"), QStringLiteral("--set"),
                               QStringLiteral("/name=7B run"), QStringLiteral("--json")});
        QCOMPARE(o.exitCode, 0);
        QVERIFY(o.out.contains("\"name\": \"7B run\""));
    }

    // What is said stays in proportion to what a person can read.
    void millionsOfUnknownKeysAreCounted()
    {
        QByteArray content(
            R"({"format":"outlay-experiment","version":1,"model":{"family":"gru","hidden":8)");
        for (int i = 0; i < 300000; ++i)
            content += ",\"key" + QByteArray::number(i) + "\":1";
        write("keys.json", content + "}}");
        const Outcome o = run({QStringLiteral("estimate"), at("keys.json")});
        QCOMPARE(o.exitCode, 0);
        QCOMPARE(o.err.count('\n'), 21);
        QVERIFY(o.err.contains("299,980 more keys are unknown"));
    }

    void longSequencesAreWarnedOf()
    {
        write("long.json", R"({"model_type":"gpt2"})");
        run({QStringLiteral("import"), at("long.json"), QStringLiteral("-o"), at("long2.json")});
        const Outcome o =
            run({QStringLiteral("estimate"), at("long2.json"), QStringLiteral("--set"),
                 QStringLiteral("/training/sequence=100000")});
        QCOMPARE(o.exitCode, 0);
        QVERIFY(o.err.contains("/training/sequence: 100,000 tokens are more than the 1,024"));
        QVERIFY(run({QStringLiteral("estimate"), at("long2.json")}).err.isEmpty());
    }

    // What the documents show is what the program prints.
    void theSampleIsTrue()
    {
        const QByteArray page = contentOf(QStringLiteral(OUTLAY_SOURCE_DIR "/docs/estimate.md"));
        run({QStringLiteral("new"), QStringLiteral("--preset"), QStringLiteral("text-generator"),
             QStringLiteral("-o"), at("readme.json")});
        const Outcome o = run({QStringLiteral("estimate"), at("readme.json"),
                               QStringLiteral("--as-of"), QStringLiteral("2026-11-20")});
        const qsizetype start = page.indexOf("\nText generator\n") + 1;
        const QByteArray shown = page.mid(start, page.indexOf("```", start) - start);
        QVERIFY(shown.count('\n') > 10);
        QCOMPARE(o.out, shown);
    }

    void agesCountFromTheDayThatIsGiven()
    {
        run({QStringLiteral("new"), QStringLiteral("--preset"), QStringLiteral("mlp"),
             QStringLiteral("-o"), at("dated.json")});
        const auto on = [&](const char* date) {
            return run({QStringLiteral("estimate"), at("dated.json"), QStringLiteral("--as-of"),
                        QString::fromLatin1(date)});
        };
        QCOMPARE(on("2026-11-20").out, on("2026-11-20").out);
        QVERIFY(on("2026-11-20").out != on("2029-11-20").out); // stale by then
        for (const char* wrong : {"yesterday", "2026-13-45", "2026", ""})
            QVERIFY2(on(wrong).exitCode == 2, wrong);
    }

    void helpAndVersion()
    {
        QVERIFY(run({QStringLiteral("--version")}).out.startsWith("outlay "));
        const Outcome help = run({QStringLiteral("--help")});
        QCOMPARE(help.exitCode, 0);
        for (const char* command : {"presets", "new", "import", "estimate"}) {
            QVERIFY(help.out.contains(command));
            const Outcome o = run({QString::fromLatin1(command), QStringLiteral("--help")});
            QCOMPARE(o.exitCode, 0);
            QVERIFY(o.out.startsWith("Usage: outlay "));
        }
        QCOMPARE(run({}).exitCode, 2);
    }

    void importDoesNotReplaceItsSource()
    {
        write("same.json", R"({"model_type":"gpt2"})");
        const Outcome o = run({QStringLiteral("import"), QStringLiteral("same.json"),
                               QStringLiteral("-o"), QStringLiteral("./same.json")},
                              m_folder.path());
        QCOMPARE(o.exitCode, 2);
        QCOMPARE(contentOf(at("same.json")), QByteArray(R"({"model_type":"gpt2"})"));
    }

    void aFullDiskIsReported()
    {
        QProcess process;
        process.setStandardOutputFile(QStringLiteral("/dev/full"));
        process.start(QStringLiteral(OUTLAY_PROGRAM), {QStringLiteral("presets")});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(process.readAllStandardError().contains("can't be written"));
    }

private:
    QString at(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    void write(const char* name, const QByteArray& content) const
    {
        QFile file(at(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("a test file can't be written");
    }

    QTemporaryDir m_folder;
};

OUTLAY_TEST(TestCommands)
#include "tst_commands.moc"
