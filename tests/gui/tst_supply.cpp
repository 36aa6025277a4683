// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the program is made of, as its bills of materials say it; and that what changes the data that it keeps is seen.
#include "core/base/file.h"
#include "core/base/resources.h"
#include "gui/session/file_hash.h"
#include "gui/session/price_book_file.h"
#include "tests/support/test_class.h"

#include <QCryptographicHash>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace outlay;
using namespace outlay::gui;

namespace {

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString sourceFolder()
{
    return QStringLiteral(OUTLAY_SOURCE_DIR);
}

/// What the script says where it fails; empty where it doesn't.
QString writeBill(const QString& program, const QString& source, const QString& out)
{
    QProcess cmake;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("SOURCE_DATE_EPOCH"), QStringLiteral("1764115200"));
    cmake.setProcessEnvironment(environment);
    cmake.start(QStringLiteral("cmake"),
                {"-D", "PROGRAM=" + program, "-D", "PACKAGE=outlay", "-D", "VERSION=1.2.3", "-D",
                 "SOURCE=" + source, "-D", "OUT=" + out, "-P",
                 sourceFolder() + "/cmake/BillOfMaterials.cmake"});
    cmake.waitForFinished(60000);
    return cmake.exitCode() == 0 ? QString() : QString::fromUtf8(cmake.readAllStandardError());
}

QMap<QString, QJsonObject> packagesOf(const QJsonObject& bill)
{
    QMap<QString, QJsonObject> packages;
    for (const QJsonValue& value : bill[QLatin1String("packages")].toArray())
        packages[value[QLatin1String("name")].toString()] = value.toObject();
    return packages;
}

} // namespace

