// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/job.h"
#include "core/probe/machine.h"
#include "core/probe/measurement.h"
#include "core/probe/message.h"
#include "tests/support/test_class.h"

#include <QFile>
#include <QTest>

#include <numeric>

using namespace outlay::core;

class TestProtocol : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void messagesSurviveTheWire()
    {
        QVERIFY(!readMessage(R"({"type":"kept","key":"a","bytes":"0g"})"));
        QVERIFY(!readMessage(R"({"type":"kept","key":"a","bytes":"012"})"));
        const std::vector<Message> messages{
            Hello{1, "b", "cpu"},
            Progress{1.5, 10, "training", 7},
            Sample{"training", {0.1, 0.25}},
            TriedVariant{{.variant = "batch", .name = "batch 256", .ratio = 0.5}},
            ProbeWarning{"careful\nnow"},
            Done{Json(Json::Object{{"a", 1}})},
            ProbeError{"what", "remedy"},
            Cancelled{},
            Kept{"store/0", std::string("\0\xff\n\"", 4)},
            Kept{"store/1", std::string()},
            Kept{"store/2", {}},
        };
        int terminal = 0;
        for (const Message& message : messages) {
            const std::string line = toLine(message);
            QCOMPARE(std::count(line.begin(), line.end(), '\n'), 1);
            const auto read = readMessage(line);
            QVERIFY2(read.has_value(), line.c_str());
            QVERIFY(*read == message);
            terminal += isTerminal(message) ? 1 : 0;
        }
        QCOMPARE(terminal, 3);
    }

    void brokenMessagesAreSaid_data()
    {
        QTest::addColumn<QByteArray>("line");
        for (const char* line :
             {"", "x", "[]", "{}", R"({"type":7})", R"({"type":"hello"})",
              R"({"type":"progress","done":"a"})", R"({"type":"sample","phase":"x"})",
              R"({"type":"sample","phase":"x","seconds":["a"]})", R"({"type":"done"})"})
            QTest::newRow(line) << QByteArray(line);
    }
    void brokenMessagesAreSaid()
    {
        QFETCH(QByteArray, line);
        const auto read = readMessage(line.toStdString());
        QVERIFY(!read.has_value());
        QVERIFY(!read.error().what.empty());
    }

    void jobsSurviveTheWire()
    {
        Job job;
        job.model.design = GatedRnnDesign{9, 8, 7, 6, 5, 4};
        job.training.batch = 3;
        job.serving.outputTokens = 0;
        job.seconds = 2.5;
        job.device = ProbeDevice::Cuda;
        job.variants = {"all"};
        job.threads = 2;
        const auto read = readJob(toLine(job));
        QVERIFY2(read.has_value(), read ? "" : read.error().sentence().c_str());
        QVERIFY(*read == job);
    }

    void measurementsSurviveTheFile()
    {
        Measurement m;
        m.created = "2026-11-20T12:00:00Z";
        m.machine = thisMachine();
        m.machine.matrixFlopsPerSecond = 1e11;
        m.threads = 2;
        m.training.step = timingOf({1, 2, 3}, {});
        m.training.peakBytes = 7;
        m.inference.throughput = {{1, 10, {}}, {2, 15, TimedRange{14, 16, 9}}};
        m.inference.tokenRange = TimedRange{0.4, 0.6, 20};
        m.inference.together = {{1, 2000, {}}, {2, 3500, TimedRange{3400, 3600, 8}}};
        m.inference.tokenMs = 0.5;
        m.findings = {"one"};
        m.worker = "outlay 1.2.3";
        m.model.design = GatedRnnDesign{9, 8, 7, 6, 5, 4};
        m.trainingSettings.batch = 7;
        m.askedTraining = m.trainingSettings;
        m.askedTraining.precision = Precision::Fp16;
        m.askedServing.outputTokens = 9;
        const auto read = readMeasurement(*readJson(writeJson(toJson(m))));
        QVERIFY2(read.has_value(), read ? "" : read.error().sentence().c_str());
        QVERIFY(*read == m);
        QCOMPARE(read->training.step.quantilesS, (std::vector<double>{1, 2, 3})); // all of few
        std::vector<double> many(200);
        std::iota(many.begin(), many.end(), 1.0);
        const std::vector<double> quantiles = timingOf(many, {}).quantilesS;
        QCOMPARE(quantiles.size(), std::size_t{21});
        QCOMPARE(quantiles.front(), 1.0);
        QCOMPARE(quantiles.at(10), 100.5);
        QCOMPARE(quantiles.back(), 200.0);
        // Eight in each pass of 2 s, the slowest and the fastest of them around it.
        const TimedRate rate = rateOf({2, 1, 4, 2, 2}, 8);
        QCOMPARE(rate.perS, 4.0);
        QVERIFY(rate.range.low >= 2 && rate.range.low <= 4 && rate.range.high >= 4);
        QVERIFY(rate.range.high <= 8 && rate.range.count == 5);
        // An older worker said only what it ran.
        Json json = toJson(m);
        for (const char* key : {"asked_training", "asked_serving", "version", "worker"})
            json.erase(key);
        const auto older = readMeasurement(json);
        QVERIFY(older && older->askedTraining == m.trainingSettings);
        QVERIFY(older->askedServing == m.servingSettings && older->worker.empty());
        // And a newer one may say things otherwise.
        json.set("version", Json(MeasurementVersion + 1));
        const auto newer = readMeasurement(json);
        QVERIFY(!newer && newer.error().remedy.find("newer Outlay") != std::string::npos);
    }

    // What is missing is told with its place.
    void aMeasurementMissesAPart_data()
    {
        QTest::addColumn<QByteArray>("part");
        QTest::addColumn<QByteArray>("place");
        for (const char* part :
             {"machine", "training", "inference", "model", "training_settings", "serving_settings"})
            QTest::newRow(part) << QByteArray(part) << "/" + QByteArray(part);
        for (const char* part : {"step", "step_processor"})
            QTest::newRow(part) << QByteArray(part) << "/training/" + QByteArray(part);
    }
    void aMeasurementMissesAPart()
    {
        QFETCH(QByteArray, part);
        QFETCH(QByteArray, place);
        Measurement m;
        m.model.design = GatedRnnDesign{9, 8, 7, 6, 5, 4};
        Json json = toJson(m);
        if (place.count('/') == 2) {
            Json training = *json.find("training");
            training.erase(part.toStdString());
            json.set("training", std::move(training));
        } else {
            json.erase(part.toStdString());
        }
        const auto read = readMeasurement(json);
        QVERIFY(!read);
        QCOMPARE(read.error().place, place.toStdString());
        QVERIFY(read.error().what.find("`" + part.toStdString() + "`") != std::string::npos);
    }

    void thisMachineIsSomeMachine()
    {
        const HostMachine machine = thisMachine();
        QFile cpus(QStringLiteral("/proc/cpuinfo"));
        QVERIFY(cpus.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = cpus.readAll().split('\n');
        const auto model = std::find_if(lines.begin(), lines.end(), [](const QByteArray& line) {
            return line.startsWith("model name");
        });
        const QByteArray name =
            model == lines.end() ? QByteArray() : model->mid(model->indexOf(':') + 1).trimmed();
        QCOMPARE(QByteArray::fromStdString(machine.processor), name);
        QVERIFY(isSameMachine(machine, thisMachine()));
        QVERIFY(machine.cores >= 1);
        QVERIFY(machine.memoryBytes > 1e8);
    }

    void theBestKernelsFollowFromTheFeatures()
    {
        QCOMPARE(bestOpenBlasCore({"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx2", "fma"}),
                 std::string_view("SkylakeX"));
        QCOMPARE(bestOpenBlasCore({"avx2", "fma", "avx512f"}), std::string_view("Haswell"));
        QCOMPARE(bestOpenBlasCore({"sse2"}), std::string_view(""));
    }
};

OUTLAY_TEST(TestProtocol)
#include "tst_protocol.moc"
