// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/manual_page.h"
#include "core/base/version.h"
#include "gui/commands/command.h"
#include "gui/commands/manual.h"
#include "tests/support/test_class.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <sstream>

using namespace outlay;
using namespace outlay::gui;

namespace {

struct Printed {
    int status = 0;
    QString out;
    QString err;
};

Printed print(const std::vector<std::string>& words)
{
    std::ostringstream out;
    std::ostringstream err;
    const int status = runCommandLine(words, {out, err});
    return {status, QString::fromStdString(out.str()), QString::fromStdString(err.str())};
}

std::vector<Command> all()
{
    return {presetsCommand(), newCommand(),      importCommand(), estimateCommand(),
            probeCommand(),   runCommand(),      reportCommand(), compareCommand(),
            checkCommand(),   sweepCommand(),    actualCommand(), trackCommand(),
            hostsCommand(),   simulateCommand(), pricesCommand()};
}

/// What bash proposes for the last of the words.
QStringList proposed(const QString& folder, const QStringList& words)
{
    QProcess bash;
    bash.setWorkingDirectory(folder);
    QStringList quoted;
    for (const QString& word : words)
        quoted.append(QStringLiteral("'%1'").arg(word));
    bash.start(QStringLiteral("bash"),
               {QStringLiteral("--norc"), QStringLiteral("-c"),
                QStringLiteral("source ./outlay; COMP_WORDS=(%1); COMP_CWORD=%2; _outlay; "
                               "printf '%s\\n' \"${COMPREPLY[@]}\"")
                    .arg(quoted.join(QLatin1Char(' ')))
                    .arg(words.size() - 1)});
    bash.waitForFinished();
    const QByteArray errors = bash.readAllStandardError();
    if (!errors.isEmpty())
        return {QString::fromUtf8(errors)};
    return QString::fromUtf8(bash.readAllStandardOutput())
        .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

} // namespace

class TestShellPapers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void thePageSaysWhatHelpSays()
    {
        const Printed page = print({"--manual"});
        QCOMPARE(page.status, 0);
        QVERIFY(page.out.startsWith(QStringLiteral(".TH OUTLAY 1 \"\" \"Outlay ") +
                                    QString::fromUtf8(core::ProgramVersion.data()) +
                                    QStringLiteral("\"")));
        QString text = page.out;
        text.replace(QStringLiteral("\\-"), QStringLiteral("-")).remove(QStringLiteral("\\&"));
        for (const Command& command : all()) {
            const auto has = [&](std::string_view part) {
                return text.contains(QString::fromUtf8(part.data(), qsizetype(part.size())));
            };
            QVERIFY(has(command.line.name) && has(command.line.synopsis) &&
                    has(command.line.summary));
            for (const CommandOption& option : command.line.options)
                QVERIFY2(has(option.name) && has(option.help), option.help.data());
        }
        // Nothing of the text is taken for a command of `man`.
        for (const QString& line : page.out.split(QLatin1Char('\n'))) {
            const bool isMacro =
                line.startsWith(QLatin1String(".TH ")) || line.startsWith(QLatin1String(".SH ")) ||
                line.startsWith(QLatin1String(".B ")) || line == QLatin1String(".TP");
            QVERIFY2(isMacro ||
                         !(line.startsWith(QLatin1Char('.')) || line.startsWith(QLatin1Char('\''))),
                     qPrintable(line));
        }
    }

    void dangerousTextIsKept()
    {
        const std::string text = core::manualText(
            {.name = "x",
             .purpose = "says \\fB",
             .sections = {{.title = "A", .text = ".so /etc/passwd\n'quoted\n\\n"}}});
        QVERIFY(text.ends_with("x \\- says \\efB\n.SH A\n\\&.so /etc/passwd\n\\&'quoted\n\\en\n"));
    }