class TestSupply : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        const QString path = m_home.filePath(QStringLiteral("bill.json"));
        QCOMPARE(writeBill(QStringLiteral(OUTLAY_PROGRAM), sourceFolder(), path), QString());
        m_bill = QJsonDocument::fromJson(bytesOf(path)).object();
        QVERIFY(!m_bill.isEmpty());
    }

    void billIsSpdx()
    {
        QCOMPARE(m_bill[QLatin1String("spdxVersion")].toString(), QStringLiteral("SPDX-2.3"));
        QCOMPARE(m_bill[QLatin1String("dataLicense")].toString(), QStringLiteral("CC0-1.0"));
        QCOMPARE(m_bill[QLatin1String("creationInfo")][QLatin1String("created")].toString(),
                 QStringLiteral("2025-11-26T00:00:00Z"));
        QVERIFY(m_bill[QLatin1String("documentNamespace")].toString().startsWith(
            QStringLiteral("https://")));
        QSet<QString> ids{QStringLiteral("SPDXRef-DOCUMENT")};
        static const QRegularExpression Id(QStringLiteral("^SPDXRef-[A-Za-z0-9.-]+$"));
        for (const QJsonObject& package : packagesOf(m_bill)) {
            const QString id = package[QLatin1String("SPDXID")].toString();
            QVERIFY2(Id.match(id).hasMatch() && !ids.contains(id), qPrintable(id));
            ids.insert(id);
            for (const char* key : {"downloadLocation", "licenseDeclared", "licenseConcluded"})
                QVERIFY2(!package[QLatin1String(key)].toString().isEmpty(), key);
        }
        const QJsonArray relations = m_bill[QLatin1String("relationships")].toArray();
        QCOMPARE(relations.size(), ids.size() - 1); // each package has one
        for (const QJsonValue& relation : relations) {
            for (const char* end : {"spdxElementId", "relatedSpdxElement"})
                QVERIFY2(ids.contains(relation[QLatin1String(end)].toString()), end);
        }
    }

    // With the versions that are linked, and the licences of the list.
    void billHasTheParts()
    {
        const auto packages = packagesOf(m_bill);
        for (const char* name : {"libqt6core6", "libqt6widgets6", "libqt6charts6", "libstdc++6",
                                 "libc6", "zlib1g", "nlohmann-json3-dev", "libexpected-dev"}) {
            const QJsonObject package = packages.value(QLatin1String(name));
            QVERIFY2(!package[QLatin1String("versionInfo")].toString().isEmpty(), name);
        }
        QVERIFY(packages[QStringLiteral("libqt6core6")][QLatin1String("versionInfo")]
                    .toString()
                    .startsWith(QLatin1String(qVersion())));
        QCOMPARE(
            packages[QStringLiteral("libqt6charts6")][QLatin1String("licenseDeclared")].toString(),
            QStringLiteral("GPL-3.0-or-later"));
        QVERIFY(!packages.contains(QStringLiteral("libtorch1.13"))); // the worker's
        // What is compiled in has its licence in the packages' own file of licences.
        const QByteArray copyright = bytesOf(sourceFolder() + "/packaging/debian/copyright");
        for (const char* name :
             {"Niels Lohmann", "Simon Brand", "License: Expat", "License: CC0-1.0"})
            QVERIFY2(copyright.contains(name), name);
    }

    void billHasTheData()
    {
        const auto packages = packagesOf(m_bill);
        const QDir resources(sourceFolder() + "/resources");
        const QStringList files = resources.entryList({QStringLiteral("*.json")});
        QVERIFY(files.size() >= 9);
        for (const QString& name : files) {
            const QByteArray hash = QCryptographicHash::hash(bytesOf(resources.filePath(name)),
                                                             QCryptographicHash::Sha256)
                                        .toHex();
            const QJsonValue sum =
                packages[name][QLatin1String("checksums")][0][QLatin1String("checksumValue")];
            QCOMPARE(sum.toString(), QString::fromLatin1(hash));
            // What is linked into the program says the same of itself.
            QCOMPARE(QString::fromStdString(std::string(core::resourceSha256(name.toStdString()))),
                     QString::fromLatin1(hash));
        }
        QCOMPARE(packages[QStringLiteral("prices.json")][QLatin1String("versionInfo")].toString(),
                 QStringLiteral("2026-07-20"));
        const QByteArray grid = QJsonDocument(packages[QStringLiteral("grid.json")]).toJson();
        QVERIFY(grid.contains("electricitymaps/electricitymaps-contrib: AGPL-3.0 since v1.5.0; "));
        QVERIFY(grid.contains("mlco2/codecarbon@"));
    }

    void theSameTwice()
    {
        const QString again = m_home.filePath(QStringLiteral("again.json"));
        QCOMPARE(writeBill(QStringLiteral(OUTLAY_PROGRAM), sourceFolder(), again), QString());
        QCOMPARE(bytesOf(again), bytesOf(m_home.filePath(QStringLiteral("bill.json"))));
    }

    void whatIsNotListedIsAnError()
    {
        const QString source = m_home.filePath(QStringLiteral("source"));
        QVERIFY(QDir().mkpath(source + "/docs"));
        QByteArray licences = bytesOf(sourceFolder() + "/docs/licences.md");
        licences.replace("`libqt6charts6`", "`libqt6other6`");
        QVERIFY(
            core::saveFile((source + "/docs/licences.md").toStdString(), licences.toStdString()));
        const QString said = writeBill(QStringLiteral(OUTLAY_PROGRAM), source,
                                       m_home.filePath(QStringLiteral("none.json")));
        QVERIFY2(said.contains(QStringLiteral("libqt6charts6")), qPrintable(said));
        QVERIFY(!QFile::exists(m_home.filePath(QStringLiteral("none.json"))));
    }

    void hashesAreThoseOfTheFiles()
    {
        const std::string path = m_home.filePath(QStringLiteral("kept.json")).toStdString();
        QVERIFY(!changeOf(path)); // there is nothing
        QVERIFY(saveWithHash(path, "abc"));
        QCOMPARE(bytesOf(m_home.filePath(QStringLiteral("kept.json.sha256"))),
                 QByteArray("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
                            "  kept.json\n"));
        QCOMPARE(*sha256Of(path), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410"
                                              "ff61f20015ad"));
        QVERIFY(!changeOf(path));
        QVERIFY(saveWithHash(path, "abcd"));
        QVERIFY(!changeOf(path));
        QVERIFY(core::saveFile(path, "other"));
        QVERIFY(changeOf(path)->find("kept.json was changed") != std::string::npos);
        QVERIFY(QFile::remove(m_home.filePath(QStringLiteral("kept.json.sha256"))));
        QVERIFY(!changeOf(path)); // accepted
    }

    // Wherever a save is cut short, what is there has its hash.
    void aSaveThatIsCutShortIsNoChange()
    {
        const std::string path = m_home.filePath(QStringLiteral("cut.json")).toStdString();
        const std::string hashes = path + ".sha256";
        QVERIFY(saveWithHash(path, "before"));
        const std::string before = *core::loadFile(hashes);
        QVERIFY(saveWithHash(path, "after"));
        const std::string after = *core::loadFile(hashes);
        QVERIFY(core::saveFile(hashes, before + after)); // the first of three steps
        QVERIFY(!changeOf(path));
        QVERIFY(core::saveFile(path, "before"));
        QVERIFY(!changeOf(path));
        QVERIFY(core::saveFile(path, "something else"));
        QVERIFY(changeOf(path));
    }

    // By every command, on standard error, in one sentence; figures go on.
    void changedPricesAreNamed()
    {
        const QString book = m_home.filePath(QStringLiteral("data/outlay/prices.json"));
        QVERIFY(saveUserPrices(pricing::OfferTable{}, book.toStdString()));
        QVERIFY(bytesOf(book + ".sha256").endsWith("  prices.json\n"));
        QCOMPARE(complaints(), QByteArray());
        QFile file(book);
        QVERIFY(file.open(QIODevice::Append));
        file.write(" ");
        file.close();
        const QByteArray said = complaints();
        QVERIFY2(said.startsWith("outlay: ") && said.contains("prices.json was changed by"), said);
        QCOMPARE(said.count('\n'), 1);
        QVERIFY(saveUserPrices(pricing::OfferTable{}, book.toStdString()));
        QCOMPARE(complaints(), QByteArray());
    }

private:
    [[nodiscard]] QByteArray complaints() const
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_DATA_HOME"),
                           m_home.filePath(QStringLiteral("data")));
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_home.path());
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(OUTLAY_PROGRAM), {"prices", "age"});
        process.waitForFinished(30000);
        return process.exitCode() == 0 ? process.readAllStandardError() : QByteArray("failed");
    }

    QTemporaryDir m_home;
    QJsonObject m_bill;
};

OUTLAY_TEST(TestSupply)
#include "tst_supply.moc"
