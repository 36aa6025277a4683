// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Windows beside the window: from a goal to a plan, and why a bill changed.
#include "gui/widgets/chart.h"
#include "gui/widgets/data_table.h"
#include "gui/window/import_dialog.h"
#include "tests/gui/window_test.h"
#include "tests/support/test_class.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QDialog>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

using namespace outlay;
using namespace outlay::gui;

class TestWindowDialogs : public WindowTest {
    Q_OBJECT
private Q_SLOTS:
    // By keys alone: what is wanted, a verdict, and the plan as one step of undo.
    void aGoalBecomesAPlan()
    {
        const core::Experiment before = m_window->document().experiment();
        QTest::keyClick(m_window.get(), Qt::Key_G, Qt::ControlModifier);
        auto* dialog = find<QDialog>(*m_window, "goalDialog");
        QVERIFY(!find<QLabel>(*dialog, "goalVerdict")->text().isEmpty());
        auto* samples = find<QLineEdit>(*dialog, "goalSamples");
        samples->setFocus();
        QTest::keyClicks(samples, QStringLiteral("4000000"));
        QTest::keyClick(find<QComboBox>(*dialog, "goalTolerance"), Qt::Key_End);
        // What was just typed is shown first, and taken with the next click.
        auto* use = find<QPushButton>(*dialog, "goalUse");
        QTest::mouseClick(use, Qt::LeftButton);
        QVERIFY(dialog->isVisible());
        QCOMPARE(m_window->document().undoStack().count(), 0);
        QTest::mouseClick(use, Qt::LeftButton);
        const core::Experiment& after = m_window->document().experiment();
        QCOMPARE(after.training.samples.value_or(0), 4e6);
        QCOMPARE(after.serving.requestsPerDay, 0.0);
        QCOMPARE(m_window->document().undoStack().count(), 1);
        m_window->document().undoStack().undo();
        QVERIFY(m_window->document().experiment() == before);
    }

    void whatIsNotWantedIsLeftOut()
    {
        QTest::keyClick(m_window.get(), Qt::Key_G, Qt::ControlModifier);
        auto* dialog = find<QDialog>(*m_window, "goalDialog");
        const auto boxes = dialog->findChildren<QCheckBox*>();
        QVERIFY(!boxes.isEmpty());
        for (QCheckBox* box : boxes) {
            QVERIFY2(box->text().contains(QStringLiteral(" → ")), qPrintable(box->text()));
            QTest::keyClick(box, Qt::Key_Space);
        }
        QTest::mouseClick(find<QPushButton>(*dialog, "goalUse"), Qt::LeftButton);
        const core::Experiment& after = m_window->document().experiment();
        QVERIFY(after.plan.purchase == core::Purchase::OnDemand);
        QVERIFY(after.training == core::preset("text-generator")->experiment.training);
    }

    void whatIsNoNumberIsSaid()
    {
        QTest::keyClick(m_window.get(), Qt::Key_G, Qt::ControlModifier);
        auto* dialog = find<QDialog>(*m_window, "goalDialog");
        auto* use = find<QPushButton>(*dialog, "goalUse");
        QTest::keyClicks(find<QLineEdit>(*dialog, "goalUsd"), QStringLiteral("-3"));
        QTest::mouseClick(use, Qt::LeftButton);
        QVERIFY(dialog->isVisible() && !use->isEnabled());
        // No design takes half a sample: the reason is told, and nothing is left to choose.
        find<QLineEdit>(*dialog, "goalUsd")->clear();
        QTest::keyClicks(find<QLineEdit>(*dialog, "goalSamples"), QStringLiteral("0.5"));
        auto* note = find<QLabel>(*dialog, "goalNote");
        QTRY_VERIFY2(note->isVisible() && !note->text().isEmpty(), qPrintable(note->text()));
        QVERIFY(!use->isEnabled() && dialog->findChildren<QCheckBox*>().isEmpty());
        QTest::keyClick(dialog, Qt::Key_Escape);
        QCOMPARE(m_window->document().undoStack().count(), 0);
    }

