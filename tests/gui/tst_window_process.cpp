// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The program itself with its window open: what it has loaded, and that it rests when nobody does anything.
#include "tests/support/test_class.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

class TestWindowProcess : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        QVERIFY(m_home.isValid());
        const QString file = m_home.filePath(QStringLiteral("design.json"));
        QCOMPARE(QProcess::execute(program(), {"new", "--preset", "text-generator", "-o", file}),
                 0);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* folder : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"})
            environment.insert(QLatin1String(folder), m_home.path());
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        m_process.setProcessEnvironment(environment);
        m_process.start(program(), {file});
        QVERIFY(m_process.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(read("maps").contains("libQt6Charts"), 30'000);
        // It has a window once it waits: a second in which it takes no processor time. The clock of
        // processor time is as coarse as 10 ms.
        QTRY_VERIFY_WITH_TIMEOUT(restsForASecond(), 60'000);
    }
    void cleanup()
    {
        m_process.kill();
        m_process.waitForFinished();
        QVERIFY(QFile::remove(m_home.filePath(QStringLiteral("design.json"))));
    }

    void theWorkersLibrariesStayOut()
    {
        const QByteArray maps = read("maps");
        QVERIFY(maps.contains("libQt6Widgets"));
        for (const char* library : {"libtorch", "libc10", "blas", "libdnnl"})
            QVERIFY2(!maps.contains(library), library);
    }

    void anIdleWindowRests()
    {
        int rests = 0;
        for (int i = 0; i < 3; ++i)
            rests += restsForASecond() ? 1 : 0;
        QVERIFY(rests >= 2); // a system message may wake it once
        QCOMPARE(m_process.state(), QProcess::Running);
    }

private:
    static QString program() { return QStringLiteral(OUTLAY_PROGRAM); }

    [[nodiscard]] QByteArray read(const char* what) const
    {
        QFile file(
            QStringLiteral("/proc/%1/%2").arg(m_process.processId()).arg(QLatin1String(what)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    /// Of user and system time, in clock ticks; the fields after the name, which may have spaces.
    [[nodiscard]] qlonglong ticks() const
    {
        const QByteArray stat = read("stat");
        const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
        return fields.size() > 12 ? fields[11].toLongLong() + fields[12].toLongLong() : -1;
    }

    [[nodiscard]] bool restsForASecond() const
    {
        const qlonglong before = ticks();
        QTest::qWait(1000);
        return before > 0 && ticks() == before;
    }

    QTemporaryDir m_home;
    QProcess m_process;
};

OUTLAY_TEST(TestWindowProcess)
#include "tst_window_process.moc"
