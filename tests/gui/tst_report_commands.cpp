// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The real program: report, compare, check, sweep; what they write, say and return.
#include "tests/support/run_program.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace outlay::tests;

namespace {

std::size_t coloursOf(const QImage& image)
{
    std::set<QRgb> colours;
    for (int y = 0; y < image.height(); y += 3) {
        for (int x = 0; x < image.width(); x += 3)
            colours.insert(image.pixel(x, y));
    }
    return colours.size();
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

    // Without a display, and with a platform that doesn't exist.
    void withoutAFormatThereArePictures()
    {
        const Outcome o = run({"report", "mlp.json", "--out", "plain"});
        QCOMPARE(o.exitCode, 0);
        QVERIFY2(o.err.isEmpty(), o.err);
        QCOMPARE(o.out, QByteArray("plain/cost_dashboard.png\nplain/cost_comparison.png\n"
                                   "plain/cost_analysis.json\n"));
        const QImage dashboard(at("plain/cost_dashboard.png"));
        const QImage comparison(at("plain/cost_comparison.png"));
        for (const QImage& image : {dashboard, comparison}) {
            QCOMPARE(image.size(), QSize(1600, 1000));
            QCOMPARE(image.pixel(2, 2), qRgb(0xF4, 0xF6, 0xF8)); // the light window
            QVERIFY(coloursOf(image) > 20);                      // not blank
        }
        QVERIFY(dashboard != comparison);
    }

    void picturesAreAsAskedFor_data()
    {
        QTest::addColumn<QByteArray>("size");
        QTest::addColumn<QByteArray>("scale");
        QTest::addColumn<QByteArray>("theme");
        QTest::addColumn<QSize>("pixels");
        QTest::addColumn<QRgb>("corner");
        QTest::newRow("dark") << QByteArray("1200x800") << QByteArray("2") << QByteArray("dark")
                              << QSize(2400, 1600) << qRgb(0x14, 0x17, 0x1B);
        QTest::newRow("small") << QByteArray("800x600") << QByteArray("0.5") << QByteArray("light")
                               << QSize(400, 300) << qRgb(0xF4, 0xF6, 0xF8);
        QTest::newRow("wide") << QByteArray("2400x800") << QByteArray("1") << QByteArray("light")
                              << QSize(2400, 800) << qRgb(0xF4, 0xF6, 0xF8);
        QTest::newRow("large") << QByteArray("3840x2400") << QByteArray("1") << QByteArray("dark")
                               << QSize(3840, 2400) << qRgb(0x14, 0x17, 0x1B);
    }
    void picturesAreAsAskedFor()
    {
        QFETCH(QByteArray, size);
        QFETCH(QByteArray, scale);
        QFETCH(QByteArray, theme);
        QFETCH(QSize, pixels);
        QFETCH(QRgb, corner);
        const QByteArray folder = QByteArray("pictures-") + QTest::currentDataTag();
        const Outcome o = run({"report", "mlp.json", "--out", folder, "--format", "png", "--size",
                               size, "--scale", scale, "--theme", theme});
        QCOMPARE(o.exitCode, 0);
        for (const char* name : {"/cost_dashboard.png", "/cost_comparison.png"}) {
            const QImage image(at(folder + name));
            QCOMPARE(image.size(), pixels);
            QCOMPARE(image.pixel(2, 2), corner);
            // The margins are empty: nothing of the composition is cut off or out of its place.
            for (int y = 0; y < image.height(); ++y) {
                QCOMPARE(image.pixel(1, y), corner);
                QCOMPARE(image.pixel(image.width() - 2, y), corner);
            }
            for (int x = 0; x < image.width(); ++x)
                QCOMPARE(image.pixel(x, image.height() - 2), corner);
        }
    }

    void picturesAreDrawingsToo()
    {
        const Outcome o = run({"report", "mlp.json", "--out", "drawn", "--format", "svg,pdf"});
        QCOMPARE(o.exitCode, 0);
        for (const char* stem : {"cost_dashboard", "cost_comparison"}) {
            const QByteArray svg = contentOf(at(QByteArray("drawn/") + stem + ".svg"));
            QVERIFY(svg.startsWith("<?xml"));
            QVERIFY(svg.contains("viewBox=\"0 0 1600 1000\""));
            const QString words = QString::fromUtf8(svg);
            // What a picture has to say of itself is in it as text.
            for (const char* word : {"Trained on ", "Data: prices up to 20", "method "})
                QVERIFY2(words.contains(QLatin1String(word)), word);
            QVERIFY(contentOf(at(QByteArray("drawn/") + stem + ".pdf")).startsWith("%PDF"));
        }
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
            {"pointer": "/training/memory/total", "max": 180000000},
            {"pointer": "/training/steps", "max": 10},
            {"pointer": "/training/here", "max": 100}]})");
        const Outcome o = run({"check", "text-generator.json", "--budget", "budget.json"});
        QCOMPARE(o.exitCode, 3);
        const QList<QByteArray> lines = o.out.split('\n');
        QCOMPARE(lines.at(0),
                 QByteArray("ok           /model/parameters: 2,842,400, max 3,000,000"));
        QVERIFY(lines.at(1).startsWith("close        /training/memory/total: 178,433,600 B, max "));
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
        QVERIFY(csv.out.startsWith("/model/hidden,/training/batch,month_usd,cheapest_usd,"));
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
        row("there is no format 'jsn'; did you mean json?",
            {"report", "mlp.json", "--out", "x", "--format", "jsn"});
        row("there is no format 'pngg'; did you mean png?",
            {"report", "mlp.json", "--out", "x", "--format", "pngg"});
        row("--size is '1600'; give width and height in pixels, as in 1600x1000.",
            {"report", "mlp.json", "--out", "x", "--size", "1600"});
        row("--size is '1600x1000x2'; give width and height in pixels, as in 1600x1000.",
            {"report", "mlp.json", "--out", "x", "--size", "1600x1000x2"});
        row("--size is 'ax9'; give width and height in pixels, as in 1600x1000.",
            {"report", "mlp.json", "--out", "x", "--size", "ax9"});
        row("a picture of 0 x -5 can't be made; give a size from 800 x 600 to 8192 x 8192.",
            {"report", "mlp.json", "--out", "x", "--size", "0x-5"});
        row("a picture of 9000 x 1000 can't be made; give a size from 800 x 600 to 8192 x 8192.",
            {"report", "mlp.json", "--out", "x", "--size", "9000x1000"});
        row("the picture has too many pixels; give a smaller size or scale, up to 150 million "
            "pixels in all.",
            {"report", "mlp.json", "--out", "x", "--size", "8192x8192", "--scale", "4"});
        row("--scale is 'two'; give a number from 0.5 to 4.",
            {"report", "mlp.json", "--out", "x", "--scale", "two"});
        row("the scale of the picture is out of range; give a number from 0.5 to 4.",
            {"report", "mlp.json", "--out", "x", "--scale", "0"});
        row("--theme is 'blue'; give light or dark.",
            {"report", "mlp.json", "--out", "x", "--theme", "blue"});
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

    // What nobody knows is refused by every command, with its place in the file, and nothing is written.
    void unknownNamesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("setting");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* setting, const char* says) {
            QTest::newRow(name) << QByteArray(setting) << QByteArray(says);
        };
        row("region", R"("plan":{"regions":["us-east-1","mars-1"]})", "'mars-1'");
        row("misspelt region", R"("plan":{"regions":["us-eats-1"]})", "did you mean us-east-1?");
        row("another's region", R"("plan":{"regions":["aws/asia-south1"]})", "/plan/regions/0");
        row("site", R"("site":{"region":"mars/olympus"})", "/site/region");
        row("provider", R"("plan":{"providers":["avs"]})", "did you mean aws?");
        row("instance",
            R"("plan":{"training_offer":{"provider":"aws","instance":"p99","region":"us-east-1"}})",
            "'aws p99'");
        row("where it isn't sold",
            R"("plan":{"serving_offer":{"provider":"aws","instance":"g5g.xlarge","region":"mars-1"}})",
            "/plan/serving_offer");
        row("as it isn't sold",
            R"("plan":{"training_offer":{"provider":"aws","instance":"p3.2xlarge",
               "region":"us-east-1","purchase":"reserved_1y"}})",
            "set its purchase to on_demand or spot");
    }
    void unknownNamesAreRefused()
    {
        QFETCH(QByteArray, setting);
        QFETCH(QByteArray, says);
        const QByteArray whole = contentOf(at("gpt2.json")).trimmed();
        write("lost.json", whole.left(whole.lastIndexOf('}')) + "," + setting + "}");
        const QByteArray before = contentOf(at("lost.json"));
        for (const QList<QByteArray>& command :
             {QList<QByteArray>{"estimate", "lost.json"},
              {"report", "lost.json", "--format", "csv", "--out", "lost"},
              {"compare", "lost.json", "lost.json"},
              {"sweep", "lost.json", "--vary", "/training/batch=1,2"}}) {
            const Outcome outcome = run(command);
            QCOMPARE(outcome.exitCode, 2);
            QVERIFY2(outcome.err.contains(says) && outcome.err.contains("lost.json"), outcome.err);
        }
        QVERIFY(!QDir(at("lost")).exists());
        QCOMPARE(contentOf(at("lost.json")), before);
    }

private:
    Outcome run(const QList<QByteArray>& words) const
    {
        return runWithoutDisplay(words, m_folder.path());
    }

    QString at(const QByteArray& name) const
    {
        return m_folder.filePath(QString::fromLatin1(name));
    }

    void write(const char* name, const QByteArray& content) const
    {
        QFile file(at(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("a test file can't be written");
    }

    QTemporaryDir m_folder;
};

OUTLAY_TEST(TestReportCommands)
#include "tst_report_commands.moc"
