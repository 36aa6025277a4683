// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of every preset as they were when somebody last looked at them: a change of the code that was meant
// to change none of them is held to that. OUTLAY_WRITE_REPORTS=1 writes them anew, and the diff shows what moved.
#include "core/base/file.h"
#include "core/experiment/presets.h"
#include "pricing/report/make_report.h"
#include "tests/support/catalogs.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay;
using core::Json;

namespace {

const std::string StoredFile = std::string(OUTLAY_TEST_DATA) + "/reports.json";

/// Long lists whose rows differ in little: their first rows say enough.
bool isLong(const std::string& key)
{
    return key == "options" || key == "elsewhere" || key == "hours" || key == "assumptions";
}

/// Every number of a Report by its pointer.
void collect(const Json& json, const std::string& pointer, std::map<std::string, double>& numbers)
{
    if (json.isNumber())
        numbers[pointer] = json.number();
    if (const Json::Array* array = json.asArray()) {
        for (std::size_t i = 0; i < array->size(); ++i)
            collect((*array)[i], pointer + "/" + std::to_string(i), numbers);
    }
    if (const Json::Object* object = json.asObject()) {
        for (const core::JsonMember& member : *object) {
            if (!isLong(member.key))
                collect(member.value, core::childPointer(pointer, member.key), numbers);
        }
    }
}

std::map<std::string, double> numbersOf(const core::Preset& preset)
{
    const auto& catalogs = tests::catalogs();
    std::map<std::string, double> numbers;
    collect(pricing::toJson(pricing::makeReport(preset.experiment, catalogs), catalogs), "",
            numbers);
    return numbers;
}

/// As far as they matter: the last digits depend on the order in which a compiler adds.
constexpr int Digits = 9;

std::string rounded(double value)
{
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.*g", Digits, value);
    return text.data();
}

} // namespace

class TestStoredReports : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void figuresStayWhatTheyWere_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < core::presets()->size(); ++i)
            QTest::newRow((*core::presets())[i].id.c_str()) << static_cast<int>(i);
        if (qEnvironmentVariableIsSet("OUTLAY_WRITE_REPORTS"))
            write();
    }
    void figuresStayWhatTheyWere()
    {
        QFETCH(int, index);
        const core::Preset& preset = core::presets()->at(static_cast<std::size_t>(index));
        const auto stored = core::readJson(*core::loadFile(StoredFile));
        QVERIFY(stored.has_value());
        const Json* before = stored->find(preset.id);
        QVERIFY2(before != nullptr, "the preset is new: write the stored figures anew");
        const auto now = numbersOf(preset);
        QVERIFY(now.size() > 200);
        QCOMPARE(now.size(), before->asObject()->size());
        constexpr double Tolerance = 1e-8;
        for (const auto& [pointer, value] : now) {
            const Json* was = before->find(pointer);
            QVERIFY2(was != nullptr, pointer.c_str());
            const double difference = std::abs(value - was->number());
            QVERIFY2(
                difference <= Tolerance * std::max(std::abs(value), std::abs(was->number())),
                (pointer + ": " + rounded(was->number()) + " before, " + rounded(value) + " now")
                    .c_str());
        }
    }

private:
    static void write()
    {
        std::string text = "{";
        for (const core::Preset& preset : *core::presets()) {
            text += (text.size() > 1 ? "},\n\"" : "\n\"") + preset.id + "\": {";
            bool isFirst = true;
            for (const auto& [pointer, value] : numbersOf(preset)) {
                text += (isFirst ? "\n\"" : ",\n\"") + pointer + "\": " + rounded(value);
                isFirst = false;
            }
        }
        QVERIFY(core::saveFile(StoredFile, text + "}\n}\n").has_value());
    }
};

OUTLAY_TEST(TestStoredReports)
#include "tst_stored_reports.moc"
