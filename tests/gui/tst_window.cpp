// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The real window, driven by keys: designs, undo, baseline, files, probe.
#include "core/experiment/mixes.h"
#include "core/probe/measurement.h"
#include "gui/view/tiles_view.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/data_table.h"
#include "gui/widgets/figure_label.h"
#include "tests/gui/window_test.h"
#include "tests/support/catalogs.h"
#include "tests/support/test_class.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QSignalSpy>
#include <QSlider>

using namespace outlay;
using namespace outlay::gui;

namespace {

QString tileText(const MainWindow& window, int index)
{
    return find<FigureLabel>(window, QStringLiteral("tile%1").arg(index))->view().value;
}

} // namespace

class TestWindow : public WindowTest {
    Q_OBJECT
private Q_SLOTS:
    void aPresetIsChosenByKeys()
    {
        auto* box = find<QComboBox>(*m_window, "preset");
        box->setFocus();
        const QString before = tileText(*m_window, 0);
        QTest::keyClick(box, Qt::Key_Down);
        QVERIFY(tileText(*m_window, 0) != before);
        QCOMPARE(m_window->document().experiment().model,
                 core::preset("frequency-lstm")->experiment.model);
        compareWithReport(*m_window);
    }

    // Each key is one step of undo, and going back leads to the start exactly.
    void slidersFollowKeysAndUndo()
    {
        const DocumentState start = m_window->document().state();
        const QPixmap pictureBefore = m_window->grab();
        for (const char* name : {"modelHiddenSlider", "trainingBatchSlider", "modelLayersSlider"}) {
            auto* slider = find<QSlider>(*m_window, name);
            slider->setFocus();
            QTest::keyClick(slider, Qt::Key_Right);
            QTest::keyClick(slider, Qt::Key_Up);
            QTest::keyClick(slider, Qt::Key_Left);
            compareWithReport(*m_window);
        }
        QCOMPARE(m_window->document().experiment().training.batch, 192);
        QCOMPARE(find<QLineEdit>(*m_window, "trainingBatch")->text(), QStringLiteral("192"));
        QCOMPARE(m_window->document().undoStack().count(), 9);
        for (int i = 0; i < 9; ++i)
            QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_window->document().state(), start);
        QVERIFY(!m_window->isWindowModified());
        compareWithReport(*m_window);
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!(m_window->document().state() == start));
    }

    // What is entered is the document's, and its keys are the window's; what is being typed is the field's.
    void keysInAField()
    {
        auto* field = find<QLineEdit>(*m_window, "trainingBatch");
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("77"));
        QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(field->text(), QStringLiteral("128"));
        QCOMPARE(m_window->document().undoStack().count(), 0);
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("77"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(m_window->document().experiment().training.batch, 77);
        QVERIFY(field->hasFocus());
        QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_window->document().experiment().training.batch, 128);
        QCOMPARE(field->text(), QStringLiteral("128"));
        QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(m_window->document().experiment().training.batch, 77);
        QTest::keyClick(field, Qt::Key_E, Qt::ControlModifier);
        QVERIFY(find<QWidget>(*m_window, "pictureDialog")->isVisible());
    }

    // A field that isn't filled in says what is taken in its place.
    void emptyFieldsSayWhatIsTaken()
    {
        m_window->document().open(core::preset("gpt2")->experiment);
        QTest::qWait(1); // what is replaced goes
        for (const char* pointer : {"/training/samples", "/training/tokens"})
            QVERIFY(m_window->document().set(pointer, core::Json()).has_value());
        QVERIFY(!m_window->document().experiment().training.tokens);
        QCOMPARE(find<QLineEdit>(*m_window, "trainingSamples")->placeholderText(),
                 QStringLiteral("10,000"));
        QCOMPARE(find<QLineEdit>(*m_window, "planBudgetUsd")->placeholderText(),
                 QStringLiteral("no limit"));
        QCOMPARE(find<QLineEdit>(*m_window, "modelKvHeads")->placeholderText(),
                 QStringLiteral("12"));
        for (const QLineEdit* field : m_window->findChildren<QLineEdit*>())
            QVERIFY2(field->placeholderText() != QLatin1String("default"),
                     qPrintable(field->objectName()));
    }

    void aWrongNumberIsToldInPlace()
    {
        auto* edit = find<QLineEdit>(*m_window, "trainingBatch");
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, QStringLiteral("many"));
        QTest::keyClick(edit, Qt::Key_Return);
        const auto* problem = find<QLabel>(*m_window, "trainingBatchProblem");
        QVERIFY(problem->isVisible());
        QVERIFY(problem->text().contains(QStringLiteral("whole number from 1 to")));
        QCOMPARE(m_window->document().experiment().training.batch, 128);
        // It goes as soon as the design is another one.
        QVERIFY(m_window->document().set("/training/epochs", core::Json(7)).has_value());
        QVERIFY(!problem->isVisible());
        QCOMPARE(edit->text(), QStringLiteral("128"));
        edit->selectAll();
        QTest::keyClicks(edit, QStringLiteral("1k"));
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(!problem->isVisible());
        QCOMPARE(m_window->document().experiment().training.batch, 1000);
        QCOMPARE(edit->text(), QStringLiteral("1,000"));
    }

    // What is told moves nothing, and is whole at any width.
    void aMessageLiesOverThePage()
    {
        const auto* tiles = find<QWidget>(*m_window, "tiles");
        const QPoint before = tiles->mapTo(m_window.get(), QPoint());
        const QString words = QStringLiteral("The file can't be read; ").repeated(20);
        m_window->show({.kind = BarMessage::Kind::Error, .text = words});
        const auto* bar = find<QWidget>(*m_window, "messageBar");
        const auto* text = find<QLabel>(*m_window, "messageText");
        for (const int width : {1440, 1024}) {
            m_window->resize(width, 900);
            QTRY_COMPARE(bar->width(), find<QWidget>(*m_window, "topBar")->width());
            QTRY_VERIFY(text->height() >= text->heightForWidth(text->width()));
            QCOMPARE(tiles->mapTo(m_window.get(), QPoint()), before);
        }
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QVERIFY(!bar->isVisible());
    }

    void anotherFamilyHasAnotherForm()
    {
        auto* box = find<QComboBox>(*m_window, "family");
        box->setFocus();
        box->setCurrentIndex(box->findData(QStringLiteral("transformer")));
        Q_EMIT box->activated(box->currentIndex());
        QVERIFY(m_window->findChild<QSlider*>(QStringLiteral("modelHeadsSlider")) != nullptr);
        compareWithReport(*m_window);
        m_window->document().undoStack().undo();
        QCOMPARE(box->currentData().toString(), QStringLiteral("lstm"));
        compareWithReport(*m_window);
    }

    // Requests as somebody counted them: one choice, one step of undo; a length of one's own is no mix.
    void requestsAreChosenByKeys()
    {
        const auto open = [this](const char* name) { // and another form than the one before
            m_window->document().replace(core::preset(name)->experiment, {});
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        };
        open("llama-3.1-8b");
        const core::Experiment before = m_window->document().experiment();
        auto* box = find<QComboBox>(*m_window, "mix");
        QTRY_VERIFY(box->isVisibleTo(m_window.get())); // a form appears a moment later
        QCOMPARE(box->currentIndex(), 0);
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Down);
        QCOMPARE(m_window->document().experiment(), *core::withMix(before, "chat"));
        QCOMPARE(box->currentData().toString(), QStringLiteral("chat"));
        compareWithReport(*m_window);
        QVERIFY(m_window->document().set("/serving/output_tokens", core::Json(7)).has_value());
        QCOMPARE(box->currentIndex(), 0);
        m_window->document().undoStack().undo();
        m_window->document().undoStack().undo();
        QCOMPARE(m_window->document().experiment(), before);
        open("bert-base");
        QCoreApplication::processEvents();
        QVERIFY(!find<QComboBox>(*m_window, "mix")->isVisibleTo(m_window.get()));
    }

    void aBaselineIsPinned()
    {
        QTest::keyClick(m_window.get(), Qt::Key_B, Qt::ControlModifier);
        QVERIFY(m_window->document().baseline() != nullptr);
        auto* tile = find<FigureLabel>(*m_window, "tile0");
        QCOMPARE(tile->view().difference, QStringLiteral("as the baseline"));
        QVERIFY(m_window->document().set("/model/hidden", core::Json(2048)).has_value());
        QVERIFY(tile->view().difference.startsWith(QStringLiteral("▲")));
        compareWithReport(*m_window);
        QTest::keyClick(m_window.get(), Qt::Key_B, Qt::ControlModifier);
        QVERIFY(tile->view().difference.isEmpty());
        m_window->document().undoStack().undo();
        QVERIFY(!tile->view().difference.isEmpty());
    }

    void figuresExplainThemselves()
    {
        auto* tile = find<FigureLabel>(*m_window, "tile0");
        tile->setFocus();
        QTest::keyClick(tile, Qt::Key_Return);
        auto* card = tile->findChild<QWidget*>(QStringLiteral("explanation"));
        QVERIFY(card != nullptr && card->isVisible());
        QString all;
        for (const QLabel* label : card->findChildren<QLabel*>())
            all += label->text() + QLatin1Char('\n');
        QVERIFY(all.contains(QStringLiteral("sum over 6 layers")));
        QVERIFY(all.contains(QStringLiteral("exact: follows from the design")));
        QTest::keyClick(tile, Qt::Key_Escape);
        QTRY_VERIFY(tile->findChild<QWidget*>(QStringLiteral("explanation")) == nullptr);
    }

    void pagesFollowTheDesign()
    {
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        auto* table = find<DataTable>(*m_window, "layersTable");
        QVERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), 6);
        QVERIFY(m_window->document().set("/model/layers", core::Json(3)).has_value());
        QCOMPARE(table->model()->rowCount(), 8);
        QTest::keyClicks(find<QLineEdit>(*m_window, "layersFilter"), QStringLiteral("lstm"));
        QCOMPARE(table->model()->rowCount(), 3);
        QTest::keyClick(m_window.get(), Qt::Key_8, Qt::ControlModifier);
        auto* assumptions = find<DataTable>(*m_window, "assumptionsTable");
        const int before = assumptions->model()->rowCount();
        const QModelIndex first = assumptions->model()->index(0, 1);
        assumptions->model()->setData(first, QStringLiteral("4"), Qt::EditRole);
        QCOMPARE(assumptions->model()->rowCount(), before - 1);
        QCOMPARE(m_window->document().experiment().training.accumulation, 4);
    }

    void tablesAreModels()
    {
        TableModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        TableData data;
        data.columns = {{QStringLiteral("a"), false}, {QStringLiteral("b"), true}};
        for (int i = 0; i < 5; ++i) {
            data.rows.push_back({{QString::number(i)}, {QString::number(-i), -i * 1.0}});
            model.setTable(data);
        }
        data.rows[2][1] = {QStringLiteral("x"), 7.0};
        model.setTable(data);
        QCOMPARE(model.data(model.index(2, 1), TableModel::OrderRole).toDouble(), 7.0);
        QVERIFY(!model.flags(model.index(0, 1)).testFlag(Qt::ItemIsEditable));
        model.setTable({});
        QCOMPARE(model.rowCount(), 0);
    }

    void chartsBecomeTables()
    {
        m_window->setPage(1);
        auto* chart = find<Chart>(*m_window, "memoryChart");
        chart->setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_T, Qt::ControlModifier);
        auto* table = find<DataTable>(*m_window, "memoryChartTable");
        QVERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), 4);
        QVERIFY(table->hasFocus());
        QTest::keyClick(m_window.get(), Qt::Key_T, Qt::ControlModifier);
        QVERIFY(!table->isVisible());
    }

    void filesAreSavedOpenedAndAskedAbout()
    {
        const QString path = m_home.filePath(QStringLiteral("a.json"));
        QVERIFY(m_window->document().set("/training/batch", core::Json(64)).has_value());
        QVERIFY(m_window->isWindowModified());
        QVERIFY(m_window->files().saveAs(path).has_value());
        QVERIFY(!m_window->isWindowModified());
        QCOMPARE(core::loadExperiment(path.toStdString())->experiment.training.batch, 64);
        QVERIFY(m_window->document().set("/training/batch", core::Json(32)).has_value());
        // Unsaved work is asked about, and Cancel keeps it.
        QVERIFY(!m_window->close());
        auto* question = find<QMessageBox>(*m_window, "unsavedQuestion");
        question->button(QMessageBox::Cancel)->click();
        QCOMPARE(m_window->document().experiment().training.batch, 32);
        QTest::keyClick(m_window.get(), Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(core::loadExperiment(path.toStdString())->experiment.training.batch, 32);
        QVERIFY(m_window->close());
    }

    void abrokenFileIsToldAndTheOthersOpen()
    {
        const QString broken = m_home.filePath(QStringLiteral("broken.json"));
        QFile file(broken);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"format\": \"outlay-experiment\", \"version\": 1, \"model\": {}}");
        file.close();
        const QString path = m_home.filePath(QStringLiteral("a.json"));
        QVERIFY(core::saveExperiment(core::preset("gru")->experiment, path.toStdString()));
        m_window->commands().openAll({path, broken});
        auto* text = find<QLabel>(*m_window, "messageText");
        QVERIFY(text->isVisible());
        QVERIFY(text->text().contains(QStringLiteral("broken.json, /model/family")));
        QVERIFY(!text->text().startsWith(QStringLiteral("Broken"))); // a name is no first word
        QCOMPARE(core::familyOf(m_window->document().experiment().model), std::string_view("gru"));
        QCOMPARE(m_window->settings().value(setting::recent()).first(), path);
    }

    void aChangeOnDiskIsNoticed()
    {
        const QString path = m_home.filePath(QStringLiteral("a.json"));
        QVERIFY(m_window->files().saveAs(path).has_value());
        QSignalSpy noticed(&m_window->files(), &FileSession::changedOnDisk);
        QVERIFY(core::saveExperiment(core::preset("gru")->experiment, path.toStdString()));
        QTRY_COMPARE_WITH_TIMEOUT(noticed.size(), 1, 10000);
        auto* again = find<QAbstractButton>(*m_window, "messageAction");
        again->click();
        QCOMPARE(core::familyOf(m_window->document().experiment().model), std::string_view("gru"));
    }

    void lostWorkIsFound()
    {
        const QString folder = m_home.filePath(QStringLiteral("lost"));
        core::Experiment experiment = core::preset("gru")->experiment;
        experiment.name = "lost";
        {
            Recovery running(folder);
            QVERIFY(running.keep(experiment).has_value());
            // Its program still runs: nothing is lost.
            QVERIFY(!Recovery(folder).findLostWork());
        }
        QVERIFY(!Recovery(folder).findLostWork()); // ended well
        QVERIFY(core::saveExperiment(experiment, folder.toStdString() + "/crashed.json"));
        const auto lost = Recovery(folder).findLostWork();
        QVERIFY(lost.has_value());
        QCOMPARE(lost->experiment.name, std::string("lost"));
        m_window->files().restore(*lost);
        QVERIFY(m_window->isWindowModified());
        QVERIFY(!Recovery(folder).findLostWork());
    }

    void aProbeBecomesAMeasurement()
    {
        qputenv("OUTLAY_FAKE_PROBE", "done");
        QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
        const auto& stored = m_window->document().experiment().measurements;
        QTRY_COMPARE_WITH_TIMEOUT(stored.all().rows().size(), std::size_t{1}, 10000);
        QVERIFY(find<DataTable>(*m_window, "probeTable")->isVisible());
        m_window->document().undoStack().undo();
        QVERIFY(m_window->document().experiment().measurements.isEmpty());
    }

    void aProbeIsCancelled()
    {
        qputenv("OUTLAY_FAKE_PROBE", "waits");
        QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
        auto* cancel = find<QAbstractButton>(*m_window, "cancelProbe");
        auto* phase = find<QLabel>(*m_window, "probePhase");
        QTRY_VERIFY_WITH_TIMEOUT(phase->text().startsWith(QStringLiteral("Training, 3 steps")),
                                 10000);
        // The window goes on working meanwhile.
        QVERIFY(m_window->document().set("/training/batch", core::Json(64)).has_value());
        compareWithReport(*m_window);
        cancel->click();
        auto* text = find<QLabel>(*m_window, "messageText");
        QTRY_VERIFY_WITH_TIMEOUT(text->text().contains(QStringLiteral("cancelled")), 10000);
        QVERIFY(m_window->document().experiment().measurements.isEmpty());
    }

    void aDeadWorkerIsAMessage()
    {
        qputenv("OUTLAY_FAKE_PROBE", "exit");
        QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        auto* text = find<QLabel>(*m_window, "messageText");
        QTRY_VERIFY_WITH_TIMEOUT(text->text().contains(QStringLiteral("without a result")), 10000);
        QVERIFY(text->text().at(0).isUpper());
        QVERIFY(find<QAbstractButton>(*m_window, "messageDetails")->isVisible());
        qputenv("OUTLAY_FAKE_PROBE", "done");
        m_window->setPage(0);
        auto* again = find<QAbstractButton>(*m_window, "messageAction");
        again->click(); // with variants again, and where it is seen
        QVERIFY(find<QWidget>(*m_window, "probePage")->isVisible());
        const auto& stored = m_window->document().experiment().measurements;
        QTRY_COMPARE_WITH_TIMEOUT(stored.all().rows().size(), std::size_t{1}, 10000);
        QCOMPARE(stored.all().newest()->variants.size(), std::size_t{1});
    }
};

OUTLAY_TEST(TestWindow)
#include "tst_window.moc"
