// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay::core;

class TestJson : public QObject {
    Q_OBJECT
private slots:
    void roundTrips_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char* text : {"null", "true", "-7", "9223372036854775807", "0.1", "3.0",
                                 "1e+300", "5e-324", "\"\"", "\"a\\\"\\\\\\n\\tü€\"", "\"\\u0001\"",
                                 "[]", "{}", R"([1,[2,[3]]])", R"({"b":1,"a":{"c":[null,false]}})"})
            QTest::newRow(text) << QByteArray(text);
    }
    void roundTrips()
    {
        QFETCH(QByteArray, text);
        const auto json = readJson(text.toStdString());
        QVERIFY(json.has_value());
        QCOMPARE(QByteArray::fromStdString(writeJson(*json, JsonStyle::Compact)), text);
        const auto again = readJson(writeJson(*json, JsonStyle::Indented));
        QVERIFY(again.has_value() && *again == *json);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("place");
        QTest::addColumn<QByteArray>("what");
        QTest::newRow("empty") << QByteArray("") << QByteArray("line 1")
                               << QByteArray("ends in the middle");
        QTest::newRow("not json") << QByteArray("hello") << QByteArray("line 1")
                                  << QByteArray("not JSON");
        QTest::newRow("truncated") << QByteArray("{\n\"a\": [1, 2") << QByteArray("line 2")
                                   << QByteArray("ends in the middle");
        QTest::newRow("third line")
            << QByteArray("{\n\"a\": 1,\n}") << QByteArray("line 3") << QByteArray("not JSON");
        QTest::newRow("NaN") << QByteArray("[NaN]") << QByteArray("line 1")
                             << QByteArray("not JSON");
        QTest::newRow("1e400") << QByteArray("[1e400]") << QByteArray("line 1")
                               << QByteArray("too large");
        QTest::newRow("trailing") << QByteArray("{} x") << QByteArray("line 1")
                                  << QByteArray("not JSON");
        QTest::newRow("broken utf-8")
            << QByteArray("[\"\xC0\xAF\"]") << QByteArray("line 1") << QByteArray("not JSON");
        QTest::newRow("repeated key") << QByteArray(R"({"x":{"a":1,"a":2}})") << QByteArray("/x")
                                      << QByteArray("'a' stands twice");
        QTest::newRow("deep") << QByteArray(10000, '[') << QByteArray("/0")
                              << QByteArray("64 levels");
        QTest::newRow("deep objects")
            << QByteArray("{\"a\":").repeated(10000) << QByteArray("/a") << QByteArray("64 levels");
    }
    void refuses()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, place);
        QFETCH(QByteArray, what);
        const auto json = readJson(text.toStdString());
        QVERIFY(!json.has_value());
        const QByteArray sentence = QByteArray::fromStdString(json.error().sentence());
        QVERIFY2(sentence.contains(place), sentence);
        QVERIFY2(sentence.contains(what), sentence);
        QCOMPARE(sentence.count('\n'), 0);
    }

    void limitsValuesAndBytes()
    {
        JsonLimits limits;
        limits.mostValues = 10;
        QVERIFY(readJson("[1,2,3,4,5,6,7,8,9]", limits).has_value());
        QVERIFY(!readJson("[1,2,3,4,5,6,7,8,9,10]", limits).has_value());
        limits.mostBytes = 4;
        QVERIFY(readJson("[1]", limits).has_value());
        QVERIFY(!readJson("[1,2]", limits).has_value());
    }

    void unsignedBeyondSignedBecomesReal()
    {
        const auto json = readJson("18446744073709551615");
        QVERIFY(json.has_value() && json->asDouble() != nullptr);
        QCOMPARE(json->number(), 18446744073709551615.0);
    }

    void aByteOrderMarkIsForgiven() { QVERIFY(readJson("\xEF\xBB\xBF{\"a\":1}").has_value()); }

    void writesOnlyFiniteNumbersAndValidText()
    {
        Json json = Json::array();
        json.append(Json(std::nan("")));
        json.append(Json(1.0 / 0.0));
        json.append(Json(std::string("\xC0")));
        QCOMPARE(writeJson(json, JsonStyle::Compact), std::string("[null,null,\"\xEF\xBF\xBD\"]"));
    }

    void keepsTheOrderOfKeys()
    {
        auto json = readJson(R"({"z":1,"a":2})");
        QVERIFY(json.has_value());
        json->set("m", Json(3));
        json->set("z", Json(4));
        QCOMPARE(writeJson(*json, JsonStyle::Compact), std::string(R"({"z":4,"a":2,"m":3})"));
    }

    void pointers()
    {
        auto json = readJson(R"({"a/b":{"m~n":[10,20]}})");
        QVERIFY(json.has_value());
        QCOMPARE(childPointer("", "a/b"), std::string("/a~1b"));
        const Json* found = valueAt(*json, "/a~1b/m~0n/1");
        QVERIFY(found != nullptr);
        QCOMPARE(found->number(), 20.0);
        QVERIFY(valueAt(*json, "/a~1b/m~0n/2") == nullptr);
        QVERIFY(valueAt(*json, "/a~1b/m~0n/-1") == nullptr);
        QVERIFY(valueAt(*json, "a") == nullptr);
        QVERIFY(valueAt(*json, "") == &*json);
    }

    // Rows that are handed over are those that would have been held, and are written as if they were.
    void rowsAreHandedOver_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char* text :
             {R"({"rows":[]})", R"({"a":1,"rows":[1,"x",null,[],{}],"z":[2]})",
              R"({"rows":[{"rows":[1,[2]]},[{"rows":[3]}]],"a":{"rows":[4]}})", R"({"a":[1]})",
              R"({"rows":7,"a":[]})", R"([{"rows":[1]}])", R"("rows")"})
            QTest::newRow(text) << QByteArray(text);
    }
    void rowsAreHandedOver()
    {
        QFETCH(QByteArray, text);
        const Json whole = *readJson(text.toStdString());
        Json expected = whole;
        Json* held = expected.find("rows");
        const Json rows = held != nullptr && held->asArray() != nullptr
                              ? std::exchange(*held, Json::array())
                              : Json::array();
        Json taken = Json::array();
        const auto rest =
            readJson(text.toStdString(),
                     {.key = "rows", .row = [&](const Json& row) { taken.append(row); }});
        QVERIFY(rest.has_value());
        QVERIFY(*rest == expected);
        QVERIFY(taken == rows);
        if (rows.asArray()->empty())
            return;
        QCOMPARE(writeJson(*rest, {.key = "rows",
                                   .count = rows.asArray()->size(),
                                   .row = [&](std::size_t row) { return (*rows.asArray())[row]; }}),
                 writeJson(whole));
    }

    void faultsInRowsHaveTheirPlace()
    {
        const auto read = readJson(R"({"rows":[1,{},{"x":{"a":1,"a":2}}]})",
                                   {.key = "rows", .row = [](const Json&) {}});
        QVERIFY(!read.has_value());
        QCOMPARE(read.error().place, std::string("/rows/2/x"));
        const auto twice =
            readJson(R"({"rows":[1],"rows":[2]})", {.key = "rows", .row = [](const Json&) {}});
        QVERIFY(!twice.has_value());
    }

    void setAtCreatesTheWay()
    {
        Json json = Json::object();
        QVERIFY(setAt(json, "/training/batch", Json(8)).has_value());
        QVERIFY(setAt(json, "/list", Json::array()).has_value());
        QVERIFY(setAt(json, "/list/-", Json(1)).has_value());
        QVERIFY(setAt(json, "/list/0", Json(2)).has_value());
        QCOMPARE(writeJson(json, JsonStyle::Compact),
                 std::string(R"({"training":{"batch":8},"list":[2]})"));
    }

    void setAtRefuses()
    {
        Json json = *readJson(R"({"a":1,"l":[1]})");
        const Json before = json;
        for (const char* pointer : {"", "a", "/a/b", "/l/7", "/l/x"})
            QVERIFY(!setAt(json, pointer, Json(2)).has_value());
        std::string deep;
        for (int i = 0; i < 1000; ++i)
            deep += "/x";
        QVERIFY(!setAt(json, deep, Json(2)).has_value());
        QVERIFY(json == before);
    }
};

OUTLAY_TEST(TestJson)
#include "tst_json.moc"
