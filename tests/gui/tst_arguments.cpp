// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/commands/arguments.h"
#include "gui/commands/command.h"
#include "tests/support/test_class.h"

#include <QTemporaryFile>
#include <QTest>

#include <sstream>

using namespace outlay::gui;

namespace {

const CommandLine Line{
    .name = "test",
    .options = {{"--set", "A=B", "", true}, {"-o", "FILE", ""}, {"--json", "", ""}},
    .leastFiles = 1,
    .mostFiles = 2};

auto parse(std::vector<std::string> words)
{
    return Arguments::parse(Line, words);
}

} // namespace

class TestArguments : public QObject {
    Q_OBJECT
private slots:
    void parses()
    {
        const auto a = parse({"--set", "/a=1", "x.json", "--set=/b=2", "--json", "-o", "out"});
        QVERIFY(a.has_value());
        QCOMPARE(a->values("--set"), (std::vector<std::string>{"/a=1", "/b=2"}));
        QCOMPARE(a->files(), std::vector<std::string>{"x.json"});
        QVERIFY(a->has("--json"));
        QCOMPARE(a->value("-o").value_or(""), std::string("out"));
        QVERIFY(!a->value("--none").has_value());
    }

    void afterTwoDashesAllAreFiles()
    {
        QCOMPARE(parse({"--", "--json", "-o"})->files(),
                 (std::vector<std::string>{"--json", "-o"}));
    }

    void bytesOfFileNamesAreKept()
    {
        QCOMPARE(parse({"\xFF name\n"})->files().front(), std::string("\xFF name\n"));
    }

    // The word that is wrong is named, not the file before it.
    void filesAreOpenedWithNothingElse_data()
    {
        QTest::addColumn<QString>("word");
        QTest::newRow("no file") << QStringLiteral("missing.json");
        QTest::newRow("an option") << QStringLiteral("--dark");
    }
    void filesAreOpenedWithNothingElse()
    {
        QFETCH(QString, word);
        QTemporaryFile file;
        QVERIFY(file.open());
        std::ostringstream out;
        std::ostringstream err;
        const std::vector<std::string> words{file.fileName().toStdString(), word.toStdString()};
        QCOMPARE(runCommandLine(words, {out, err}), 2);
        const std::string expected = "there is no file '" + words[1] + "' to open beside ";
        QVERIFY2(err.str().find(expected) != std::string::npos, err.str().c_str());
        QVERIFY(out.str().empty());
    }

    void refuses_data()
    {
        QTest::addColumn<QList<QByteArray>>("words");
        QTest::addColumn<QByteArray>("what");
        QTest::newRow("no file") << QList<QByteArray>{} << QByteArray("0 file names");
        QTest::newRow("too many") << QList<QByteArray>{"a", "b", "c"} << QByteArray("3 file names");
        QTest::newRow("unknown") << QList<QByteArray>{"a", "--jsn"}
                                 << QByteArray("did you mean --json?");
        QTest::newRow("no value") << QList<QByteArray>{"a", "-o"} << QByteArray("needs a value");
        QTest::newRow("twice") << QList<QByteArray>{"a", "--json", "--json"} << QByteArray("twice");
        QTest::newRow("value for a switch")
            << QList<QByteArray>{"a", "--json=1"} << QByteArray("takes no value");
    }
    void refuses()
    {
        QFETCH(QList<QByteArray>, words);
        QFETCH(QByteArray, what);
        std::vector<std::string> given;
        for (const QByteArray& word : words)
            given.push_back(word.toStdString());
        const auto a = parse(given);
        QVERIFY(!a.has_value());
        QVERIFY2(a.error().sentence().find(what.toStdString()) != std::string::npos,
                 a.error().sentence().c_str());
        QCOMPARE(a.error().code, outlay::core::ErrorCode::Usage);
    }

    void helpNamesEveryOption()
    {
        const std::string help = helpText(Line);
        for (const CommandOption& option : Line.options)
            QVERIFY(help.find(option.name) != std::string::npos);
    }
};

OUTLAY_TEST(TestArguments)
#include "tst_arguments.moc"
