// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of every preset, and each line of the Reports of two full experiments, as they were when somebody last
// looked at them: a change of the code that was meant to change none of them is held to that. OUTLAY_WRITE_REPORTS=1
// writes them anew, and the diff shows what moved.
#include "core/base/file.h"
#include "pricing/export/export.h"
#include "pricing/report/compare/comparison.h"
#include "pricing/report/make_report.h"
#include "tests/support/full_experiments.h"
#include "tests/support/stored_text.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace outlay;
using core::Json;

namespace {

const std::string StoredFile = std::string(OUTLAY_TEST_DATA) + "/reports.json";
const std::string StoredLines = std::string(OUTLAY_TEST_DATA) + "/report_lines.txt";

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

/// Each value under its pointer, words too; of a long list the first rows and the last.
void describe(const Json& json, const std::string& pointer, QStringList& lines)
{
    constexpr std::size_t FirstRows = 4;
    const auto line = [&](const std::string& value) {
        lines.append(QString::fromStdString(pointer + ": " + value));
    };
    if (const Json::Array* array = json.asArray()) {
        for (std::size_t i = 0; i < array->size(); ++i) {
            if (i < FirstRows || i + 1 == array->size())
                describe((*array)[i], pointer + "/" + std::to_string(i), lines);
        }
        line(std::to_string(array->size()) + " rows");
    } else if (const Json::Object* object = json.asObject()) {
        for (const core::JsonMember& member : *object)
            describe(member.value, core::childPointer(pointer, member.key), lines);
    } else {
        line(json.isNumber() ? rounded(json.number()) : core::writeJson(json));
    }
}

/// Each line of the files that a Report can be written as; of some of them.
QStringList filesOf(const core::Experiment& e, const std::vector<std::string_view>& names)
{
    const auto& catalogs = tests::catalogs();
    const pricing::Report report = pricing::makeReport(e, catalogs);
    QStringList lines;
    for (const pricing::ExportFormat& format : pricing::exportFormats()) {
        if (std::find(names.begin(), names.end(), format.name) == names.end())
            continue;
        const auto text = format.write({e, report, catalogs, "2026-11-20T13:00:00Z"});
        const QString name = QString::fromUtf8(format.file.data(), qsizetype(format.file.size()));
        for (const QString& line :
             QString::fromStdString(text ? *text : text.error().what).split('\n'))
            lines.append((name + ": " + line).trimmed());
    }
    return lines;
}

/// Two experiments side by side, with a figure of quality that only one has.
QStringList comparisonOf(const core::Experiment& a, const core::Experiment& b)
{
    const auto& catalogs = tests::catalogs();
    core::Experiment good = b;
    good.quality =
        *core::readJson(R"({"accuracy": 0.9, "note": "x", "better": {"accuracy": "larger"}})");
    const pricing::Report first = pricing::makeReport(a, catalogs);
    const pricing::Report second = pricing::makeReport(good, catalogs);
    const std::array compared{pricing::Compared{"a.json", a, first},
                              pricing::Compared{"b.json", good, second}};
    const pricing::Comparison comparison = pricing::compare(compared, catalogs);
    return QString::fromStdString(pricing::csvOf(comparison)).split('\n');
}

/// The Report, and every file that it can be written as.
QStringList linesOf(const core::Experiment& e)
{
    const auto& catalogs = tests::catalogs();
    const pricing::Report report = pricing::makeReport(e, catalogs);
    QStringList lines;
    describe(pricing::toJson(report, catalogs), "", lines);
    lines += filesOf(e, {"csv", "md", "focus", "emissions", "boamps"});
    return lines;
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

    void linesStayWhatTheyWere()
    {
        core::Experiment unmetered = tests::measuredGenerator();
        unmetered.site = {}; // its power is a model's
        const QStringList now = linesOf(tests::measuredGenerator()) + linesOf(tests::plannedGpt()) +
                                filesOf(unmetered, {"csv"}) +
                                comparisonOf(tests::measuredGenerator(), unmetered);
        QVERIFY(now.size() > 1000);
        const QString difference = tests::differenceFromStored(
            StoredLines, (now.join('\n') + '\n').toStdString(), "OUTLAY_WRITE_REPORTS");
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
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
