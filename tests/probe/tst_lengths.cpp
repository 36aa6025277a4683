// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Twins that run, and sequences of all lengths through them.
#include "core/probe/worker/measure/measure_lengths.h"

#include "core/experiment/presets.h"
#include "core/workload/parameters.h"
#include "core/workload/twin.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>

using namespace outlay::core;
using namespace outlay::worker;

namespace {

struct Silence {
    std::FILE* file = std::fopen("/dev/null", "w");
    Channel channel{file};
};

/// A preset that runs in milliseconds.
Model smallModel(const char* name)
{
    Model model = preset(name)->experiment.model;
    if (auto* transformer = std::get_if<TransformerDesign>(&model.design)) {
        transformer->layers = 2;
        transformer->vocabulary = 50;
    }
    if (auto* recurrent = std::get_if<RecurrentDesign>(&model.design)) {
        recurrent->hidden = {12};
        if (recurrent->vocabulary)
            recurrent->vocabulary = recurrent->outputs = 50;
    }
    return model;
}

} // namespace

class TestLengths : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // The other kind of layer in the same places: as many elements as on paper, all of them learn.
    void twinsRun_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"text-generator", "frequency-lstm", "gru", "char-rnn", "gated-rnn",
                                 "small-gpt", "bert-base"})
            QTest::newRow(name) << QByteArray(name);
    }
    void twinsRun()
    {
        QFETCH(QByteArray, name);
        const Model model = smallModel(name);
        const Twins twins = twinsOf(expand(model));
        QVERIFY2(twins.own, twins.why.c_str());
        const auto network = *Network::create(model, twins.twin);
        QCOMPARE(network->elementCount(), parametersOf(twins.twin));
        for (const std::int64_t tokens : {1, 5, 70}) {
            Training training = preset(name.toStdString())->experiment.training;
            training.batch = 1;
            training.accumulation = 1;
            training.sequence = tokens;
            Trainer trainer(network, training, torch::kCPU);
            trainer.step();
        }
        for (const auto& parameter : network->named_parameters())
            QVERIFY2(parameter.value().isfinite().all().item<bool>(), parameter.key().c_str());
    }

    void eachLengthHasARow()
    {
        Silence silence;
        Job job{.model = smallModel("text-generator"),
                .training = preset("text-generator")->experiment.training,
                .seconds = 1,
                .lengths = true};
        const Bench bench{job, silence.channel, torch::kCPU, wallClock(), wallClock() + 1};
        const std::vector<LengthTiming> rows = measureLengths(bench);
        QCOMPARE(rows.size(), std::size_t{18});
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const LengthTiming& row = rows[i];
            QCOMPARE(row.tokens, ShortestCompared << (i % 9));
            QCOMPARE(row.subject, i < 9 ? LengthSubject::Own : LengthSubject::Twin);
            QCOMPARE(row.isMeasured(), row.passS > 0 && row.count > 0 && row.growthBytes);
        }
        QVERIFY(rows[0].isMeasured() && rows[9].isMeasured());
        // Once a length is too long, all that are longer are.
        for (const std::size_t first : {0U, 9U}) {
            const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first);
            QVERIFY(std::is_partitioned(begin, begin + 9,
                                        [](const LengthTiming& t) { return t.isMeasured(); }));
        }
        job.lengths = false;
        QVERIFY(measureLengths(bench).empty());
    }

    void aDesignWithoutTwinHasNone()
    {
        Silence silence;
        const Job job{.model = preset("mlp")->experiment.model, .seconds = 1, .lengths = true};
        const Bench bench{job, silence.channel, torch::kCPU, wallClock(), wallClock() + 1};
        QVERIFY(measureLengths(bench).empty());
    }
};

OUTLAY_TEST(TestLengths)
#include "tst_lengths.moc"
