// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The form made of the experiment's own fields, its sliders' stops, what can be typed, and the edits.
#include "core/experiment/patch.h"
#include "core/experiment/presets.h"
#include "gui/view/chart_model.h"
#include "gui/view/edit.h"
#include "gui/view/field_presentation.h"
#include "gui/view/form_view.h"
#include "pricing/report/make_report.h"
#include "tests/support/catalogs.h"
#include "tests/support/english.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>

using namespace outlay;
using namespace outlay::gui;
using core::Json;
using outlay::tests::English;
using outlay::tests::experimentOf;

namespace {

std::vector<FormField> fieldsIn(const core::Experiment& experiment)
{
    std::vector<FormField> all;
    for (const FormSection& section : makeFormView(experiment))
        all.insert(all.end(), section.fields.begin(), section.fields.end());
    return all;
}

FormField fieldAt(const core::Experiment& experiment, const std::string& pointer)
{
    for (const FormField& field : fieldsIn(experiment)) {
        if (field.pointer == pointer)
            return field;
    }
    return {};
}

} // namespace

class TestFormView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void presets_data()
    {
        QTest::addColumn<QByteArray>("id");
        for (const core::Preset& preset : outlay::tests::presetsToTry())
            QTest::newRow(preset.id.c_str()) << QByteArray::fromStdString(preset.id);
    }

    // A field that isn't shown changes no figure, whatever is put there.
    void whatIsNotShownSaysNothing_data() { presets_data(); }
    void whatIsNotShownSaysNothing()
    {
        QFETCH(QByteArray, id);
        const core::Experiment experiment = experimentOf(id);
        const auto figuresOf = [](const core::Experiment& e) {
            Json report =
                pricing::toJson(pricing::makeReport(e, tests::catalogs()), tests::catalogs());
            report.erase("assumptions");
            return writeJson(report);
        };
        const std::string before = figuresOf(experiment);
        for (const FormField& field : fieldsIn(experiment)) {
            if (field.isShown)
                continue;
            std::vector<Json> values{Json(2), Json(8), Json(true), Json(false)};
            for (const QString& option : field.options)
                values.emplace_back(option.toStdString());
            for (const Json& value : values) {
                const auto changed = core::withValue(experiment, field.pointer, value);
                if (!changed)
                    continue;
                QVERIFY2(figuresOf(*changed) == before, field.pointer.c_str());
                QVERIFY2(!fieldAt(*changed, field.pointer).isShown, field.pointer.c_str());
                if (tests::Slower > 1)
                    break;
            }
        }
    }

    // A note of the Report names settings as the file does; the window as its form does.
    void notesAreReadable_data()
    {
        QTest::addColumn<QByteArray>("note");
        QTest::addColumn<QString>("expected");
        QTest::newRow("nothing") << QByteArray("12 steps x 3 s")
                                 << QStringLiteral("12 steps x 3 s");
        QTest::newRow("place") << QByteArray("at most; /plan/budget_usd sets a budget")
                               << QStringLiteral("at most; \"Plan: Budget\" sets a budget");
        QTest::newRow("assumption") << QByteArray("assumption alert_busy_percent; /training/batch")
                                    << QStringLiteral("\"%1\"; \"Training: Batch size\"")
                                           .arg(settingTitle("/assumptions/alert_busy_percent"));
        QTest::newRow("letters") << QByteArray("Montr\u00e9al \u2192 /plan/budget_usd")
                                 << QStringLiteral("Montr\u00e9al \u2192 \"Plan: Budget\"");
        QTest::newRow("machine") << QByteArray("a n1_standard / b_c")
                                 << QStringLiteral("a n1_standard / b_c");
    }
    void notesAreReadable()
    {
        QFETCH(QByteArray, note);
        QTEST(readable(note.toStdString()), "expected");
    }

    void fieldsFollowTheDesign()
    {
        core::Experiment text = experimentOf("text-generator");
        QVERIFY(!fieldAt(text, "/model/inputs").isShown);
        QVERIFY(fieldAt(text, "/model/embedding").isShown);
        QVERIFY(fieldAt(text, "/serving/output_tokens").isShown);
        QVERIFY(!fieldAt(experimentOf("bert-base"), "/serving/output_tokens").isShown);
        QVERIFY(!fieldAt(experimentOf("mlp"), "/serving/input_tokens").isShown);
        core::Experiment small = experimentOf("small-gpt");
        QVERIFY(!fieldAt(small, "/model/experts_used").isShown);
        QVERIFY(fieldAt(small, "/model/position_count").isShown);
        const auto experts = core::withValue(small, "/model/experts", Json(8));
        QVERIFY(experts && fieldAt(*experts, "/model/experts_used").isShown);
    }

    // Whatever the file can say, the form has: only objects are left to pages of their own.
    void everyKeyHasAField_data() { presets_data(); }
    void everyKeyHasAField()
    {
        QFETCH(QByteArray, id);
        const core::Experiment experiment = experimentOf(id.constData());
        const std::vector<FormField> all = fieldsIn(experiment);
        const auto expect = [&](const std::string& section, const Json& fields) {
            for (const core::JsonMember& member : *fields.asObject()) {
                const bool isObject = member.key == "environments" || member.key == "split" ||
                                      member.key == "forecast_on" || member.key.ends_with("_offer");
                if (isObject || member.key == "family" || member.key == "convention")
                    continue;
                const std::string pointer = core::childPointer(section, member.key);
                QVERIFY2(std::any_of(all.begin(), all.end(),
                                     [&](const FormField& f) { return f.pointer == pointer; }),
                         pointer.c_str());
            }
        };
        expect("/model", core::fieldsOf(experiment.model));
        expect("/training", core::fieldsOf(experiment.training));
        expect("/serving", core::fieldsOf(experiment.serving));
        expect("/site", core::fieldsOf(experiment.site));
        expect("/plan", core::fieldsOf(experiment.plan));
    }

    // What a field shows can be typed again, and leaves the design as it was.
    void fieldsReadWhatTheyShow_data() { presets_data(); }
    void fieldsReadWhatTheyShow()
    {
        QFETCH(QByteArray, id);
        const core::Experiment experiment = experimentOf(id.constData());
        for (const FormField& field : fieldsIn(experiment)) {
            QVERIFY2(!field.label.isEmpty() && !field.hint.isEmpty(), field.pointer.c_str());
            if (field.kind == FormField::Kind::Flag)
                continue;
            const auto value = readField(field, fieldText(field, English), English);
            QVERIFY2(value.has_value(), field.pointer.c_str());
            const auto same = core::withValue(experiment, field.pointer, *value);
            QVERIFY2(same.has_value(), field.pointer.c_str());
            QVERIFY2(same->model == experiment.model && same->training == experiment.training &&
                         same->serving == experiment.serving && same->site == experiment.site &&
                         same->plan == experiment.plan,
                     field.pointer.c_str());
        }
    }

    // What a field says of its limits is what the experiment holds it to.
    void valuesBeyondTheLimitsAreRefused_data() { presets_data(); }
    void valuesBeyondTheLimitsAreRefused()
    {
        QFETCH(QByteArray, id);
        const core::Experiment experiment = experimentOf(id.constData());
        for (const FormField& field : fieldsIn(experiment)) {
            const bool isNumber =
                field.kind == FormField::Kind::Integer || field.kind == FormField::Kind::Number;
            if (!isNumber || field.low == field.high)
                continue;
            for (const double value : {field.low - 1, 2 * field.high + 1}) {
                const core::Json json = field.kind == FormField::Kind::Integer
                                            ? core::Json(static_cast<std::int64_t>(value))
                                            : core::Json(value);
                const auto changed = core::withValue(experiment, field.pointer, json);
                QVERIFY2(!changed.has_value(), field.pointer.c_str());
                QVERIFY2(changed.error().sentence().find(field.pointer) != std::string::npos,
                         changed.error().sentence().c_str());
            }
        }
    }

    // Every stop of every slider is a number that its field takes.
    void stopsAreInsideTheLimits_data() { presets_data(); }
    void stopsAreInsideTheLimits()
    {
        QFETCH(QByteArray, id);
        for (const FormField& field : fieldsIn(experimentOf(id.constData()))) {
            if (!field.slider)
                continue;
            const std::vector<double> stops = stopsOf(*field.slider);
            QVERIFY2(stops.size() >= 2 && stops.size() <= 250, field.pointer.c_str());
            for (std::size_t i = 0; i < stops.size(); ++i) {
                QVERIFY2(stops[i] >= field.low && stops[i] <= field.high, field.pointer.c_str());
                QVERIFY2(i == 0 || stops[i] > stops[i - 1], field.pointer.c_str());
                QVERIFY(field.kind != FormField::Kind::Integer || stops[i] == std::floor(stops[i]));
            }
            QCOMPARE(stops.front(), field.slider->low);
            QCOMPARE(stops.back(), field.slider->high);
        }
    }

    void partsOfOneAreStopsToo()
    {
        const std::vector<double> stops = stopsOf({.low = 0.01, .high = 20, .isLog = true});
        QCOMPARE(stops.size(), std::size_t{34});
        QCOMPARE(stops[0], 0.01);
        QCOMPARE(stops[3], 0.02);
        QCOMPARE(stops[13], 0.2);
        QCOMPARE(stops[33], 20.0);
    }

    void sizesAreOnALogScale()
    {
        const core::Experiment experiment = experimentOf("text-generator");
        const FormField hidden = fieldAt(experiment, "/model/hidden");
        QVERIFY(hidden.slider->isLog && hidden.slider->isWhole && hidden.isMain);
        const std::vector<double> stops = stopsOf(*hidden.slider);
        QVERIFY(std::find(stops.begin(), stops.end(), 256) != stops.end());
        QVERIFY(std::find(stops.begin(), stops.end(), 384) != stops.end());
        QVERIFY(!fieldAt(experiment, "/model/dropout").slider->isLog);
        QCOMPARE(fieldAt(experiment, "/serving/latency_p95_ms").unit, QStringLiteral("ms"));
    }

    void stepsLeadToTheNextStop_data()
    {
        QTest::addColumn<double>("from");
        QTest::addColumn<int>("steps");
        QTest::addColumn<double>("to");
        QTest::newRow("up") << 256.0 << 1 << 384.0;
        QTest::newRow("down") << 256.0 << -1 << 192.0;
        QTest::newRow("up from between") << 300.0 << 1 << 384.0;
        QTest::newRow("down from between") << 300.0 << -1 << 256.0;
        QTest::newRow("up at the end") << 1024.0 << 1 << 1024.0;
        QTest::newRow("down at the start") << 8.0 << -1 << 8.0;
        QTest::newRow("up from beyond") << 5000.0 << 1 << 1024.0;
        QTest::newRow("down from beyond") << 5000.0 << -1 << 1024.0;
    }
    void stepsLeadToTheNextStop()
    {
        QFETCH(double, from);
        QFETCH(int, steps);
        QFETCH(double, to);
        const std::vector<double> stops =
            stopsOf({.low = 8, .high = 1024, .isLog = true, .isWhole = true});
        QCOMPARE(steppedFrom(stops, from, steps), to);
    }

    void typedNumbers_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("value"); // negative: refused
        QTest::newRow("plain") << QStringLiteral("2048") << 2048.0;
        QTest::newRow("grouped") << QStringLiteral("2,048") << 2048.0;
        QTest::newRow("prefix") << QStringLiteral("2k") << 2000.0;
        QTest::newRow("spaced prefix") << QStringLiteral(" 1.5 M ") << 1.5e6;
        QTest::newRow("fraction") << QStringLiteral("2.5") << -1.0;
        QTest::newRow("below") << QStringLiteral("0") << -1.0;
        QTest::newRow("beyond") << QStringLiteral("1T") << -1.0;
        QTest::newRow("word") << QStringLiteral("many") << -1.0;
        QTest::newRow("nothing") << QString() << -1.0;
        QTest::newRow("not finite") << QStringLiteral("inf") << -1.0;
    }
    void typedNumbers()
    {
        QFETCH(QString, text);
        QFETCH(double, value);
        const FormField field = fieldAt(experimentOf("text-generator"), "/training/batch");
        const auto read = readField(field, text, English);
        QCOMPARE(read.has_value(), value >= 0);
        if (read)
            QCOMPARE(read->number(), value);
        else
            QVERIFY(read.error().remedy.find("from 1 to 16,777,216") != std::string::npos);
    }

    // An empty field says what then holds.
    void emptyFieldsSayWhatHolds()
    {
        int empty = 0;
        QStringList unsaid;
        for (const core::Preset& preset : *core::presets()) {
            for (const FormField& field : fieldsIn(preset.experiment)) {
                if (!field.isOptional || !field.value.isNull() || !field.resolved.isNull())
                    continue;
                ++empty;
                if (placeholderText(field, English) == QStringLiteral("not set"))
                    unsaid.append(QString::fromStdString(preset.id + field.pointer));
            }
        }
        QVERIFY2(unsaid.isEmpty(), qPrintable(unsaid.join(QLatin1Char('\n'))));
        QVERIFY(empty >= 5);
    }

    void textIsKept()
    {
        const FormField country = fieldAt(experimentOf("text-generator"), "/site/country");
        QVERIFY(country.isOptional);
        QCOMPARE(readField(country, QStringLiteral(" DE "), English).value(), core::Json("DE"));
        QVERIFY(readField(country, QStringLiteral("  "), English)->isNull());
    }

    void emptyMeansTheDefault()
    {
        const core::Experiment experiment = experimentOf("text-generator");
        const FormField embedding = fieldAt(experiment, "/model/embedding");
        QVERIFY(embedding.isOptional);
        const auto value = readField(embedding, QString(), English);
        QVERIFY(value.has_value() && value->isNull());
        const auto changed = core::withValue(experiment, "/model/embedding", *value);
        QVERIFY(changed.has_value());
        QCOMPARE(std::get<core::RecurrentDesign>(changed->model.design).embeddingWidth(), 150);
        QCOMPARE(fieldText(fieldAt(*changed, "/model/embedding"), English), QString());
    }

    void anUnsoundDesignIsRefused()
    {
        const core::Experiment experiment = experimentOf("text-generator");
        const auto changed = core::withValue(experiment, "/model/tied_embeddings", Json(true));
        QVERIFY(!changed.has_value());
        QVERIFY(changed.error().what.find("can't share") != std::string::npos);
    }

    void editsKeepMeasurementsAndUnknownKeys()
    {
        core::Experiment experiment = experimentOf("text-generator");
        experiment.document.set("mine", Json("kept"));
        experiment = withMeasurement(experiment, Json::Object{{"created", "x"}});
        const auto changed = core::withValue(experiment, "/training/batch", Json(64));
        QVERIFY(changed.has_value());
        QCOMPARE(changed->training.batch, 64);
        QVERIFY(!changed->measurements.isEmpty() &&
                changed->measurements == experiment.measurements);
        const Json saved = core::toJson(*changed);
        QVERIFY(saved.find("mine") != nullptr && saved.find("measurements") != nullptr);
    }

    void familiesComeFromPresets()
    {
        core::Experiment experiment = experimentOf("text-generator");
        for (const char* family : {"gru", "transformer", "mlp", "gated-rnn"}) {
            const auto changed = withFamily(experiment, family);
            QVERIFY(changed.has_value());
            QCOMPARE(core::familyOf(changed->model), std::string_view(family));
            QVERIFY(changed->training == experiment.training);
            // What is saved can be read again.
            QVERIFY(core::readExperiment(core::toJson(*changed)).has_value());
        }
        QVERIFY(!withFamily(experiment, "layers").has_value());
    }

    void axesHoldTheirValues_data()
    {
        QTest::addColumn<double>("highest");
        for (const double highest :
             {1e-6, 0.07, 0.9, 1.0, 3.0, 7.77, 10.0, 99.0, 101.0, 12345.0, 3e9})
            QTest::addRow("%g", highest) << highest;
    }
    void axesHoldTheirValues()
    {
        QFETCH(double, highest);
        const ChartAxis axis = axisFromZero(highest, QStringLiteral("x"));
        QVERIFY(axis.high >= highest * (1 - 1e-9) && axis.high <= 2 * highest);
        QVERIFY(axis.ticks >= 3 && axis.ticks <= 7);
        // Labels with that many decimals are the ticks themselves.
        const double step = axis.high / (axis.ticks - 1);
        QVERIFY(std::abs(QString::number(step, 'f', axis.decimals).toDouble() - step) <
                1e-9 * step);
        const ScaledAxis scaled = scaledAxis(highest, QStringLiteral("x"), QStringLiteral("B"));
        QVERIFY(highest / scaled.factor < 1000);
    }

    void chartsHaveATableTwin()
    {
        ChartModel chart;
        chart.categories = {QStringLiteral("a"), QStringLiteral("b")};
        chart.series = {{QStringLiteral("one"), 0, {{.y = 1, .low = 0.5, .high = 2}, {.y = 3}}},
                        {QStringLiteral("two"), 1, {{.y = 5, .label = QStringLiteral("five")}}}};
        QCOMPARE(tabSeparated(tableOf(chart, English)),
                 QStringLiteral("Item\tone\ttwo\na\t1 (0.5 to 2)\tfive\nb\t3\t\n"));
        chart.kind = ChartModel::Kind::Lines;
        QCOMPARE(tableOf(chart, English).rows.size(), std::size_t{3});
        chart.kind = ChartModel::Kind::Doughnut;
        QCOMPARE(tableOf(chart, English).rows.size(), std::size_t{3});
        QVERIFY(!chart.isEmpty());
        QVERIFY(ChartModel().isEmpty());
    }
};

OUTLAY_TEST(TestFormView)
#include "tst_form_view.moc"
