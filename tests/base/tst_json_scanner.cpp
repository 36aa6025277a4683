// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The pull scanner: what it reads is what the JSON reader reads, however the text arrives.
#include "core/base/json.h"
#include "core/base/json_scanner.h"
#include "tests/support/test_class.h"

#include <QTest>
#include <random>
#include <sstream>

using namespace outlay::core;

namespace {

/// Everything that the scanner finds, one token a line.
void walk(JsonScanner& json, std::string& out)
{
    switch (json.kind()) {
    case JsonScanner::Kind::Object:
        out += "{\n";
        json.enterObject();
        while (json.nextKey()) {
            out += json.key() + ":\n";
            walk(json, out);
        }
        out += "}\n";
        return;
    case JsonScanner::Kind::Array:
        out += "[\n";
        json.enterArray();
        while (json.nextItem())
            walk(json, out);
        out += "]\n";
        return;
    case JsonScanner::Kind::Text:
    case JsonScanner::Kind::Literal: out += std::string(json.text()) + "\n"; return;
    case JsonScanner::Kind::Nothing: static_cast<void>(json.text()); return;
    }
}

/// The same of a value that the other reader made.
void walk(const Json& json, std::string& out)
{
    if (const Json::Object* object = json.asObject()) {
        out += "{\n";
        for (const JsonMember& member : *object) {
            out += member.key + ":\n";
            walk(member.value, out);
        }
        out += "}\n";
    } else if (const Json::Array* array = json.asArray()) {
        out += "[\n";
        for (const Json& item : *array)
            walk(item, out);
        out += "]\n";
    } else if (const std::string* text = json.asString()) {
        out += *text + "\n";
    } else {
        out += (json.isNull() ? std::string() : writeJson(json, JsonStyle::Compact)) + "\n";
    }
}

std::string tokensOf(std::string_view text)
{
    ByteWindow window(text);
    JsonScanner json(window);
    std::string out;
    walk(json, out);
    return json.outcome() ? out : "broken: " + json.outcome().error().sentence();
}

std::string streamedTokensOf(const std::string& text)
{
    std::istringstream stream(text);
    ByteWindow window(stream);
    JsonScanner json(window);
    std::string out;
    walk(json, out);
    return json.outcome() ? out : "broken: " + json.outcome().error().sentence();
}

Json randomJson(std::mt19937& random, int depth)
{
    const auto below = [&](unsigned count) { return static_cast<int>(random() % count); };
    switch (below(depth > 4 ? 4 : 6)) {
    case 0: return nullptr;
    case 1: return below(2) == 0;
    case 2: return std::int64_t{below(100000)} - 50000;
    case 3: {
        static const std::vector<std::string> Texts{
            "", "a\"b\\c", "line\nbreak\t", "\u00e9\u20ac", std::string(300, 'x'), "[{,:}]"};
        return Texts[random() % Texts.size()];
    }
    case 4: {
        Json list = Json::array();
        for (int i = below(6); i > 0; --i)
            list.append(randomJson(random, depth + 1));
        return list;
    }
    default: {
        Json object = Json::object();
        for (int i = below(6); i > 0; --i)
            object.set("key " + std::to_string(i), randomJson(random, depth + 1));
        return object;
    }
    }
}

} // namespace

class TestJsonScanner : public QObject {
    Q_OBJECT
private slots:
    void readsWhatTheReaderReads()
    {
        std::mt19937 random(1);
        for (int i = 0; i < 300; ++i) {
            const Json json = randomJson(random, 0);
            std::string expected;
            walk(json, expected);
            for (const JsonStyle style : {JsonStyle::Compact, JsonStyle::Indented})
                QCOMPARE(tokensOf(writeJson(json, style)), expected);
        }
    }

    // Longer than several windows, with tokens across their borders.
    void streamsAreReadAsTextsAre()
    {
        std::mt19937 random(2);
        Json list = Json::array();
        while (writeJson(list, JsonStyle::Compact).size() < 900000) {
            for (int i = 0; i < 300; ++i)
                list.append(randomJson(random, 0));
        }
        const std::string text = writeJson(list);
        QCOMPARE(streamedTokensOf(text), tokensOf(text));
        const std::string longText = "[\"" + std::string(1000000, 'y') + "\",1]";
        QCOMPARE(streamedTokensOf(longText), tokensOf(longText));
    }

