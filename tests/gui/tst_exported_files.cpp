// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// No file that is made to be given away holds a folder, the user or the host of whoever made it: the real program, on a
// machine whose names are known, writes every kind that it has.
#include "tests/support/run_program.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QImage>
#include <QStringConverter>
#include <QTemporaryDir>
#include <QTest>

#include <sched.h>
#include <unistd.h>

using namespace outlay::tests;

namespace {

const char* const User = "quillfeather";
const char* const Host = "zebrafinch";
const char* const Folder = "Marigold"; // of the home
const char* const Project = "underwing";

/// What a file holds in plain and in packed parts. A picture's colours aren't read.
QByteArray allTextOf(const QString& path)
{
    QByteArray text = contentOf(path);
    const QByteArray whole = text;
    if (path.endsWith(QStringLiteral(".png"))) {
        const QImage image(path);
        for (const QString& key : image.textKeys())
            text += (key + QLatin1Char('=') + image.text(key)).toUtf8();
    }
    if (path.endsWith(QStringLiteral(".pdf"))) {
        constexpr qsizetype Word = 7;
        for (qsizetype at = whole.indexOf("stream\n"); at >= 0;
             at = whole.indexOf("stream\n", at)) {
            at += Word;
            const qsizetype end = whole.indexOf("endstream", at);
            // qUncompress wants the size first, and finds the right one from any.
            if (whole.mid(at, 1) == "x") // what isn't packed is there already
                text += qUncompress(QByteArray("\0\1\0\0", 4) + whole.mid(at, end - at));
        }
    }
    return text;
}

/// The first word that shouldn't be there.
QString foundIn(const QString& path)
{
    const QByteArray text = allTextOf(path);
    for (const char* word : {User, Host, Folder, Project}) {
        const QString name = QLatin1String(word);
        for (const auto encoding :
             {QStringConverter::Utf8, QStringConverter::Utf16BE, QStringConverter::Utf16LE}) {
            const QByteArray bytes = QStringEncoder(encoding)(name);
            if (text.contains(bytes) || text.toLower().contains(bytes.toLower()))
                return path + QStringLiteral(" holds ") + name;
        }
    }
    return {};
}

} // namespace

class TestExportedFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        QVERIFY(QDir().mkpath(home() + QStringLiteral("/.config/outlay/hosts")));
        QVERIFY(QDir().mkpath(at("out")));
        write(home() + QStringLiteral("/.config/outlay/hosts/bench.json"), "{\"kind\": \"local\"}");
        write(at("train.sh"), "i=0; while [ $i -lt 20 ]; do i=$((i+1)); echo \"step $i/20\" >&2; "
                              "sleep 0.05; done");
        write(at("emissions.csv"),
              QByteArray("timestamp,project_name,run_id,duration,emissions,energy_consumed\n"
                         "2026-11-20T10:00:00,") +
                  Project + ",abc,3600,0.1,0.05\n");
        write(at("config.json"),
              QByteArray("{\"model_type\": \"gpt2\", \"_name_or_path\": \"/home/") + User +
                  "/models/" +
                  "tuned\", \"n_layer\": 2, \"n_embd\": 64, \"n_head\": 2, "
                  "\"vocab_size\": 1000, \"n_positions\": 128}");
    }

    /// Everything that a person may have put into it by way of this program.
    void anExperimentIsMade()
    {
        done({"import", at("config.json"), "-o", at("mine.json")});
        QVERIFY(contentOf(at("mine.json")).contains("tuned"));
        done({"new", "--preset", "mlp", "-o", at("e.json")});
        done({"probe", at("e.json"), "--seconds", "0.5"});
        done({"probe", at("e.json"), "--seconds", "0.5", "--on", "bench"});
        done({"run", "--whole", "--json", at("out/run.json"), at("e.json"), "--", "/bin/sh",
              at("train.sh"), QStringLiteral("--user=") + User,
              QStringLiteral("%1@%2:/data").arg(User, Host),
              QStringLiteral("--data=") + at("corpus")});
        QVERIFY(
            contentOf(at("e.json")).contains("sh train.sh --user=... ...@...:data --data=corpus"));
        QVERIFY(contentOf(at("e.json")).contains("\"bench\""));
        done({"actual", at("e.json"), "--from", at("emissions.csv")});
        QVERIFY(contentOf(at("e.json")).contains("emissions.csv"));
    }

    void noFileTellsWhoMadeIt()
    {
        const QString out = at("out");
        done({"report", at("e.json"), "--out", out, "--format",
              "png,svg,pdf,json,csv,md,focus,application"});
        // Of one that says how long a training takes and draws.
        done({"report", at("e.json"), "--out", out, "--training-time", "3600", "--format",
              "emissions,boamps"},
             true);
        write(at("out/estimate.json"), done({"estimate", at("e.json"), "--json"}));
        write(at("out/estimate.txt"), done({"estimate", at("e.json")}));
        write(at("out/simulate.json"), done({"simulate", at("e.json"), "--json"}));
        write(at("out/sweep.csv"),
              done({"sweep", at("e.json"), "--vary", "/training/batch=16,32"}));
        write(at("out/track.txt"), done({"track", at("e.json")}));
        QFile::copy(at("e.json"), home() + QStringLiteral("/e.json"));
        done({"compare", at("e.json"), at("mine.json"), home() + QStringLiteral("/e.json"), "--out",
              out});
        QVERIFY(contentOf(at("out/comparison.csv")).contains("e.json (2)"));
        done({"check", at("e.json"), "--budget", budget()}, true);
        QFile::copy(at("e.json"), at("out/e.json"));
        QFile::copy(at("mine.json"), at("out/mine.json"));
        QDirIterator files(out, QDir::Files);
        int seen = 0;
        while (files.hasNext()) {
            const QString problem = foundIn(files.next());
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
            ++seen;
        }
        for (const char* name : {"out/application.md", "out/application.pdf", "out/simulate.json"})
            QVERIFY2(!contentOf(at(name)).isEmpty(), name);
        QVERIFY2(seen >= 20, qPrintable(QDir(out).entryList().join(QLatin1Char(' '))));
    }

    // What is looked for would be found, in packed parts and wide letters, too.
    void wordsAreFound()
    {
        write(at("plain.txt"), QByteArray("x/") + User + "/y");
        write(at("wide.pdf"), QStringEncoder(QStringConverter::Utf16BE)(QLatin1String(Host)));
        write(at("packed.pdf"),
              "stream\n" + qCompress(QByteArray(1000, ' ') + Folder).mid(4) + "endstream");
        QImage image(4, 4, QImage::Format_RGB32);
        image.setText(QStringLiteral("Title"), QLatin1String(Project));
        QVERIFY(image.save(at("text.png")));
        for (const char* name : {"plain.txt", "wide.pdf", "packed.pdf", "text.png"})
            QVERIFY2(!foundIn(at(name)).isEmpty(), name);
    }

private:
    [[nodiscard]] QString home() const { return m_folder.filePath(QLatin1String(Folder)); }
    [[nodiscard]] QString at(const char* name) const
    {
        return home() + QLatin1Char('/') + QLatin1String(Project) + QLatin1Char('/') +
               QLatin1String(name);
    }
    [[nodiscard]] QString budget()
    {
        write(at("budget.json"), "{\"/training/here\": 1e9}");
        return at("budget.json");
    }
    static void write(const QString& path, const QByteArray& text)
    {
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("a file of a test can't be written");
    }
    /// What it printed; it may only fail where that doesn't matter.
    QByteArray done(const QStringList& words, bool mayFail = false)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HOME"), home());
        environment.insert(QStringLiteral("USER"), QLatin1String(User));
        environment.insert(QStringLiteral("LOGNAME"), QLatin1String(User));
        environment.insert(QStringLiteral("HOSTNAME"), QLatin1String(Host));
        environment.remove(QStringLiteral("XDG_CONFIG_HOME"));
#ifndef OUTLAY_REAL_WORKER
        environment.insert(QStringLiteral("OUTLAY_PROBE"), QStringLiteral(OUTLAY_FAKE_WORKER));
#endif
        QProcess process;
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(at(""));
        // Where a host may be named.
        process.setChildProcessModifier([] {
            if (::unshare(CLONE_NEWUTS) == 0 || ::unshare(CLONE_NEWUSER | CLONE_NEWUTS) == 0)
                (void)::sethostname(Host, std::char_traits<char>::length(Host));
        });
        process.start(QStringLiteral(OUTLAY_PROGRAM), words);
        const Outcome o = outcomeOf(process, std::chrono::seconds(120));
        if (o.exitCode != 0 && !mayFail)
            qFatal("outlay %s: %s", qPrintable(words.join(QLatin1Char(' '))), o.err.constData());
        return o.out;
    }

    QTemporaryDir m_folder;
};

OUTLAY_TEST(TestExportedFiles)
#include "tst_exported_files.moc"
