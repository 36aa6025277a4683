// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The track record in the real window: what a run took is attached, a folder is read, a factor taken and taken back.
#include "gui/widgets/chart.h"
#include "gui/widgets/data_table.h"
#include "gui/window/program_commands.h"
#include "pricing/actual/track.h"
#include "tests/gui/window_test.h"
#include "tests/support/test_class.h"

#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

using namespace outlay;
using namespace outlay::gui;

namespace {

/// An experiment whose run took so much of the hour that was forecast.
void writeExperiment(const QString& path, double share, int day)
{
    core::Experiment e = core::preset("mlp")->experiment;
    e.name = "Run " + std::to_string(day);
    e.actuals.append(pricing::toJson({.kind = "CodeCarbon",
                                      .file = "emissions.csv",
                                      .sha256 = std::to_string(day),
                                      .attached = "2026-11-20T10:00:00Z",
                                      .began = "2026-10-" + std::to_string(10 + day),
                                      .seconds = 3600 * share,
                                      .seconds80 = pricing::Foretold{3600, 3000, 4800}}));
    if (!core::saveExperiment(e, path.toStdString()))
        qFatal("an experiment can't be written");
}

} // namespace

class TestWindowTrack : public WindowTest {
    Q_OBJECT
private Q_SLOTS:
    void anEmptyPageSaysWhatToDo()
    {
        showPage();
        QVERIFY(find<QLabel>(*m_window, "trackEmpty")
                    ->text()
                    .startsWith(QStringLiteral("Choose the folder")));
        QVERIFY(!find<QWidget>(*m_window, "trackRuns")->isVisible());
        const QTemporaryDir folder;
        QVERIFY(core::saveExperiment(core::preset("mlp")->experiment,
                                     folder.filePath(QStringLiteral("a.json")).toStdString())
                    .has_value());
        choose(folder.path());
        QTRY_VERIFY(find<QLabel>(*m_window, "trackEmpty")
                        ->text()
                        .contains(QStringLiteral("`outlay actual FILE --from PATH`")));
    }

    void aFactorIsTakenAndTakenBack()
    {
        const QTemporaryDir folder;
        for (int day = 0; day < 6; ++day)
            writeExperiment(folder.filePath(QStringLiteral("%1.json").arg(day)), 1.2 + 0.05 * day,
                            day);
        // A copy is no further run, and what is no experiment is left out.
        QVERIFY(QFile::copy(folder.filePath(QStringLiteral("0.json")),
                            folder.filePath(QStringLiteral("copy.json"))));
        QFile other(folder.filePath(QStringLiteral("other.json")));
        QVERIFY(other.open(QIODevice::WriteOnly) && other.write("[1, 2]") > 0);
        other.close();
        showPage();
        choose(folder.path());
        auto* runs = find<DataTable>(*m_window, "trackRuns");
        QTRY_COMPARE(runs->model()->rowCount(), 6);
        QVERIFY(runs->isVisible() && find<QWidget>(*m_window, "trackChart")->isVisible());
        const auto before = m_window->document().experiment();
        const auto usd = [this] {
            return m_window->document().report().training.recommended.option->usd.value();
        };
        const double plainUsd = usd();
        auto* button = find<QPushButton>(*m_window, "trackOffer0Button");
        QVERIFY(button->isVisible());
        QVERIFY(before.assumptions.find("own_factor") == nullptr); // never by itself
        button->setFocus();
        QTest::keyClick(button, Qt::Key_Space);
        QVERIFY(pricing::ownFactorOf(m_window->document().experiment(), pricing::RunPlace::Planned)
                    .has_value());
        QVERIFY(usd() > plainUsd);
        QCOMPARE(button->text(), QStringLiteral("Take it back"));
        QTest::keyClick(button, Qt::Key_Space);
        QVERIFY(core::toJson(m_window->document().experiment()) == core::toJson(before));
        QCOMPARE(usd(), plainUsd);
        m_window->document().undoStack().undo();
        QCOMPARE(button->text(), QStringLiteral("Take it back"));
    }

    // The folder is remembered, and read when the page is seen.
    void theFolderIsRemembered()
    {
        const QTemporaryDir folder;
        writeExperiment(folder.filePath(QStringLiteral("a.json")), 1.1, 1);
        showPage();
        choose(folder.path());
        QTRY_COMPARE(find<DataTable>(*m_window, "trackRuns")->model()->rowCount(), 1);
        m_window.reset();
        m_window = makeWindow(m_home);
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        showPage();
        QTRY_COMPARE(find<DataTable>(*m_window, "trackRuns")->model()->rowCount(), 1);
        m_window->settings().set(setting::trackFolder(), QString());
    }

    // By keys: a tracker's file becomes part of the experiment, once, as one step of undo.
    void whatItTookIsAttached()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("trainer_state.json"));
        const QString nothing = folder.filePath(QStringLiteral("nothing.txt"));
        write(file, R"({"global_step": 10, "max_steps": 10, "log_history":
            [{"step": 10, "train_runtime": 1234.5}]})");
        write(nothing, "hello");
        auto* dialog = ask(nothing);
        auto* note = find<QLabel>(*dialog, "attachFileNote");
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_VERIFY2(note->text().contains(QStringLiteral("can be read")),
                     qPrintable(note->text()));
        QVERIFY(dialog->isVisible());
        find<QLineEdit>(*dialog, "attachFile")->setText(file);
        QTest::keyClick(dialog, Qt::Key_Return);
        const auto actuals = [this] {
            return pricing::actualsOf(m_window->document().experiment().actuals);
        };
        QTRY_COMPARE(actuals().size(), std::size_t{1});
        QCOMPARE(actuals().front().seconds.value_or(0), 1234.5);
        QVERIFY(actuals().front().seconds80.has_value()); // what is forecast today
        QVERIFY(find<QLabel>(*m_window, "messageText")->isVisible());
        activate(*m_window);
        dialog = ask(file);
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_VERIFY(find<QLabel>(*dialog, "attachFileNote")
                        ->text()
                        .contains(QStringLiteral("attached to it already")));
        QTest::keyClick(dialog, Qt::Key_Escape);
        m_window->document().undoStack().undo();
        QVERIFY(actuals().empty());
    }

private:
    void showPage() { QTest::keyClick(m_window.get(), Qt::Key_9, Qt::ControlModifier); }

    void choose(const QString& folder)
    {
        find<QPushButton>(*m_window, "trackChoose")->click();
        auto* dialog = find<QFileDialog>(*m_window, "trackFolderDialog");
        Q_EMIT dialog->fileSelected(folder);
        dialog->close();
        delete dialog;
    }

    QDialog* ask(const QString& file)
    {
        QTest::keyClick(m_window.get(), Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
        auto* dialog = m_window->findChildren<QDialog*>(QStringLiteral("attachDialog")).last();
        find<QLineEdit>(*dialog, "attachFile")->setText(file);
        return dialog;
    }

    static void write(const QString& path, const char* text)
    {
        QFile out(path);
        if (!out.open(QIODevice::WriteOnly) || out.write(text) <= 0)
            qFatal("a file can't be written");
    }
};

OUTLAY_TEST(TestWindowTrack)
#include "tst_window_track.moc"
