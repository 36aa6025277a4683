// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/fields.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay::core;

namespace {

struct Needed {
    std::int64_t size = 1;
};

void describe(FieldVisitor& v, Needed& n)
{
    v.integer({"size", "size", 1, 9, Presence::Required}, n.size);
}

enum class Colour { Red, Green };
constexpr std::array<std::string_view, 2> ColourNames{"red", "green"};

struct Leaf {
    std::int64_t size = 1;
};

void describe(FieldVisitor& v, Leaf& l)
{
    v.integer({"size", "size", 1, 9}, l.size);
}

struct Tree {
    std::int64_t count = 3;
    std::optional<std::int64_t> limit;
    double share = 0.5;
    bool isOn = false;
    std::optional<bool> maybe;
    std::string name;
    std::vector<std::string> words;
    std::vector<std::int64_t> sizes;
    Colour colour = Colour::Red;
    std::vector<Leaf> leaves;
    std::optional<Leaf> leaf;
};

void describe(FieldVisitor& v, Tree& t)
{
    v.integer({"count", "count", 1, 10}, t.count);
    v.integer({"limit", "limit", 1, 10}, t.limit);
    v.number({"share", "share", 0, 1}, t.share);
    v.flag({"on", "switch"}, t.isOn);
    v.flag({"maybe", "switch"}, t.maybe);
    v.text({"name", "name"}, t.name);
    v.texts({"words", "words"}, t.words);
    v.integers({"sizes", "sizes", 1, 10}, t.sizes);
    v.choice(Field{"colour", "colour"}, t.colour, ColourNames);
    v.list({"leaves", "leaves"}, t.leaves);
    v.object({"leaf", "leaf"}, t.leaf);
}

QByteArray merged(const char* document, const Tree& tree)
{
    Json json = *readJson(document);
    mergeFields(json, fieldsOf(tree), fieldsOf(Tree{}));
    return QByteArray::fromStdString(writeJson(json, JsonStyle::Compact));
}

} // namespace

class TestFields : public QObject {
    Q_OBJECT
private slots:
    // Without limits of its own, a whole number has those of 64 bits.
    void wholeNumbersFit_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("fits");
        QTest::newRow("the greatest double below") << QByteArray("9.2233720368547748e18") << true;
        QTest::newRow("the next one") << QByteArray("9.2233720368547758e18") << false;
        QTest::newRow("the least") << QByteArray("-9.2233720368547758e18") << true;
        QTest::newRow("far below") << QByteArray("-1e300") << false;
        QTest::newRow("a half") << QByteArray("0.5") << false;
    }
    void wholeNumbersFit()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, fits);
        const Json json = *readJson("{\"size\":" + text.toStdString() + "}");
        FieldReader reader(json, "");
        std::int64_t size = 7;
        reader.integer({"size", "size"}, size);
        QCOMPARE(reader.outcome().has_value(), fits);
        QCOMPARE(static_cast<double>(size), fits ? text.toDouble() : 7);
    }

    void readsAllTypes()
    {
        const Json json = *readJson(R"({"count":7,"limit":2,"share":0.25,"on":true,"maybe":false,
            "name":"n","words":["a","b"],"sizes":[4,5],"colour":"green","leaves":[{"size":8},{}],
            "leaf":{"size":9}})");
        Tree tree;
        FieldReader reader(json, "/t");
        describe(reader, tree);
        QVERIFY(reader.outcome().has_value());
        QCOMPARE(reader.unknownKeys(), UnknownKeys{});
        QCOMPARE(tree.count, 7);
        QCOMPARE(tree.limit.value_or(0), 2);
        QCOMPARE(tree.share, 0.25);
        QVERIFY(tree.isOn && tree.maybe && !*tree.maybe);
        QCOMPARE(tree.words, (std::vector<std::string>{"a", "b"}));
        QCOMPARE(tree.sizes, (std::vector<std::int64_t>{4, 5}));
        QCOMPARE(tree.colour, Colour::Green);
        QCOMPARE(tree.leaves.size(), std::size_t{2});
        QCOMPARE(tree.leaves[0].size, 8);
        QCOMPARE(tree.leaf->size, 9);
    }

    void absentAndNullLeaveTheValue()
    {
        const Json json = *readJson(R"({"count":null})");
        Tree tree;
        FieldReader reader(json, "");
        describe(reader, tree);
        QVERIFY(reader.outcome().has_value());
        QCOMPARE(tree.count, 3);
    }

    void theFirstErrorIsReported()
    {
        const Json json = *readJson(R"({"share":7,"count":0})");
        Tree tree;
        FieldReader reader(json, "/t");
        describe(reader, tree);
        QVERIFY(!reader.outcome().has_value());
        QCOMPARE(reader.outcome().error().sentence(),
                 std::string("/t/count: the count is 0; give a whole number from 1 to 10."));
    }

    void mergingWritesWhatDiffers()
    {
        Tree tree;
        QCOMPARE(merged("{}", tree), QByteArray("{}"));
        tree.count = 4;
        tree.limit = 5;
        QCOMPARE(merged("{}", tree), QByteArray(R"({"count":4,"limit":5})"));
        tree.limit.reset();
        QCOMPARE(merged(R"({"limit":5})", tree), QByteArray(R"({"limit":null,"count":4})"));
    }

    void mergingKeepsWhatItDoesNotKnow()
    {
        Tree tree;
        tree.leaves = {{2}, {3}};
        QCOMPARE(merged(R"({"x":1,"leaves":[{"y":2,"size":1},{"size":3}],"count":3.0})", tree),
                 QByteArray(R"({"x":1,"leaves":[{"y":2,"size":2},{"size":3}],"count":3.0})"));
        tree.leaves = {{2}};
        QCOMPARE(merged(R"({"leaves":[{"y":2,"size":1},{"size":3}]})", tree),
                 QByteArray(R"({"leaves":[{"size":2}]})"));
    }

    // A key that must be there has no default to leave it out for.
    void requiredKeysAreAlwaysWritten()
    {
        Json json = Json::object();
        mergeFields(json, fieldsOf(Needed{}), fieldsOf(Needed{}, FieldContent::Defaults));
        QCOMPARE(QByteArray::fromStdString(writeJson(json, JsonStyle::Compact)),
                 QByteArray(R"({"size":1})"));
    }

    // A file of a gigabyte of numbers mustn't become a list first.
    void endlessListsAreRefused()
    {
        for (const auto& [count, isTaken] : {std::pair{10'000, true}, std::pair{10'001, false}}) {
            Json sizes = Json::array();
            for (int i = 0; i < count; ++i)
                sizes.append(Json(std::int64_t{1}));
            Json json = Json::object();
            json.set("sizes", std::move(sizes));
            Tree tree;
            FieldReader reader(json, "");
            describe(reader, tree);
            QCOMPARE(reader.outcome().has_value(), isTaken);
        }
    }
    void oneNumberIsAListOfOne()
    {
        Tree tree;
        tree.sizes = {6};
        QCOMPARE(merged("{}", tree), QByteArray(R"({"sizes":6})"));
    }
};

OUTLAY_TEST(TestFields)
#include "tst_fields.moc"
