// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The one way to change an experiment, whoever asks for it.
#include "core/experiment/patch.h"
#include "core/experiment/presets.h"
#include "core/experiment/setting.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay::core;

namespace {

Experiment of(const char* name)
{
    return preset(name)->experiment;
}

/// What a file would say of it, read anew.
Experiment saved(const Experiment& e)
{
    return readExperiment(toJson(e))->experiment;
}

Result<Experiment> with(const Experiment& e, const std::vector<std::string>& assignments)
{
    const auto patch = settingsPatch(assignments, "--set");
    if (!patch)
        return failureOf(patch);
    return edited(e, *patch);
}

} // namespace

class TestPatch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // What a family has by default is no choice of anybody: the next family has defaults of its own.
    void anotherFamilyHasItsOwnDefaults()
    {
        const auto lstm =
            readModel(*readJson(R"({"family":"lstm","vocabulary":100,"hidden":64})"), "");
        QVERIFY2(lstm.has_value(), lstm ? "" : lstm.error().sentence().c_str());
        Experiment e;
        e.model = lstm->model;
        const auto changed = with(e, {"/model/family=transformer", "/model/hidden=64",
                                      "/model/heads=2", "/model/layers=1"});
        QVERIFY2(changed.has_value(), changed ? "" : changed.error().sentence().c_str());
        const auto fresh = readModel(
            *readJson(
                R"({"family":"transformer","vocabulary":100,"hidden":64,"heads":2,"layers":1})"),
            "");
        QVERIFY(fresh.has_value());
        QVERIFY(changed->model == fresh->model);
    }

    void placesInAList_data()
    {
        QTest::addColumn<QByteArray>("hidden");
        QTest::addColumn<QByteArray>("assignment");
        QTest::addColumn<QByteArray>("becomes");
        QTest::newRow("the first of one")
            << QByteArray("[256]") << QByteArray("0=7") << QByteArray("[7]");
        QTest::newRow("one more") << QByteArray("[256]") << QByteArray("-=32")
                                  << QByteArray("[256,32]");
        QTest::newRow("of two") << QByteArray("[8,9]") << QByteArray("1=7") << QByteArray("[8,7]");
    }
    void placesInAList()
    {
        QFETCH(QByteArray, hidden);
        QFETCH(QByteArray, assignment);
        QFETCH(QByteArray, becomes);
        const auto before = with(of("mlp"), {"/model/hidden=" + hidden.toStdString()});
        QVERIFY(before.has_value());
        const auto after = with(*before, {"/model/hidden/" + assignment.toStdString()});
        QVERIFY2(after.has_value(), after ? "" : after.error().sentence().c_str());
        const auto expected = with(of("mlp"), {"/model/hidden=" + becomes.toStdString()});
        QVERIFY(after->model == expected->model);
    }

    void unknownKeysAreRefused_data()
    {
        QTest::addColumn<QByteArray>("assignment");
        for (const char* text :
             {"/training/batsh=5", "/model/hiden=5", R"(/training={"batsh":5})", "/plan/x/y=1",
              "/training/batch/x=1", "/measurements=[]", "/created=x", "/nothing=1", "/=1",
              "/assumptions=5", "/quality=[]", "/name=5", "/site/region=7"})
            QTest::newRow(text) << QByteArray(text);
    }
    void unknownKeysAreRefused()
    {
        QFETCH(QByteArray, assignment);
        const auto changed = with(of("text-generator"), {assignment.toStdString()});
        QVERIFY(!changed.has_value());
        QVERIFY(!changed.error().remedy.empty());
    }

    void whatIsNoTextIsRefused()
    {
        const auto changed = with(of("mlp"), {"/name=\xff"});
        QVERIFY(!changed.has_value());
        QVERIFY(changed.error().sentence().find("UTF-8") != std::string::npos);
    }

    void whatIsNoOperationIsRefused_data()
    {
        QTest::addColumn<QByteArray>("patch");
        for (const char* patch :
             {R"([{"op": "add", "value": 1}])", R"([{"op": "add", "path": 7, "value": 1}])",
              R"([{"path": "/training/batch", "value": 1}])",
              R"([{"op": 3, "path": "/training/batch", "value": 1}])",
              R"([{"op": "move", "path": "/training/batch", "value": 1}])",
              R"([{"op": "replace", "path": "/training/batch"}])"})
            QTest::newRow(patch) << QByteArray(patch);
    }
    void whatIsNoOperationIsRefused()
    {
        QFETCH(QByteArray, patch);
        const auto changed = patched(of("mlp"), *readJson(patch.toStdString()));
        QVERIFY(!changed.has_value());
        QVERIFY(!changed.error().remedy.empty());
    }

    void moreLayersThanCanBeCountedAreRefused()
    {
        for (const auto& [count, isTaken] : {std::pair{4095, true}, std::pair{4096, false}}) {
            std::string sizes = "4";
            for (int i = 1; i < count; ++i)
                sizes += ",4";
            QCOMPARE(with(of("mlp"), {"/model/hidden=[" + sizes + "]"}).has_value(), isTaken);
        }
    }

    void whatContradictsIsRefused()
    {
        QVERIFY(!with(of("gpt2"), {"/training/samples=5", "/training/tokens=5"}).has_value());
        QVERIFY(!with(of("gpt2"), {"/model/heads=7"}).has_value());
        // Together they fit, one after the other they wouldn't.
        QVERIFY(with(of("gpt2"), {"/model/heads=7", "/model/hidden=770"}).has_value());
    }

    void nullIsTheDefault()
    {
        Experiment e = of("text-generator");
        e.training.batch = 7;
        e.name = "mine";
        QCOMPARE(with(e, {"/training/batch=null"})->training.batch, Training{}.batch);
        QVERIFY(with(e, {"/training=null"})->training == Training{});
        QVERIFY(with(e, {"/name=null"})->name.empty());
        const Json removed =
            Json::Array{Json::Object{{"op", "remove"}, {"path", "/training/batch"}}};
        QCOMPARE(edited(e, removed)->training.batch, Training{}.batch);
    }

    // Somebody who sets what is usual has said so: it is written down, and no default any more.
    void whatIsSetIsNamed()
    {
        const Experiment e = of("text-generator");
        const auto names = [](const Experiment& one, const char* pointer) {
            for (const UsedDefault& used : usedDefaults(one)) {
                if (used.pointer == pointer)
                    return false;
            }
            return true;
        };
        const char* const pointer = "/serving/peak_factor";
        QVERIFY(!names(e, pointer));
        const auto set = with(e, {"/serving/peak_factor=3"});
        QVERIFY(set->serving == e.serving);
        QVERIFY(names(*set, pointer));
        QVERIFY(names(saved(*set), pointer));
        QVERIFY(!names(*with(*set, {"/serving/peak_factor=null"}), pointer));
        QVERIFY(saved(*set).serving == e.serving && saved(*set).model == e.model);
        // Advice that is only tried names nothing.
        QVERIFY(!names(*patched(e, Json::Array{setting(pointer, Json(3))}), pointer));
    }

    void measurementsAndStrangersStay()
    {
        Experiment e = of("text-generator");
        e.document = toJson(e);
        e.document.set("mine", Json("kept"));
        e.measurements = e.measurements.with(Json("nonsense"));
        const auto changed = with(e, {"/training/batch=64", "/name=two", "/notes=three"});
        QCOMPARE(changed->training.batch, 64);
        QCOMPARE(changed->name, std::string("two"));
        QCOMPARE(changed->notes, std::string("three"));
        QVERIFY(changed->measurements == e.measurements);
        QVERIFY(toJson(*changed).find("mine") != nullptr);
    }
};

OUTLAY_TEST(TestPatch)
#include "tst_patch.moc"
