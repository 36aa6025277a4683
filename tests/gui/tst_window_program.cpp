// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A person's own program, measured in the real window: asked for by keys, shown while it runs, kept, taken back.
#include "core/launch/profile.h"
#include "core/probe/measurement.h"
#include "gui/session/launcher.h"
#include "gui/widgets/data_table.h"
#include "gui/widgets/message_bar.h"
#include "tests/gui/window_test.h"
#include "tests/support/engines.h"
#include "tests/support/run_program.h"
#include "tests/support/test_class.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>

#include <csignal>
#include <sys/wait.h>

using namespace outlay;
using namespace outlay::gui;
using outlay::tests::contentOf;
using outlay::tests::writeText;

namespace {

constexpr int LongEnough = 30'000; // ms, on a busy machine

/// As a person writes it: so many steps of so many seconds.
QString counting(int steps, const char* seconds, int status = 0)
{
    return QStringLiteral("sh '%1/tests/programs/counting.sh' %2 %3 %4")
        .arg(QStringLiteral(OUTLAY_SOURCE_DIR))
        .arg(steps)
        .arg(QLatin1String(seconds))
        .arg(status);
}

} // namespace

class TestWindowProgram : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_home.isValid());
        useHome(m_home);
        qputenv("OUTLAY_RUNNER", OUTLAY_PROGRAM);
    }

    void init()
    {
        m_window = makeWindow(m_home, *pricing::loadCatalogs("2026-11-20", core::thisMachine()));
        m_window->resize(1440, 900);
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_window->document().open(core::preset("mlp")->experiment);
    }
    void cleanup() { m_window.reset(); }

    // To its end: the measurement is the experiment's, the figures follow, and undo takes it back.
    void aProgramIsMeasured()
    {
        const core::Experiment& experiment = m_window->document().experiment();
        QVERIFY(!m_window->document().report().training.here.isAvailable());
        fill(counting(100, "0.03"));
        find<QComboBox>(*m_dialog, "programLength")->setCurrentIndex(2);
        QVERIFY(!find<QLineEdit>(*m_dialog, "programAmount")->isEnabled());
        QTest::keyClick(m_dialog, Qt::Key_Return);
        QVERIFY(m_window->isMeasuring());
        auto* phase = find<QLabel>(*m_window, "programPhase");
        QVERIFY(phase->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(phase->text().contains(QStringLiteral(" of 100 steps")),
                                 LongEnough);
        // The window goes on working meanwhile.
        QVERIFY(m_window->document().set("/serving/requests_per_day", core::Json(5)).has_value());
        auto* table = find<DataTable>(*m_window, "programTable");
        QVERIFY(table->isVisible() && table->model()->rowCount() >= 6);
        QVERIFY(find<QProgressBar>(*m_window, "programProgress")->value() > 0);
        QVERIFY(find<QLabel>(*m_window, "programOutput")->text().contains(m_home.path()));
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isMeasuring(), LongEnough);
        const core::MeasurementPtr measured = experiment.measurements.all().newest();
        QVERIFY(measured != nullptr && measured->program.has_value());
        QVERIFY(measured->program->isWhole);
        QCOMPARE(measured->program->doneSteps, 100.0);
        const core::Quantity& here = m_window->document().report().training.here;
        QCOMPARE(here.basis(), core::Basis::Measured);
        QVERIFY(here.value() > 3 && here.value() < 30);
        QVERIFY(find<DataTable>(*m_window, "probeTable")->isVisible());
        QVERIFY(!phase->isVisible());
        m_window->document().undoStack().undo();
        QVERIFY(experiment.measurements.isEmpty());
        QCOMPARE(experiment.serving.requestsPerDay, 5.0); // the edit before it stays
    }

    // Asked for again, what was written last stands there.
    void theCommandIsRemembered()
    {
        fill(counting(5, "0"));
        QTest::keyClick(m_dialog, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isMeasuring(), LongEnough);
        activate(*m_window);
        QTest::keyClick(m_window.get(), Qt::Key_M, Qt::ControlModifier);
        QCOMPARE(find<QLineEdit>(*m_window, "programCommand")->text(), counting(5, "0"));
        QCOMPARE(find<QLineEdit>(*m_window, "programFolder")->text(), m_home.path());
    }

    // Politely, and what was seen is kept.
    void itIsStoppedByAKey()
    {
        fill(counting(100'000, "0.02"));
        QTest::keyClick(m_dialog, Qt::Key_Return);
        auto* phase = find<QLabel>(*m_window, "programPhase");
        QTRY_VERIFY_WITH_TIMEOUT(phase->text().contains(QStringLiteral(" of 100,000 steps")),
                                 LongEnough);
        auto* output = find<QLabel>(*m_window, "programOutput");
        activate(*m_window);
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QVERIFY2(phase->text().startsWith(QStringLiteral("Ending it")), qPrintable(phase->text()));
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isMeasuring(), LongEnough);
        QVERIFY2(output->text().contains(QStringLiteral("step ")), qPrintable(output->text()));
        const core::MeasurementPtr kept = m_window->document().report().probe.training;
        QVERIFY(kept != nullptr && kept->program && !kept->program->isWhole);
        QVERIFY(kept->program->wholeS.value_or(0) > 1000);
        QVERIFY(!find<QWidget>(*m_window, "messageBar")->isVisible());
    }

    // Where machines are described, one of those that ssh reaches can be chosen; its folder isn't looked for here.
    void itRunsOnAnotherMachine()
    {
        const std::string folder = profileFolder();
        QVERIFY(core::saveProfile({.name = "lab", .kind = core::ProfileKind::Ssh, .address = "lab"},
                                  folder));
        QVERIFY(core::saveProfile(
            {.name = "queue", .kind = core::ProfileKind::Queue, .folder = "/shared"}, folder));
        const QString told = m_home.filePath(QStringLiteral("told"));
        const QString runner = m_home.filePath(QStringLiteral("runner"));
        writeText(runner, "#!/bin/sh\nprintf '%s\\n' \"$@\" > '" + told.toUtf8() +
                              "'\necho '{\"type\":\"failed\",\"what\":\"lab: it is asleep\"}'\n");
        QFile::setPermissions(runner, QFile::Permissions(0x7755));
        qputenv("OUTLAY_RUNNER", runner.toUtf8());
        fill(QStringLiteral("python3 train.py"));
        auto* host = find<QComboBox>(*m_dialog, "programHost");
        QCOMPARE(host->count(), 2); // this machine and the lab's, no queue
        host->setCurrentIndex(1);
        auto* in = find<QLineEdit>(*m_dialog, "programFolder");
        QVERIFY(in->text().isEmpty() &&
                !find<QPushButton>(*m_dialog, "programChoose")->isEnabled());
        in->setText(QStringLiteral("/data/runs"));
        QTest::keyClick(m_dialog, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isMeasuring(), LongEnough);
        qputenv("OUTLAY_RUNNER", OUTLAY_PROGRAM);
        QCOMPARE(find<QLabel>(*m_window, "messageText")->text().left(18),
                 QStringLiteral("lab: it is asleep."));
        const QList<QByteArray> words = contentOf(told).split('\n');
        QCOMPARE(words.mid(0, 8), (QList<QByteArray>{"run", "--live", "--seconds", "90", "--on",
                                                     "lab", "--in", "/data/runs"}));
        QCOMPARE(words.mid(9, 3), (QList<QByteArray>{"--", "python3", "train.py"}));
    }

    void whatFailsIsSaidInOneSentence_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("said");
        QTest::newRow("no such program")
            << QStringLiteral("/nowhere/nothing")
            << QStringLiteral("`/nowhere/nothing` can't be started (No such file or directory)");
        QTest::newRow("it fails at once")
            << QStringLiteral("sh -c 'exit 7'") << QStringLiteral("it failed with exit status 7");
        QTest::newRow("no steps") << QStringLiteral("true")
                                  << QStringLiteral("no step of it was seen");
    }
    void whatFailsIsSaidInOneSentence()
    {
        QFETCH(QString, command);
        QFETCH(QString, said);
        fill(command);
        QTest::keyClick(m_dialog, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isMeasuring(), LongEnough);
        auto* text = find<QLabel>(*m_window, "messageText");
        QVERIFY(text->isVisible());
        QVERIFY2(text->text().contains(said), qPrintable(text->text()));
        QCOMPARE(text->text().count(QLatin1Char('\n')), 0);
        QVERIFY(m_window->document().experiment().measurements.isEmpty());
    }

    // It failed after many steps: these are kept, and the failure is said.
    void aFailureAfterStepsIsBoth()
    {
        fill(counting(60, "0.01", 3));
        QTest::keyClick(m_dialog, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isMeasuring(), LongEnough);
        auto* text = find<QLabel>(*m_window, "messageText");
        QVERIFY2(text->text().contains(QStringLiteral("exit status 3")), qPrintable(text->text()));
        QCOMPARE(m_window->document().experiment().measurements.all().rows().size(),
                 std::size_t{1});
    }

    // Nothing is run before the fields make sense.
    void fieldsAreChecked()
    {
        fill(QStringLiteral("a | b"));
        auto* folder = find<QLineEdit>(*m_dialog, "programFolder");
        folder->setText(QStringLiteral("/nowhere"));
        find<QLineEdit>(*m_dialog, "programAmount")->setText(QStringLiteral("0"));
        find<QLineEdit>(*m_dialog, "programOf")->setText(QStringLiteral("2.5"));
        QTest::keyClick(m_dialog, Qt::Key_Return);
        QVERIFY(m_dialog->isVisible() && !m_window->isMeasuring());
        for (const char* note :
             {"programCommandNote", "programFolderNote", "programAmountNote", "programOfNote"})
            QVERIFY2(find<QLabel>(*m_dialog, note)->isVisible(), note);
        QVERIFY(find<QLabel>(*m_dialog, "programCommandNote")
                    ->text()
                    .contains(QStringLiteral("no shell reads the command")));
        QTest::keyClick(m_dialog, Qt::Key_Escape);
        QVERIFY(!m_dialog->isVisible() && !m_window->isMeasuring());
    }

    // Steps that the program doesn't say are given, and the button of the page asks, too.
    void stepsAreGiven()
    {
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        QTest::mouseClick(find<QPushButton>(*m_window, "measureProgramHere"), Qt::LeftButton);
        m_dialog = find<QDialog>(*m_window, "programDialog");
        find<QLineEdit>(*m_dialog, "programCommand")->setText(counting(100'000, "0.02"));
        find<QLineEdit>(*m_dialog, "programFolder")->setText(m_home.path());
        find<QComboBox>(*m_dialog, "programLength")->setCurrentIndex(1);
        QTest::keyClick(m_dialog, Qt::Key_Return);
        QVERIFY(m_dialog->isVisible()); // how many?
        find<QLineEdit>(*m_dialog, "programAmount")->setText(QStringLiteral("50"));
        find<QLineEdit>(*m_dialog, "programOf")->setText(QStringLiteral("500"));
        QTest::keyClick(m_dialog, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isMeasuring(), LongEnough);
        const core::MeasurementPtr kept = m_window->document().report().probe.training;
        QVERIFY(kept != nullptr && kept->program);
        QVERIFY(kept->program->doneSteps >= 50 && kept->program->doneSteps < 500);
        QCOMPARE(kept->program->ofSteps.value_or(0), 500.0);
    }

    void oneAtATime()
    {
        fill(counting(100'000, "0.02"));
        QTest::keyClick(m_dialog, Qt::Key_Return);
        QVERIFY(m_window->isMeasuring());
        auto* text = find<QLabel>(*m_window, "messageText");
        activate(*m_window);
        QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
        QVERIFY2(text->isVisible() && text->text().contains(QStringLiteral("stop it first")),
                 qPrintable(text->text()));
        QVERIFY(find<QLabel>(*m_window, "programPhase")->isVisible());
    }

    // It would be stored in the wrong experiment.
    void anotherExperimentEndsIt()
    {
        fill(counting(100'000, "0.02"));
        QTest::keyClick(m_dialog, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(
            find<QLabel>(*m_window, "programPhase")->text().contains(QStringLiteral(" steps")),
            LongEnough);
        m_window->document().open(core::preset("text-generator")->experiment);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isMeasuring(), LongEnough);
        QVERIFY(m_window->document().experiment().measurements.isEmpty());
        QVERIFY(find<QLabel>(*m_window, "messageText")
                    ->text()
                    .contains(QStringLiteral("another experiment is open")));
    }

    // Closing asks; then the program ends by itself, with nobody who waits for it.
    void closingEndsItPolitely()
    {
        const QString pid = m_home.filePath(QStringLiteral("pid"));
        const QString end = m_home.filePath(QStringLiteral("end"));
        fill(QStringLiteral("sh -c 'trap \"echo polite > end; exit 0\" INT; echo $$ > pid; "
                            "while :; do sleep 0.05; done'"));
        QTest::keyClick(m_dialog, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(pid), LongEnough);
        QVERIFY(!m_window->close());
        auto* box = find<QMessageBox>(*m_window, "measuringQuestion");
        QVERIFY(box->text().contains(QStringLiteral("as by Ctrl+C")));
        for (QAbstractButton* button : box->buttons()) {
            if (box->buttonRole(button) == QMessageBox::AcceptRole)
                button->click();
        }
        QTRY_VERIFY(!m_window->isVisible());
        m_window.reset();
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(end), LongEnough);
        QFile file(pid);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const int process = file.readAll().trimmed().toInt();
        QVERIFY(process > 0);
        QTRY_VERIFY_WITH_TIMEOUT(::kill(process, 0) != 0, LongEnough);
        // So does who watched it, and nothing of either is left.
        const auto hasChildren = [] {
            siginfo_t info{};
            return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
        };
        QTRY_VERIFY_WITH_TIMEOUT(!hasChildren(), LongEnough);
        QTest::qWait(100);
    }

private:
    /// Opens the dialog by its key and writes what to run.
    void fill(const QString& command)
    {
        QTest::keyClick(m_window.get(), Qt::Key_M, Qt::ControlModifier);
        m_dialog = find<QDialog>(*m_window, "programDialog");
        auto* line = find<QLineEdit>(*m_dialog, "programCommand");
        line->clear();
        QTest::keyClicks(line, command);
        auto* folder = find<QLineEdit>(*m_dialog, "programFolder");
        folder->clear();
        QTest::keyClicks(folder, m_home.path());
    }

    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;
    QDialog* m_dialog = nullptr;
};

OUTLAY_TEST(TestWindowProgram)
#include "tst_window_program.moc"