    // It follows the document: after each edit what moved the bills, from the one before it.
    void whyItChangedFollowsTheEdits()
    {
        QTest::keyClick(m_window.get(), Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
        auto* dialog = find<QDialog>(*m_window, "changeDialog");
        auto* settings = find<QLabel>(*dialog, "changeSettings");
        QCOMPARE(settings->text(), QStringLiteral("Nothing has been changed yet."));
        QVERIFY(m_window->document().set("/training/epochs", core::Json(40)).has_value());
        QTRY_VERIFY2(settings->text().startsWith(QStringLiteral("Training: Epochs ")),
                     qPrintable(settings->text()));
        auto* run = find<QLabel>(*dialog, "changeSentence0");
        QVERIFY2(run->text().contains(QStringLiteral(" instead of ")), qPrintable(run->text()));
        QVERIFY(find<Chart>(*dialog, "changeChart0")->isVisible());
        auto* since = find<QComboBox>(*dialog, "changeSince");
        since->setCurrentIndex(1);
        QVERIFY2(settings->text().contains(QStringLiteral("baseline")),
                 qPrintable(settings->text()));
        QVERIFY(!run->isVisible());
        m_window->document().pin();
        QTRY_VERIFY2(run->text().endsWith(QStringLiteral(", as before")), qPrintable(run->text()));
    }

    // Places are chosen from what there is, also as the second word of a list.
    void placesAreChosenFromAList()
    {
        auto* more = find<QToolButton>(*m_window, "planMore");
        more->click();
        auto* regions = find<QLineEdit>(*m_window, "planRegions");
        regions->setFocus();
        QTest::keyClicks(regions, QStringLiteral("us-east-1"));
        QCompleter* completer = regions->completer();
        QVERIFY(completer != nullptr && completer->completionCount() > 0);
        QTRY_VERIFY(completer->popup()->isVisible());
        QTest::keyClick(completer->popup(), Qt::Key_Down);
        QTest::keyClick(completer->popup(), Qt::Key_Return);
        const auto chosen = [&] { return m_window->document().experiment().plan.regions; };
        QTRY_COMPARE(chosen().size(), std::size_t{1});
        const std::string first = chosen().front();
        QVERIFY2(first.find("us-east-1") != std::string::npos, first.c_str());
        regions->setFocus();
        regions->end(false);
        QTest::keyClicks(regions, QStringLiteral(", gcp/us-west"));
        QTRY_VERIFY(completer->popup()->isVisible());
        QTest::keyClick(completer->popup(), Qt::Key_Down);
        QTest::keyClick(completer->popup(), Qt::Key_Return);
        QTRY_COMPARE(chosen().size(), std::size_t{2});
        QCOMPARE(chosen().front(), first);
        QVERIFY(chosen().back().starts_with("gcp/us-west"));
    }

    // The layout that is chosen becomes the settings', and is let go again; each a step of undo.
    void aLayoutIsKeptAndLetGo()
    {
        Document& document = m_window->document();
        document.open(core::preset("llama-65b-pretraining")->experiment);
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        const auto training = [&] { return document.experiment().training; };
        auto* action = find<QPushButton>(*m_window, "layoutsAction");
        QVERIFY(action->isVisible() && !training().sharding && !training().tensorParallel);
        const std::string before = document.report().scaling.layouts.machine;
        action->setFocus();
        QTest::keyClick(action, Qt::Key_Space);
        const core::Layout kept = document.report().training.recommended.option->layout;
        QCOMPARE(training().tensorParallel, std::optional(kept.tensor));
        QCOMPARE(training().pipelineStages, std::optional(kept.stages));
        QCOMPARE(training().pipelineChunks, std::optional(kept.chunks));
        QCOMPARE(training().sharding, std::optional(kept.sharding));
        QCOMPARE(document.report().scaling.layouts.machine, before);
        QCOMPARE(action->text(), QStringLiteral("Let the layout be chosen"));
        QTest::keyClick(action, Qt::Key_Space);
        QVERIFY(!training().sharding && !training().tensorParallel && !training().pipelineChunks);
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(training().sharding, std::optional(kept.sharding));
    }

    // Environments and the split, by hand on the page Plan; each a step of undo.
    void aPlanIsMadeByHand()
    {
        QTest::keyClick(m_window.get(), Qt::Key_6, Qt::ControlModifier);
        Document& document = m_window->document();
        const auto environments = [&] { return document.experiment().plan.environments; };
        QTest::mouseClick(find<QPushButton>(*m_window, "environmentAdd"), Qt::LeftButton);
        QCOMPARE(environments().size(), std::size_t{1});
        const auto type = [&](const char* field, const char* text) {
            auto* edit = find<QLineEdit>(*m_window, field);
            edit->setFocus();
            edit->selectAll();
            QTest::keyClicks(edit, QLatin1String(text));
            QTest::keyClick(edit, Qt::Key_Return);
        };
        type("environmentMachine0", "aws/g4dn.xlarge");
        type("environmentCount0", "3");
        type("environmentHours0", "8");
        QCOMPARE(environments().front().offer, std::string("aws/g4dn.xlarge"));
        QCOMPARE(environments().front().count, 3);
        QCOMPARE(environments().front().hoursPerDay, 8.0);
        // What is refused leaves everything as it was, and the field says so.
        const int steps = document.undoStack().count();
        type("environmentHours0", "30");
        QCOMPARE(environments().front().hoursPerDay, 8.0);
        QCOMPARE(find<QLineEdit>(*m_window, "environmentHours0")->text(), QStringLiteral("8"));
        type("environmentCount0", "abc");
        QCOMPARE(document.undoStack().count(), steps);
        auto* cost = find<QLabel>(*m_window, "environmentCost0");
        QVERIFY2(cost->text().contains(QStringLiteral(" a month")), qPrintable(cost->text()));
        auto* bought = find<QComboBox>(*m_window, "environmentPurchase0");
        bought->setFocus();
        QTest::keyClick(bought, Qt::Key_End); // three years
        QCOMPARE(environments().front().offer, std::string("aws/g4dn.xlarge/reserved_3y"));
        auto* split = find<DataTable>(*m_window, "planSplit");
        split->model()->setData(split->model()->index(1, 1), QStringLiteral("30"), Qt::EditRole);
        QCOMPARE(document.experiment().plan.split->gcpPercent, 30.0);
        split->model()->setData(split->model()->index(1, 1), QStringLiteral("0"), Qt::EditRole);
        QVERIFY(!document.experiment().plan.split);
        QTest::mouseClick(find<QPushButton>(*m_window, "environmentRemove0"), Qt::LeftButton);
        QVERIFY(environments().empty());
        while (document.undoStack().canUndo())
            document.undoStack().undo();
        QVERIFY(document.experiment() == core::preset("text-generator")->experiment);
    }

    // A file is looked at, told whose it is, and taken; the offers are there at once, and undo isn't touched.
    void pricesAreImported()
    {
        qputenv("XDG_DATA_HOME", m_home.path().toUtf8());
        const QString file = m_home.filePath(QStringLiteral("nebius.csv"));
        QFile csv(file);
        QVERIFY(csv.open(QIODevice::WriteOnly));
        csv.write("InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region\n"
                  "gpu-h100-sxm_1gpu-16vcpu-200gb,H100,1,16,200,2.95,eu-north1\n"
                  "gpu-h100-sxm_8gpu-128vcpu-1600gb,H100,8,128,1600,,eu-north1\n");
        csv.close();
        find<QAction>(*m_window, "actionImport")->trigger();
        auto* dialog = find<ImportDialog>(*m_window, "importDialog");
        auto* take = find<QPushButton>(*dialog, "importMerge");
        dialog->look(file);
        auto* note = find<QLabel>(*dialog, "importFileNote");
        QTRY_VERIFY2(note->text().contains(QStringLiteral("say whose prices these are")),
                     qPrintable(note->text()));
        QVERIFY(!take->isEnabled());
        auto* whose = find<QLineEdit>(*dialog, "importProvider");
        whose->setFocus();
        QTest::keyClicks(whose, QStringLiteral("nebius"));
        QTest::keyClick(whose, Qt::Key_Return);
        QTRY_VERIFY(take->isEnabled());
        QVERIFY2(find<QLabel>(*dialog, "importSummary")
                     ->text()
                     .contains(QStringLiteral("1 of 2 rows can be used, 1 offers: 1 new")),
                 qPrintable(find<QLabel>(*dialog, "importSummary")->text()));
        auto* line = find<QLineEdit>(*dialog, "importLine");
        QVERIFY2(line->text().contains(QStringLiteral("v8/nebius/vms.csv")),
                 qPrintable(line->text()));
        const auto offers = [&] { return m_window->document().catalogs().book().rows().size(); };
        const std::size_t before = offers();
        QTest::mouseClick(take, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(offers(), before + 1, 10000);
        QCOMPARE(m_window->document().undoStack().count(), 0);
        qunsetenv("XDG_DATA_HOME");
    }

    // What hosted models cost comes in by the same dialog, beside the book.
    void pricesOfTokensAreImported()
    {
        qputenv("XDG_DATA_HOME", m_home.path().toUtf8());
        find<QAction>(*m_window, "actionImport")->trigger();
        auto* dialog = find<ImportDialog>(*m_window, "importDialog");
        auto* take = find<QPushButton>(*dialog, "importMerge");
        dialog->look(QStringLiteral(OUTLAY_TEST_DATA "/prices/genai_prices.json"));
        QTRY_VERIFY(take->isEnabled());
        const QString summary = find<QLabel>(*dialog, "importSummary")->text();
        QVERIFY2(
            summary.contains(QStringLiteral("3 of 7 rows can be used, 3 prices of tokens: 3 new")),
            qPrintable(summary));
        const auto groq = [&] {
            for (const pricing::TokenPrice& price :
                 m_window->document().catalogs().tokenPrices().all()) {
                if (price.provider == "groq" && price.model == "llama-3.1-8b-instant")
                    return price.input;
            }
            return 0.0;
        };
        QCOMPARE(groq(), 0.05);
        QTest::mouseClick(take, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(groq(), 0.06, 10000);
        qunsetenv("XDG_DATA_HOME");
    }
};

OUTLAY_TEST(TestWindowDialogs)
#include "tst_window_dialogs.moc"
