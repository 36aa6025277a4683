// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/person.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <array>
#include <climits>

using namespace outlay::core;

class TestText : public QObject {
    Q_OBJECT
private slots:
    void groupsDigits()
    {
        QCOMPARE(grouped(0), std::string("0"));
        QCOMPARE(grouped(999), std::string("999"));
        QCOMPARE(grouped(1000), std::string("1,000"));
        QCOMPARE(grouped(-1234567), std::string("-1,234,567"));
        QCOMPARE(grouped(INT64_MIN), std::string("-9,223,372,036,854,775,808"));
    }

    void numbersForSentences()
    {
        QCOMPARE(plainNumber(2841200), std::string("2,841,200"));
        QCOMPARE(plainNumber(0.0583), std::string("0.0583"));
        QCOMPARE(plainNumber(122187432.4), std::string("122,187,432"));
        QCOMPARE(plainNumber(12345.6), std::string("12,346"));
        QCOMPARE(plainNumber(3.3904e-7), std::string("0.0000003390"));
        QCOMPARE(plainNumber(1e18), std::string("1e+18"));
        QCOMPARE(plainNumber(1.0 / 0.0), std::string("unknown"));
    }

    void keepsThePersonOut_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("kept");
        QTest::newRow("a path") << "/home/rosamund/train.py"
                                << "train.py";
        QTest::newRow("of an option") << "--data=/home/rosamund/a/b"
                                      << "--data=b";
        QTest::newRow("several") << "/x/a:/y/b"
                                 << "a:b";
        QTest::newRow("the home") << "/home/rosamund/"
                                  << "...";
        QTest::newRow("by its sign") << "~rosamund/train.py ~/x"
                                     << "train.py x";
        QTest::newRow("from here") << "../../rosamund/train.py"
                                   << "train.py";
        QTest::newRow("below") << "src/train.py"
                               << "src/train.py";
        QTest::newRow("a model's name") << "org/model-7b"
                                        << "org/model-7b";
        QTest::newRow("user and host") << "rosamund@quince:/data/c"
                                       << "...@...:c";
        QTest::newRow("in another word") << "rosamundo"
                                         << "rosamundo";
        QTest::newRow("on the web") << "https://host/a/b"
                                    << "https://host/a/b";
        QTest::newRow("a file's address") << "file:///home/rosamund/b"
                                          << "file:b";
        QTest::newRow("a file's address, with a host") << "file://localhost/home/rosamund/m"
                                                       << "file:m";
        QTest::newRow("another machine's file") << "sftp://rosamund@quince:22/home/rosamund/m"
                                                << "sftp:m";
        QTest::newRow("an address without a file") << "tcp://quince:29500"
                                                   << "tcp://...:29500";
        QTest::newRow("a bucket") << "s3://bucket/a/b"
                                  << "s3://bucket/a/b";
        QTest::newRow("right after an option") << "-I/home/rosamund/inc"
                                               << "-Iinc";
        QTest::newRow("after an option, from here") << "-L../rosamund/lib"
                                                    << "-Llib";
        QTest::newRow("an option's list") << "-Wl,-rpath,/home/rosamund/lib"
                                          << "-Wl,-rpath,lib";
        QTest::newRow("after a plus") << "a+/home/rosamund"
                                      << "a+...";
        QTest::newRow("after a percent sign") << "%/home/rosamund/a"
                                              << "%a";
        QTest::newRow("a plus within") << "/home/rosamund/c++/a"
                                       << "a";
        QTest::newRow("a name in a name") << "--out=runs/rosamund-7b"
                                          << "--out=runs/...-7b";
        QTest::newRow("a name below") << "data/rosamund/x"
                                      << "data/.../x";
        QTest::newRow("a name with others") << "by_rosamund_on_quince.json"
                                            << "by_..._on_....json";
        QTest::newRow("a host with its domain") << "quince.lan:8080"
                                                << "....lan:8080";
        QTest::newRow("a space in a folder") << "/home/Rosa Mund/data.csv"
                                             << "data.csv";
        QTest::newRow("several spaces") << "--data=/home/Rosa van Mund/my data/a b.csv"
                                        << "--data=a b.csv";
        QTest::newRow("a space in the home's name") << "/home/Mary Quince"
                                                    << "...";
        QTest::newRow("a program and its file") << "/home/rosamund/env/bin/python src/train.py"
                                                << "python src/train.py";
        QTest::newRow("a file and another") << "python /x/train.py data/a"
                                            << "python train.py data/a";
        QTest::newRow("a script of several") << "cd /x/y && python src/train.py"
                                             << "cd y && python src/train.py";
        QTest::newRow("other letters") << "\u00e9rosamund rosamund\u00e9"
                                       << "\u00e9rosamund rosamund\u00e9";
        QTest::newRow("a script") << "cp '/home/rosamund/a' /b"
                                  << "cp 'a' b";
        QTest::newRow("nothing") << ""
                                 << "";
        QTest::newRow("the root") << "/"
                                  << "";
    }
    void keepsThePersonOut()
    {
        QFETCH(QString, text);
        QFETCH(QString, kept);
        QCOMPARE(withoutPerson(text.toStdString(), {"rosamund", "quince", "Mary Quince"}),
                 kept.toStdString());
    }

    void theNamesAreOfThisProcess()
    {
        qputenv("USER", "rosamund");
        qputenv("LOGNAME", "root");
        const auto names = namesOfPerson();
        QVERIFY(std::count(names.begin(), names.end(), "rosamund") == 1);
        QVERIFY(std::count(names.begin(), names.end(), "root") == 0);
    }

    void recognisesUtf8_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<bool>("valid");
        QTest::newRow("ascii") << QByteArray("abc") << true;
        QTest::newRow("two bytes") << QByteArray("\xC3\xBC") << true;
        QTest::newRow("three bytes") << QByteArray("\xE2\x82\xAC") << true;
        QTest::newRow("four bytes") << QByteArray("\xF0\x9F\x98\x80") << true;
        QTest::newRow("overlong") << QByteArray("\xC0\xAF") << false;
        QTest::newRow("overlong three") << QByteArray("\xE0\x80\xAF") << false;
        QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << false;
        QTest::newRow("too large") << QByteArray("\xF4\x90\x80\x80") << false;
        QTest::newRow("cut off") << QByteArray("\xE2\x82") << false;
        QTest::newRow("lone continuation") << QByteArray("\x80") << false;
    }
    void recognisesUtf8()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(bool, valid);
        QCOMPARE(isUtf8(bytes.toStdString()), valid);
        QVERIFY(isUtf8(printable(bytes.toStdString())));
    }

    void printableIsOneBoundedLine()
    {
        QCOMPARE(printable("a\nb\tc\x1b[31m"), std::string("a b c [31m"));
        QVERIFY(printable(std::string(100000, 'x'), 50).size() <= 60);
    }

    void findsTypingSlips()
    {
        constexpr std::array<std::string_view, 3> Known{"hidden", "layers", "heads"};
        QCOMPARE(nearest("hiden", Known).value_or(""), std::string_view("hidden"));
        QCOMPARE(nearest("Layers", Known).value_or(""), std::string_view("layers"));
        QCOMPARE(nearest("hxddxn", Known).value_or(""), std::string_view("hidden"));
        QVERIFY(!nearest("hxxdxn", Known)); // half of it is another word
        QVERIFY(!nearest("vocabulary", Known));
        QVERIFY(!nearest("", Known));
        QVERIFY(!nearest(std::string(100000, 'h'), Known));
    }

    void errorsAreOneSentence()
    {
        const Error error{ErrorCode::Input, "the size\nis -3", "give more", "/model/hidden", {}};
        QCOMPARE(error.in("a.json").sentence(),
                 std::string("a.json, /model/hidden: the size is -3; give more."));
        QCOMPARE(error.in("a.json").in("b.json").file, std::string("a.json"));
        QCOMPARE((Error{ErrorCode::Usage, "no file", {}, {}, {}}).sentence(),
                 std::string("no file."));
    }

    void exitStatusFollowsTheContract()
    {
        QCOMPARE(exitStatus(ErrorCode::Internal), 1);
        QCOMPARE(exitStatus(ErrorCode::Usage), 2);
        QCOMPARE(exitStatus(ErrorCode::Input), 2);
        QCOMPARE(exitStatus(ErrorCode::LimitExceeded), 3);
        QCOMPARE(exitStatus(ErrorCode::Measurement), 4);
        QCOMPARE(exitStatus(ErrorCode::Cancelled), 130);
    }

    // The published values of FNV-1a with 64 bits.
    void hashesAreTheSameEverywhere()
    {
        QCOMPARE(shortHash(""), std::string("cbf29ce484222325"));
        QCOMPARE(shortHash("a"), std::string("af63dc4c8601ec8c"));
        QCOMPARE(shortHash("foobar"), std::string("85944171f73967e8"));
        for (int i = 0; i < 1000; ++i)
            QCOMPARE(shortHash(std::to_string(i)).size(), std::size_t{16});
    }
};

OUTLAY_TEST(TestText)
#include "tst_text.moc"
