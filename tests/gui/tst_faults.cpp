// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The real program where something is wrong with the machine: it goes on, or says one sentence, and loses nothing.
#include "tests/support/run_program.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace outlay::tests;

namespace {

/// Not where the program lies in a folder that only the superuser may enter.
bool becomesNobody = true;

using Change = std::function<void(QProcessEnvironment&)>;

Outcome runIn(const QStringList& words, const Change& change = {},
              const std::function<void()>& limit = {})
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (change)
        change(environment);
    process.setProcessEnvironment(environment);
    // Nobody is a superuser here, to whom nothing is forbidden.
    process.setChildProcessModifier([limit] {
        if (limit)
            limit();
        if (becomesNobody && ::geteuid() == 0) {
            constexpr uid_t Nobody = 65534;
            [[maybe_unused]] const bool isNobody = ::setgid(Nobody) == 0 && ::setuid(Nobody) == 0;
        }
    });
    process.start(QStringLiteral(OUTLAY_PROGRAM), words);
    return outcomeOf(process, std::chrono::seconds(60));
}

/// Without when it was made.
QByteArray undated(const QByteArray& content)
{
    static const QRegularExpression moment(
        QStringLiteral("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z"));
    return QString::fromUtf8(content).remove(moment).toUtf8();
}

void setHome(QProcessEnvironment& environment, const QString& home)
{
    for (const char* name :
         {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
        environment.remove(QLatin1String(name));
    environment.insert(QStringLiteral("HOME"), home);
}

} // namespace

class TestFaults : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        QVERIFY(QFile::setPermissions(m_folder.path(), QFileDevice::Permissions(0x7777)));
        becomesNobody = runIn({"--version"}).exitCode == 0;
        m_file = m_folder.filePath(QStringLiteral("design.json"));
        QCOMPARE(runIn({"new", "--preset", "text-generator", "-o", m_file}).exitCode, 0);
        m_content = contentOf(m_file);
        QVERIFY(undated(m_content).size() > 100);
    }

    // Figures don't depend on whose home it is, or whether there is one.
    void homes_data()
    {
        QTest::addColumn<QString>("home");
        QTest::addRow("none") << QString();
        QTest::addRow("that isn't there") << m_folder.filePath(QStringLiteral("gone/home"));
        QTest::addRow("that is a file") << m_file;
        QTest::addRow("that nobody may write to") << QStringLiteral("/proc");
        QTest::addRow("that nobody may enter") << QStringLiteral("/root");
        QTest::addRow("a name with everything")
            << m_folder.filePath(QStringLiteral("a b\tü \u05d0\u05d1 '\"$(x)"));
    }
    void homes()
    {
        QFETCH(QString, home);
        const auto inHome = [&](QProcessEnvironment& environment) {
            setHome(environment, home);
            if (home.isEmpty())
                environment.remove(QStringLiteral("HOME"));
        };
        const Outcome outcome = runIn({"estimate", m_file, "--json"}, inHome);
        QCOMPARE(outcome.exitCode, 0);
        QVERIFY2(outcome.err.isEmpty(), outcome.err.constData());
        const QJsonObject report = QJsonDocument::fromJson(outcome.out).object();
        QVERIFY(report.contains(QStringLiteral("training")));
        // Prices of one's own have no place to go where there is no home: one sentence.
        const QString csv = m_folder.filePath(QStringLiteral("own.csv"));
        QFile prices(csv);
        QVERIFY(prices.open(QIODevice::WriteOnly));
        prices.write("provider,instance,region,usd_per_hour\nown,box,lab,1\n");
        prices.close();
        const Outcome merged = runIn({"prices", "import", csv, "--as-of", "2026-01-01"}, inHome);
        if (merged.exitCode != 0)
            QVERIFY2(merged.exitCode == 2 && merged.err.count('\n') == 1, merged.err.constData());
    }

    // A comma is no other number; right-to-left is no other order.
    void locales_data()
    {
        QTest::addColumn<QByteArray>("locale");
        for (const char* locale : {"de_DE.UTF-8", "ar_EG.UTF-8", "tr_TR.UTF-8", "C", "nonsense"})
            QTest::addRow("%s", locale) << QByteArray(locale);
    }
    void locales()
    {
        QFETCH(QByteArray, locale);
        const auto in = [&](QProcessEnvironment& environment) {
            for (const char* name : {"LANG", "LC_ALL", "LC_NUMERIC"})
                environment.insert(QLatin1String(name), QString::fromLatin1(locale));
        };
        const QStringList words{"estimate", m_file};
        const Outcome there = runIn(words, in);
        QCOMPARE(there.exitCode, 0);
        QCOMPARE(there.out, runIn(words).out);
        const QString copy = m_folder.filePath(QStringLiteral("locale.json"));
        QCOMPARE(runIn({"new", "--preset", "text-generator", "-o", copy}, in).exitCode, 0);
        QCOMPARE(undated(contentOf(copy)), undated(m_content));
        QVERIFY(QFile::remove(copy));
    }

    // A quota that is met while it writes: the old file stays, nothing else is left.
    void aQuotaIsReported()
    {
        const QString file = m_folder.filePath(QStringLiteral("quota.json"));
        QVERIFY(QFile::copy(m_file, file));
        const QStringList before = QDir(m_folder.path()).entryList();
        const auto limited = [] {
            constexpr rlim_t Few = 64;
            const rlimit limit{Few, Few};
            ::setrlimit(RLIMIT_FSIZE, &limit);
        };
        const Outcome outcome = runIn({"new", "--preset", "bert-base", "-o", file}, {}, limited);
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.err.count('\n') == 1 && outcome.err.contains("can't be written"),
                 outcome.err.constData());
        QCOMPARE(contentOf(file), m_content);
        QCOMPARE(QDir(m_folder.path()).entryList(), before);
        QVERIFY(QFile::remove(file));
    }

    void foldersThatForbid()
    {
        if (::geteuid() == 0 && !becomesNobody)
            return; // nothing is forbidden
        const QString folder = m_folder.filePath(QStringLiteral("locked"));
        QVERIFY(QDir().mkdir(folder));
        const QString file = folder + QStringLiteral("/e.json");
        QVERIFY(QFile::copy(m_file, file));
        QCOMPARE(::chmod(folder.toLocal8Bit().constData(), 0555), 0);
        const Outcome outcome = runIn({"new", "--preset", "bert-base", "-o", file});
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.err.count('\n') == 1 && outcome.err.contains("check the folder"),
                 outcome.err.constData());
        QCOMPARE(contentOf(file), m_content);
        QCOMPARE(::chmod(folder.toLocal8Bit().constData(), 0755), 0);
    }

    void paths_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("spaces") << QStringLiteral(" a  b .json");
        QTest::newRow("letters") << QStringLiteral("zürich-東京-\u05e9\u05dc\u05d5\u05dd.json");
        QTest::newRow("what shells read") << QStringLiteral("$(touch x);`y`&'\"*.json");
        QTest::newRow("a line of its own") << QStringLiteral("a\nb.json");
        QTest::newRow("begins as an option") << QStringLiteral("./--set.json");
        QTest::newRow("as long as it may be") << QString(250, u'n') + QStringLiteral(".json");
    }
    void paths()
    {
        QFETCH(QString, name);
        const QString file = m_folder.filePath(name);
        QCOMPARE(runIn({"new", "--preset", "text-generator", "-o", file}).exitCode, 0);
        QCOMPARE(undated(contentOf(file)), undated(m_content));
        QCOMPARE(runIn({"estimate", file}).exitCode, 0);
        QVERIFY(QFile::remove(file));
    }

    void pathsThatAreTooLong()
    {
        const QString file = m_folder.filePath(QString(4096, u'n'));
        for (const QStringList& words :
             {QStringList{"estimate", file}, {"new", "--preset", "mlp", "-o", file}}) {
            const Outcome outcome = runIn(words);
            QCOMPARE(outcome.exitCode, 2);
            QVERIFY(outcome.out.isEmpty() && outcome.err.count('\n') == 1);
        }
    }

    // 16 GB without a byte in them, in bounded memory and at once.
    void filesThatAreTooLarge()
    {
        const QString file = m_folder.filePath(QStringLiteral("large.json"));
        QVERIFY(QFile(file).open(QIODevice::WriteOnly));
        QCOMPARE(::truncate(file.toLocal8Bit().constData(), off_t{16} << 30), 0);
        const auto little = [] {
#ifndef OUTLAY_SANITIZED // which maps terabytes
            constexpr rlim_t Little = rlim_t{2} << 30;
            const rlimit limit{Little, Little};
            ::setrlimit(RLIMIT_AS, &limit);
#endif
        };
        for (const QStringList& words :
             {QStringList{"estimate", file},
              {"import", file, "-o", m_folder.filePath(QStringLiteral("i.json"))},
              {"prices", "import", file},
              {"check", m_file, "--budget", file},
              {"actual", m_file, "--from", file}}) {
            const Outcome outcome = runIn(words, {}, little);
            QVERIFY2(outcome.exitCode == 2 && outcome.err.count('\n') == 1,
                     (words.front().toUtf8() + ": " + outcome.err).constData());
        }
        QVERIFY(QFile::remove(file));
        QCOMPARE(contentOf(m_file), m_content);
    }

    // Its window without fonts says so, and doesn't fall over.
    void withoutFontsTheWindowOpens()
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        setHome(environment, m_folder.path());
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        environment.insert(QStringLiteral("FONTCONFIG_FILE"), QStringLiteral("/dev/null"));
        environment.insert(QStringLiteral("QT_QPA_FONTDIR"), QStringLiteral("/nonexistent"));
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(OUTLAY_PROGRAM), {m_file});
        QVERIFY(process.waitForStarted());
        QVERIFY(!process.waitForFinished(4000)); // it stays
        process.terminate();
        QVERIFY(process.waitForFinished(10'000));
        QCOMPARE(contentOf(m_file), m_content);
    }

private:
    QTemporaryDir m_folder;
    QString m_file;
    QByteArray m_content;
};

OUTLAY_TEST(TestFaults)
#include "tst_faults.moc"
