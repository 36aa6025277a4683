// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace outlay::core;

class TestFile : public QObject {
    Q_OBJECT
private slots:
    void init() { QVERIFY(m_folder.isValid()); }

    void savesAndLoads()
    {
        const std::string path = at("a.txt");
        QVERIFY(saveFile(path, "one").has_value());
        QVERIFY(saveFile(path, "two").has_value());
        QCOMPARE(loadFile(path).value(), std::string("two"));
        QCOMPARE(QDir(m_folder.path()).entryList({QStringLiteral("a.txt*")}).size(), 1);
    }

    void keepsPermissionsAndFollowsLinks()
    {
        const std::string path = at("b.txt");
        QVERIFY(saveFile(path, "one").has_value());
        QVERIFY(::chmod(path.c_str(), 0640) == 0);
        const std::string link = at("link");
        QVERIFY(QFile::link(QString::fromStdString(path), QString::fromStdString(link)));
        QVERIFY(saveFile(link, "two").has_value());
        QCOMPARE(loadFile(path).value(), std::string("two"));
        QVERIFY(QFileInfo(QString::fromStdString(link)).isSymLink());
        struct stat info {};
        QVERIFY(::stat(path.c_str(), &info) == 0);
        QCOMPARE(info.st_mode & 0777U, 0640U);
    }

    void aFailedSaveLeavesNothing()
    {
        const auto saved = saveFile(at("no/such/folder/x.txt"), "content");
        QVERIFY(!saved.has_value());
        QVERIFY(!saved.error().remedy.empty());
        QVERIFY(!saveFile(m_folder.path().toStdString(), "content").has_value());
        QVERIFY(!saveFile("/dev/full", "content").has_value());
    }

    void refusesWhatIsNoFile()
    {
        QVERIFY(!loadFile(at("missing")).has_value());
        const auto folder = loadFile(m_folder.path().toStdString());
        QVERIFY(!folder && folder.error().what.find("is a directory") != std::string::npos);
        QVERIFY(!loadFile("/dev/zero").has_value());
        const std::string pipe = at("pipe");
        QVERIFY(::mkfifo(pipe.c_str(), 0600) == 0);
        QVERIFY(!loadFile(pipe).has_value()); // and does not wait for a writer
    }

    void refusesBySizeBeforeReading()
    {
        // A sparse file: reading it would take a terabyte.
        const std::string path = at("large");
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.resize(qint64(1) << 40));
        const auto loaded = loadFile(path);
        QVERIFY(!loaded.has_value());
        QVERIFY(loaded.error().sentence().find("64 MB") != std::string::npos);
        const auto start = loadFileStart(path, 16);
        QVERIFY(start.has_value());
        QCOMPARE(start->bytes.size(), std::size_t{16});
        QCOMPARE(start->fileSize, std::uint64_t{1} << 40U);
    }

private:
    std::string at(const char* name) const
    {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }

    QTemporaryDir m_folder;
};

OUTLAY_TEST(TestFile)
#include "tst_file.moc"
