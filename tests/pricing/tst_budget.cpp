// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Limits on a Report: kept, close, exceeded, unavailable; and budgets that make no sense.
#include "pricing/report/compare/budget.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay;
using core::Json;
using pricing::LimitState;

namespace {

Json figure(double value, double low, double high)
{
    return Json::Object{{"value", value}, {"low", low}, {"high", high}, {"unit", "USD"}};
}

Json report()
{
    return Json::Object{
        {"model", Json::Object{{"parameters", 1000}, {"family", "lstm"}}},
        {"cost", figure(5, 4, 6)},
        {"none", Json::Object{{"value", Json()}, {"unit", "USD"}, {"how", "not measured"}}},
        {"recommended", Json::Object{{"option", Json()}}}};
}

core::Result<std::vector<pricing::LimitOutcome>> checked(const QByteArray& limit)
{
    const auto json = core::readJson("{\"format\":\"outlay-budget\",\"version\":1,\"limits\":[" +
                                     limit.toStdString() + "]}");
    const auto budget = pricing::readBudget(*json);
    if (!budget)
        return core::failureOf(budget);
    return pricing::checkLimits(*budget, report());
}

} // namespace

class TestBudget : public QObject {
    Q_OBJECT
private slots:
    void states_data()
    {
        QTest::addColumn<QByteArray>("limit");
        QTest::addColumn<int>("state");
        const auto row = [](const char* limit, LimitState state) {
            QTest::newRow(limit) << QByteArray(limit) << static_cast<int>(state);
        };
        row(R"({"pointer": "/cost", "max": 7})", LimitState::Kept);
        row(R"({"pointer": "/cost", "max": 5})", LimitState::Close);
        row(R"({"pointer": "/cost", "max": 4.99})", LimitState::Exceeded);
        row(R"({"pointer": "/cost", "min": 5.01})", LimitState::Exceeded);
        row(R"({"pointer": "/cost", "min": 4})", LimitState::Kept);
        row(R"({"pointer": "/cost", "min": 4.5, "max": 10})", LimitState::Close);
        row(R"({"pointer": "/cost/high", "max": 6})", LimitState::Kept);
        row(R"({"pointer": "/model/parameters", "max": 999})", LimitState::Exceeded);
        row(R"({"pointer": "/none", "max": 1e9})", LimitState::Unavailable);
        row(R"({"pointer": "/none/value", "max": 1e9})", LimitState::Unavailable);
        row(R"({"pointer": "/recommended/option/usd", "max": 1})", LimitState::Unavailable);
    }
    void states()
    {
        QFETCH(QByteArray, limit);
        QFETCH(int, state);
        const auto outcomes = checked(limit);
        QVERIFY(outcomes.has_value());
        QCOMPARE(static_cast<int>(outcomes->front().state), state);
        const auto reached = static_cast<LimitState>(state);
        QCOMPARE(pricing::isExceeded(reached),
                 reached == LimitState::Exceeded || reached == LimitState::Unavailable);
    }

    void unavailableSaysWhy()
    {
        const auto outcomes = checked(R"({"pointer": "/none", "max": 1})");
        QCOMPARE(outcomes->front().reason, std::string("not measured"));
        QVERIFY(!outcomes->front().value);
    }

    void absurdBudgets_data()
    {
        QTest::addColumn<QByteArray>("limit");
        QTest::addColumn<QByteArray>("sentence");
        QTest::newRow("unknown pointer")
            << QByteArray(R"({"pointer": "/cots", "max": 1})")
            << QByteArray("/limits/0/pointer: the Report has nothing at '/cots'; `outlay estimate "
                          "FILE --json` shows what there is.");
        QTest::newRow("no pointer") << QByteArray(R"({"pointer": "cost", "max": 1})")
                                    << QByteArray("/limits/0/pointer: 'cost' is not a JSON "
                                                  "pointer; write it with slashes, as in "
                                                  "/training/here_usd.");
        QTest::newRow("a text") << QByteArray(R"({"pointer": "/model/family", "max": 1})")
                                << QByteArray("/limits/0/pointer: '/model/family' is a text, not "
                                              "a figure; point to a number.");
        QTest::newRow("min above max")
            << QByteArray(R"({"pointer": "/cost", "min": 2, "max": 1})")
            << QByteArray("/limits/0: `min` 2 is above `max` 1; no value can keep it; exchange "
                          "them.");
        QTest::newRow("neither") << QByteArray(R"({"pointer": "/cost"})")
                                 << QByteArray("/limits/0: the limit has neither `min` nor `max`; "
                                               "give one of them.");
        QTest::newRow("empty") << QByteArray()
                               << QByteArray("/limits: the budget has no limits; add one.");
    }
    void absurdBudgets()
    {
        QFETCH(QByteArray, limit);
        QFETCH(QByteArray, sentence);
        const auto outcomes = checked(limit);
        QVERIFY(!outcomes);
        QCOMPARE(QByteArray::fromStdString(outcomes.error().sentence()), sentence);
        QCOMPARE(outcomes.error().code, core::ErrorCode::Input);
    }

    void wrongFilesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("place");
        QTest::newRow("list") << QByteArray("[]") << QByteArray();
        QTest::newRow("format") << QByteArray("{}") << QByteArray("/format");
        QTest::newRow("version")
            << QByteArray(R"({"format": "outlay-budget", "version": 2, "limits": []})")
            << QByteArray("/version");
        QTest::newRow("no limits")
            << QByteArray(R"({"format": "outlay-budget", "version": 1})") << QByteArray("/limits");
        QTest::newRow("a word for a number")
            << QByteArray(R"({"format": "outlay-budget", "version": 1,
                              "limits": [{"pointer": "/cost", "max": "much"}]})")
            << QByteArray("/limits/0/max");
    }
    void wrongFilesAreRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, place);
        const auto budget = pricing::readBudget(*core::readJson(text.toStdString()));
        QVERIFY(!budget);
        QCOMPARE(QByteArray::fromStdString(budget.error().place), place);
    }
};

OUTLAY_TEST(TestBudget)
#include "tst_budget.moc"