    void escapesAreDecoded_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("plain") << QByteArray("\"abc\"") << QByteArray("abc");
        QTest::newRow("letters") << QByteArray("\"\\n\\r\\t\\b\\f\\/\\\\\\\"\"")
                                 << QByteArray("\n\r\t\b\f/\\\"");
        QTest::newRow("two bytes") << QByteArray("\"\\u00e9\"") << QByteArray("\xc3\xa9");
        QTest::newRow("three bytes") << QByteArray("\"\\u20AC\"") << QByteArray("\xe2\x82\xac");
        QTest::newRow("a pair") << QByteArray("\"\\ud83d\\ude00\"")
                                << QByteArray("\xf0\x9f\x98\x80");
        QTest::newRow("half a pair") << QByteArray("\"\\ud83dx\"") << QByteArray("\xef\xbf\xbdx");
        QTest::newRow("byte-order mark") << QByteArray("\xef\xbb\xbf \"a\"") << QByteArray("a");
    }
    void escapesAreDecoded()
    {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, text);
        QCOMPARE(tokensOf(json.toStdString()), text.toStdString() + "\n");
    }

    void numbersAreReadFromTextsToo()
    {
        const std::string text = "[1.5, \"3.0600000000\", -2e3, \"n/a\", null, true, [1], \"inf\"]";
        ByteWindow window(text);
        JsonScanner json(window);
        json.enterArray();
        std::vector<std::optional<double>> numbers;
        while (json.nextItem())
            numbers.push_back(json.number());
        QVERIFY(json.outcome());
        const std::vector<std::optional<double>> expected{
            1.5, 3.06, -2000, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt};
        QVERIFY(numbers == expected);
    }

    void whatIsCutOffIsFoundEverywhere()
    {
        const std::string text = "{\"a\": [1, {\"b\": \"c\\n\"}, null], \"d\": true}";
        QVERIFY(!QByteArray::fromStdString(tokensOf(text)).startsWith("broken"));
        for (std::size_t length = 0; length < text.size(); ++length) {
            const std::string cut = text.substr(0, length);
            QVERIFY2(tokensOf(cut).starts_with("broken"), cut.c_str());
            QVERIFY2(streamedTokensOf(cut).starts_with("broken"), cut.c_str());
            ByteWindow window(cut);
            JsonScanner json(window);
            json.skip();
            QVERIFY2(json.isBroken(), cut.c_str());
        }
    }

    void faultsNameTheirLine_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("sentence");
        QTest::newRow("no JSON") << QByteArray("hello") << QByteArray("line 1: this is not JSON");
        QTest::newRow("a bare word")
            << QByteArray("{\"a\":\n b}") << QByteArray("line 2: this is not JSON");
        QTest::newRow("two commas")
            << QByteArray("[1,\n,2]") << QByteArray("line 2: this is not JSON");
        QTest::newRow("no colon") << QByteArray("{\"a\" 1}") << QByteArray("line 1: this is not");
        QTest::newRow("bad escape")
            << QByteArray("\"\\uZZZZ\"") << QByteArray("line 1: this is not JSON");
    }
    void faultsNameTheirLine()
    {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, sentence);
        const std::string tokens = tokensOf(json.toStdString());
        QVERIFY2(tokens.starts_with("broken: " + sentence.toStdString()), tokens.c_str());
    }

    void linesAreCountedAcrossWindows()
    {
        std::string text = "[";
        for (int i = 0; i < 200000; ++i)
            text += "1,\n";
        const std::string tokens = streamedTokensOf(text + "x]");
        QVERIFY2(tokens.starts_with("broken: line 200001: "), tokens.substr(0, 60).c_str());
    }

    void skippingLeavesTheNextValue()
    {
        const std::string text = "{\"a\": [1, {\"b\": \"]}\"}], \"c\": 7}";
        ByteWindow window(text);
        JsonScanner json(window);
        json.enterObject();
        QVERIFY(json.nextKey());
        json.skip();
        QVERIFY(json.nextKey());
        QCOMPARE(json.key(), std::string("c"));
        QCOMPARE(json.number(), std::optional<double>(7));
        QVERIFY(!json.nextKey());
        QVERIFY(json.outcome());
    }
};

OUTLAY_TEST(TestJsonScanner)
#include "tst_json_scanner.moc"
