// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever is started is started by its words, by no shell: every file of the program is read.
#include "tests/support/sources.h"
#include "tests/support/test_class.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

namespace {

/// What would start one; comments have other words.
QString shellIn(const QString& text)
{
    static const QRegularExpression Shell(
        QStringLiteral("(?<!QLocale::)\\b(system|popen|execlp?e?|startDetached|wordexp) ?\\([^)]|"
                       "\"(/bin/)?(da)?sh\"[,)]|\"/bin/bash\"|\"-c\""));
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        if (Shell.match(line).hasMatch() && !line.trimmed().startsWith(QStringLiteral("//")))
            return line.trimmed();
    }
    return {};
}

} // namespace

class TestNoShell : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Words go to programs as words: what a name or a path holds is never read by a shell here.
    void noShellStartsAnything()
    {
        const QStringList files = outlay::tests::sourceFiles();
        QVERIFY(files.size() > 300);
        for (const QString& name : files) {
            QFile file(name);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString found = shellIn(QString::fromUtf8(file.readAll()));
            QVERIFY2(found.isEmpty(), qPrintable(name + ": " + found));
        }
    }

    void shellsAreFound()
    {
        for (const char* text : {"system(\"ls\");", "  std::system (command)", "FILE* f = popen(x)",
                                 "::popen(x, y)", "start(\"sh\", {})", "run(\"/bin/bash\")",
                                 "QStringLiteral(\"-c\")", "execlp(\"ls\")"})
            QVERIFY2(!shellIn(QLatin1String(text)).isEmpty(), text);
        for (const char* text :
             {"QLocale::system()", "subsystem(x)", "m.system = x", "::execv(program, words)"})
            QVERIFY2(shellIn(QLatin1String(text)).isEmpty(), text);
    }
};

OUTLAY_TEST(TestNoShell)
#include "tst_no_shell.moc"
