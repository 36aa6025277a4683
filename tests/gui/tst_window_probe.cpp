// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The real window and the real worker: a small design is measured, and a measurement is cancelled.
#include "core/probe/measurement.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/data_table.h"
#include "gui/widgets/message_bar.h"
#include "tests/gui/window_test.h"
#include "tests/support/newcomer.h"
#include "tests/support/test_class.h"

#include <QAbstractButton>
#include <QLabel>
#include <QMessageBox>

using namespace outlay;
using namespace outlay::gui;

class TestWindowProbe : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_home.isValid());
        useHome(m_home);
        qputenv("OUTLAY_PROBE", OUTLAY_REAL_WORKER);
    }

    void init()
    {
        m_window = makeWindow(m_home, *pricing::loadCatalogs("2026-11-20", core::thisMachine()));
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        core::Experiment small = core::preset("mlp")->experiment;
        m_window->document().open(small);
        m_window->settings().set(setting::probeSeconds(), 1.0);
    }
    void cleanup() { m_window.reset(); }

    void aDesignIsMeasured()
    {
        const core::Experiment& experiment = m_window->document().experiment();
        QVERIFY(!m_window->document().report().training.here.isAvailable());
        QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(experiment.measurements.all().rows().size(), std::size_t{1},
                                  50000);
        const core::MeasurementPtr measured = experiment.measurements.all().newest();
        QVERIFY(core::isSameMachine(measured->machine, core::thisMachine()));
        QVERIFY(measured->worker.find("LibTorch") != std::string::npos);
        QVERIFY(measured->training.step.medianS > 0);
        // What was measured is at once what the figures say.
        const core::Quantity& here = m_window->document().report().training.here;
        QCOMPARE(here.basis(), core::Basis::Measured);
        QVERIFY(find<DataTable>(*m_window, "probeTable")->isVisible());
        QVERIFY(find<DataTable>(*m_window, "probeTable")->model()->rowCount() > 0);
        QVERIFY(measured->variants.empty()); // they take minutes, and are asked for
        // And undo takes it back.
        m_window->document().undoStack().undo();
        QVERIFY(!m_window->document().report().training.here.isAvailable());
    }

    /// The path that the README shows, in at most twelve clicks.
    void aNewcomerGetsToAPicture()
    {
        QVERIFY(QDir::setCurrent(m_home.path())); // where the dialog for files begins
        tests::Newcomer newcomer(*m_window);
        QVERIFY(newcomer.choose(QStringLiteral("family"), QStringLiteral("LSTM")));
        QVERIFY(newcomer.moveSlider(QStringLiteral("modelHiddenSlider"), 0.2));
        QVERIFY(newcomer.measure());
        const QString path = newcomer.exportPicture();
        QVERIFY(!path.isEmpty());
        QVERIFY(newcomer.clicks() <= 12);
        QTRY_VERIFY(!QImage(path).isNull());
        QCOMPARE(core::familyOf(m_window->document().experiment().model), "lstm");
        QVERIFY(m_window->document().experiment() != core::preset("text-generator")->experiment);
    }

    void aMeasurementIsCancelled()
    {
        constexpr double LongerThanTheTest = 600;
        m_window->settings().set(setting::probeSeconds(), LongerThanTheTest);
        QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
        auto* phase = find<QLabel>(*m_window, "probePhase");
        // "Training, 42 steps, ..."
        const auto steps = [&] {
            return phase->text()
                .section(QStringLiteral(", "), 1, 1)
                .section(u' ', 0, 0)
                .remove(u',')
                .toInt();
        };
        QTRY_VERIFY_WITH_TIMEOUT(steps() > 40, 50000);
        // The window goes on working meanwhile, and the first Escape closes a message.
        QVERIFY(m_window->document().set("/training/epochs", core::Json(3)).has_value());
        m_window->show({.text = QStringLiteral("A message.")});
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QVERIFY(!find<QWidget>(*m_window, "messageBar")->isVisible());
        QVERIFY(m_window->isMeasuring());
        QVERIFY(phase->text() != QStringLiteral("Stopping…"));
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QCOMPARE(phase->text(), QStringLiteral("Stopping…"));
        auto* text = find<QLabel>(*m_window, "messageText");
        QTRY_VERIFY_WITH_TIMEOUT(text->text().contains(QStringLiteral("cancelled")), 20000);
        // So many steps say something: they are kept, marked, and can be undone.
        const core::MeasurementPtr kept = m_window->document().report().probe.training;
        QVERIFY(kept != nullptr);
        QCOMPARE(kept->cancelledIn, "training");
        QVERIFY(kept->training.step.count > 30);
        QVERIFY(!find<QAbstractButton>(*m_window, "cancelProbe")->isVisible());
        m_window->document().undoStack().undo();
        QVERIFY(m_window->document().experiment().measurements.isEmpty());
    }

    // It would be stored in the wrong experiment.
    void anotherExperimentEndsTheMeasurement()
    {
        constexpr double LongerThanTheTest = 600;
        m_window->settings().set(setting::probeSeconds(), LongerThanTheTest);
        QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(
            find<QLabel>(*m_window, "probePhase")->text().contains(QStringLiteral("steps")), 50000);
        m_window->document().open(core::preset("text-generator")->experiment);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isMeasuring(), 20000);
        QVERIFY(m_window->document().experiment().measurements.isEmpty());
    }

    void closingAsksWhileItMeasures()
    {
        constexpr double LongerThanTheTest = 600;
        m_window->settings().set(setting::probeSeconds(), LongerThanTheTest);
        QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
        QTRY_VERIFY(m_window->isMeasuring());
        QVERIFY(!m_window->close());
        auto* box = m_window->findChild<QMessageBox*>(QStringLiteral("measuringQuestion"));
        QVERIFY(box != nullptr && box->isVisible());
        QTest::keyClick(box, Qt::Key_Escape); // goes on
        QTRY_VERIFY(m_window->findChild<QMessageBox*>(QStringLiteral("measuringQuestion")) ==
                    nullptr);
        QVERIFY(m_window->isVisible() && m_window->isMeasuring());
        QVERIFY(!m_window->close());
        box = m_window->findChild<QMessageBox*>(QStringLiteral("measuringQuestion"));
        QVERIFY(box != nullptr);
        for (QAbstractButton* button : box->buttons()) {
            if (box->buttonRole(button) == QMessageBox::AcceptRole)
                button->click();
        }
        QTRY_VERIFY(!m_window->isVisible());
    }

private:
    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;
};

OUTLAY_TEST(TestWindowProbe)
#include "tst_window_probe.moc"