    void bashCompletes()
    {
        const QTemporaryDir folder;
        QFile script(folder.filePath(QStringLiteral("outlay")));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write(print({"--completion", "bash"}).out.toUtf8());
        script.close();
        QFile design(folder.filePath(QStringLiteral("my design.json")));
        QVERIFY(design.open(QIODevice::WriteOnly));
        design.close();
        const auto propose = [&](const QStringList& words) {
            return proposed(folder.path(), words);
        };
        const QString outlay = QStringLiteral("outlay");
        QCOMPARE(propose({outlay, QStringLiteral("es")}), QStringList{QStringLiteral("estimate")});
        QCOMPARE(propose({outlay, QStringLiteral("my")}),
                 QStringList{QStringLiteral("my design.json")});
        QCOMPARE(propose({outlay, QStringLiteral("probe"), QStringLiteral("--le")}),
                 QStringList{QStringLiteral("--lengths")});
        QCOMPARE(propose({outlay, QStringLiteral("probe"), QStringLiteral("--device"), QString()}),
                 (QStringList{QStringLiteral("cpu"), QStringLiteral("cuda")}));
        QCOMPARE(
            propose({outlay, QStringLiteral("probe"), QStringLiteral("--variants"), QString()}),
            (QStringList{QStringLiteral("all"), QStringLiteral("none")}));
        QCOMPARE(propose({outlay, QStringLiteral("estimate"), QStringLiteral("my")}),
                 QStringList{QStringLiteral("my design.json")});
        for (const Command& command : all()) {
            const QString name =
                QString::fromUtf8(command.line.name.data(), qsizetype(command.line.name.size()));
            const QStringList options = propose({outlay, name, QStringLiteral("-")});
            QCOMPARE(options.size(), static_cast<qsizetype>(command.line.options.size()) + 1);
        }
    }

    // Whoever has none of these shells still sees that each option is there once.
    void otherShellsKnowAllOptions()
    {
        const QString zsh = print({"--completion", "zsh"}).out;
        const QString fish = print({"--completion", "fish"}).out;
        QVERIFY(zsh.startsWith(QStringLiteral("#compdef outlay\n")));
        qsizetype options = 0;
        for (const Command& command : all()) {
            options += static_cast<qsizetype>(command.line.options.size());
            for (const CommandOption& option : command.line.options)
                QVERIFY(zsh.contains(QString::fromUtf8(option.name.data()) + QLatin1Char('[')));
        }
        QCOMPARE(fish.count(QStringLiteral("__fish_seen_subcommand_from")), options);
        QCOMPARE(zsh.count(QStringLiteral("_arguments -s")), static_cast<qsizetype>(all().size()));
        QCOMPARE(zsh.count(QLatin1Char('\'')) % 2, 0);
        QCOMPARE(fish.count(QLatin1Char('\'')) % 2, 0);
    }

    // A full disk is told, whatever was asked for.
    void whatCantBeWrittenIsTold()
    {
        for (const std::vector<std::string>& words : {std::vector<std::string>{"--manual"},
                                                      {"--completion", "bash"},
                                                      {"--help"},
                                                      {"--version"},
                                                      {"presets"},
                                                      {"presets", "--help"}}) {
            std::ofstream full("/dev/full");
            std::ostringstream err;
            QCOMPARE(runCommandLine(words, {full, err}), 1);
            QVERIFY(err.str().find("can't be written to the output") != std::string::npos);
        }
    }

    void anUnknownShellIsNamed()
    {
        for (const std::vector<std::string>& words :
             {std::vector<std::string>{"--completion", "csh"}, {"--completion"}}) {
            const Printed p = print(words);
            QCOMPARE(p.status, 2);
            QVERIFY(p.out.isEmpty());
            QVERIFY2(p.err.contains(QStringLiteral("name bash, zsh or fish")), qPrintable(p.err));
        }
    }
};

OUTLAY_TEST(TestShellPapers)
#include "tst_shell_papers.moc"
