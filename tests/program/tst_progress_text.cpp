// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Steps in what programs print for people, in lines as their libraries write them.
#include "core/program/progress_text.h"
#include "core/program/step_lines.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay::core;

namespace {

/// A bar as tqdm draws it.
std::string bar(const std::string& label, int done, int of)
{
    return "\r" + label + std::to_string(100 * done / of) + "%|###       | " +
           std::to_string(done) + "/" + std::to_string(of) + " [00:03<01:40,  4.85it/s]";
}

} // namespace

class TestProgressText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void counts_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("label");
        QTest::addColumn<double>("done");
        QTest::addColumn<double>("of");
        const auto row = [](const char* name, const char* line, const char* label, double done,
                            double of) {
            QTest::newRow(name) << QByteArray(line) << QByteArray(label) << done << of;
        };
        row("tqdm", "  3%|3         | 15/500 [00:03<01:40,  4.85it/s]", "", 15, 500);
        row("tqdm with a label", "Training:   3%|3 | 15/500 [00:03<01:40,  1.2s/it, loss=0.5]",
            "training", 15, 500);
        row("Keras 2", " 15/500 [=====>........] - ETA: 1:40 - loss: 0.5", "", 15, 500);
        row("Keras 3",
            "\x1b[1m 15/500\x1b[0m \x1b[32m\xE2\x94\x81\x1b[0m \x1b[1m1:40\x1b[0m 170ms/step", "",
            15, 500);
        row("Lightning", "Epoch 0:   3%|3         | 15/500 [00:03<01:40,  4.85it/s, v_num=3]",
            "epoch", 15, 500);
        row("rich", "Epoch 2/9 \xE2\x94\x81\xE2\x94\x81 15/500 0:00:03 \xE2\x80\xA2 0:01:40", "",
            15, 500);
        row("two by hand", "Epoch [2/10], Step [15/500], Loss: 0.3", "step", 15, 500);
        row("by hand", "step 15/500, loss 0.32", "step", 15, 500);
        row("by hand with spaces", "[2026-11-26 10:00:01] Iter 15 / 500: loss 0.32", "iter", 15,
            500);
        row("an epoch", "Epoch 2/10", "epoch", 2, 10);
    }
    void counts()
    {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, label);
        QFETCH(double, done);
        QFETCH(double, of);
        const auto count = countIn(line.toStdString());
        QVERIFY(count.has_value());
        QCOMPARE(QByteArray::fromStdString(count->label).right(label.size()), label);
        QCOMPARE(count->done, done);
        QCOMPARE(count->of, of);
    }

    void noCounts_data()
    {
        QTest::addColumn<QByteArray>("line");
        for (const char* line :
             {"2026/11/26 10:00:01 starting", "saved to /tmp/run/15/500/model.pt",
              "loss 3/4 of what it was", "http://example.org/1/20", "accuracy 15/500",
              "step 500/15", "step 1/1", "15/", "/500", "a/b", "step -1/500", "",
              "1.5/500 [=", "batch 15/500th"})
            QTest::newRow(line[0] != '\0' ? line : "nothing") << QByteArray(line);
    }
    void noCounts()
    {
        QFETCH(QByteArray, line);
        const auto count = countIn(line.toStdString());
        QVERIFY2(!count, count ? count->label.c_str() : "");
    }

    // However a terminal's bytes are cut.
    void piecesOfAnySize()
    {
        std::string text;
        for (int i = 1; i <= 40; ++i)
            text += bar("Training: ", i, 500);
        text += "\n";
        for (const std::size_t size : {std::size_t{1}, std::size_t{7}, text.size()}) {
            ProgressText progress;
            for (std::size_t at = 0; at < text.size(); at += size)
                progress.feed(std::string_view(text).substr(at, size), double(at));
            const std::vector<StepMark> marks = progress.marks();
            QCOMPARE(marks.size(), std::size_t{40});
            QCOMPARE(marks.back().steps, 40.0);
            QCOMPARE(marks.back().of, std::optional(500.0));
        }
    }

    // A bar that is not followed by anything yet counts at once.
    void theLastOneCounts()
    {
        ProgressText progress;
        progress.feed(bar("", 3, 10), 1);
        QCOMPARE(progress.marks().size(), std::size_t{1});
        QCOMPARE(progress.marks().front(), (StepMark{1, 3, 10}));
    }

    void epochsFollowEachOther()
    {
        ProgressText progress;
        for (int epoch = 1; epoch <= 3; ++epoch) {
            progress.feed("Epoch " + std::to_string(epoch) + "/10\n", epoch);
            for (int i = 1; i <= 5; ++i)
                progress.feed(bar("", i, 5), epoch + 0.1 * i);
            progress.feed("\n", epoch);
        }
        QCOMPARE(progress.marks().back().steps, 15.0);
        QCOMPARE(progress.marks().back().of, std::optional(50.0));
        QVERIFY(!progress.isOfOneEpoch());
    }

    // Then nobody knows how many steps there are in all.
    void epochsThatNobodyCounts()
    {
        ProgressText progress;
        for (int epoch = 0; epoch < 2; ++epoch)
            for (int i = 1; i <= 5; ++i)
                progress.feed(bar("Epoch " + std::to_string(epoch) + ": ", i, 5), epoch + 0.1 * i);
        QCOMPARE(progress.marks().back().steps, 10.0);
        QVERIFY(!progress.marks().back().of);
        QVERIFY(progress.isOfOneEpoch());
    }

    // In its first epoch, too, where no bar has begun again yet.
    void theFirstEpochIsOneOfThem()
    {
        ProgressText keras;
        keras.feed("Epoch 1/10\n", 0);
        for (int i = 1; i <= 4; ++i)
            keras.feed(bar("", i, 500), i);
        QCOMPARE(keras.marks().back().of, std::optional(5000.0));
        ProgressText lightning;
        for (int i = 1; i <= 4; ++i)
            lightning.feed(bar("Epoch 0: ", i, 500), i);
        QVERIFY(!lightning.marks().back().of && lightning.isOfOneEpoch());
        ProgressText rich;
        for (int i = 1; i <= 4; ++i)
            rich.feed("Epoch 0/9 \xE2\x94\x81 " + std::to_string(i) + "/500 0:00:03\n", i);
        QCOMPARE(rich.marks().back().of, std::optional(5000.0));
    }

    // A bar over all steps goes on through the epochs that are told beside it.
    void aBarOfAllOfThem()
    {
        ProgressText progress;
        for (int i = 1; i <= 20; ++i) {
            if (i % 5 == 1)
                progress.feed("\nEpoch " + std::to_string(1 + i / 5) + "/4\n", i);
            progress.feed(bar("", i, 20), i);
        }
        QCOMPARE(progress.marks().back().of, std::optional(20.0));
        QCOMPARE(progress.marks().back().steps, 20.0);
    }

    void epochsAlone()
    {
        ProgressText progress;
        for (int i = 1; i <= 6; ++i)
            progress.feed("Epoch " + std::to_string(i) + "/100 loss 0.3\n", i);
        QCOMPARE(progress.marks().size(), std::size_t{6});
        QCOMPARE(progress.marks().back(), (StepMark{6, 6, 100}));
    }

    // Two processes with one bar each don't begin again.
    void severalProcesses()
    {
        ProgressText progress;
        for (int i = 20; i <= 60; ++i)
            for (const int behind : {0, 1, 3})
                progress.feed("step " + std::to_string(i - behind) + "/100\n", i);
        QCOMPARE(progress.marks().back().steps, 60.0);
        QVERIFY(!progress.isOfOneEpoch());
    }

    void otherBarsStandAside()
    {
        ProgressText progress;
        for (int i = 1; i <= 50; ++i)
            progress.feed(bar("Downloading: ", i, 50), i);
        for (int i = 1; i <= 5; ++i)
            progress.feed(bar("", i, 500), 100 + i);
        for (int i = 1; i <= 40; ++i)
            progress.feed(bar("Validation: ", i, 40), 200 + i);
        QCOMPARE(progress.marks().size(), std::size_t{5});
        QCOMPARE(progress.marks().back().of, std::optional(500.0));
        ProgressText loading;
        loading.feed(bar("Loading: ", 3, 50), 1);
        QVERIFY(loading.marks().empty());
    }

    void aMillionLinesOfData()
    {
        ProgressText progress;
        std::string line(200, 'x');
        line += " 12/1000\n";
        for (int i = 0; i < 100'000; ++i)
            progress.feed(line, i);
        progress.feed(std::string(1 << 20, '/'), 0);
        QVERIFY(progress.marks().empty());
    }

    void linesOfItsOwn()
    {
        StepLines lines;
        lines.feed("{\"step\": 1, \"of\": 9}\n{\"st", 1);
        lines.feed("ep\": 2}\nnonsense\n{\"step\": 2}\n{\"step\": -1}\n", 2);
        lines.feed("{\"step\": 4, \"of\": 3}\n" + std::string(5000, 'x') + "\n", 3);
        QCOMPARE(lines.marks().size(), std::size_t{3});
        QCOMPARE(lines.marks()[0], (StepMark{1, 1, 9}));
        QCOMPARE(lines.marks()[1], (StepMark{2, 2, std::nullopt}));
        QCOMPARE(lines.marks()[2], (StepMark{3, 4, std::nullopt}));
        QCOMPARE(lines.leftOut(), std::size_t{3}); // no JSON, no step further, a negative one
    }
};

OUTLAY_TEST(TestProgressText)
#include "tst_progress_text.moc"
