// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a person relies on around files: recent ones, dropping, copies, the question before work is lost,
// changes on disk, and what a crash leaves.
#include "gui/session/price_book_file.h"
#include "gui/view/format.h"
#include "tests/gui/window_test.h"
#include "tests/support/test_class.h"

#include <QAbstractButton>
#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QSignalSpy>

using namespace outlay;
using namespace outlay::gui;

class TestWindowFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_home = makeHome();
        m_window = makeWindow(*m_home);
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() { m_window.reset(); }

    void recentFilesAreListedAndOpened()
    {
        const QString lstm = store("a.json", "frequency-lstm");
        const QString gru = store("b.json", "gru");
        m_window->commands().openAll({lstm});
        m_window->commands().openAll({gru});
        m_window->commands().openAll({lstm});
        QCOMPARE(recent(), QStringList({lstm, gru})); // each once, the newest first
        recentMenu()->actions().at(1)->trigger();
        QCOMPARE(family(), std::string("gru"));
        QCOMPARE(recent(), QStringList({gru, lstm}));
    }

    void atMostTenAreRemembered()
    {
        for (int i = 0; i < 12; ++i)
            m_window->settings().addRecent(QStringLiteral("/f%1.json").arg(i));
        QCOMPARE(recent().size(), 10);
        QCOMPARE(recent().first(), QStringLiteral("/f11.json"));
        QCOMPARE(recent().last(), QStringLiteral("/f2.json"));
    }

    // A recent file that is gone is told, and leaves the list.
    void aRecentFileThatIsGone()
    {
        const QString path = store("a.json", "gru");
        m_window->commands().openAll({path});
        const core::Experiment before = m_window->document().experiment();
        QVERIFY(QFile::remove(path));
        QCOMPARE(recent(), QStringList(path));
        recentMenu()->actions().first()->trigger();
        QVERIFY2(message().contains(QStringLiteral("a.json")), qPrintable(message()));
        QVERIFY(recent().isEmpty());
        QVERIFY(!recentMenu()->isEnabled());
        QCOMPARE(m_window->document().experiment(), before);
    }

    void filesAreDropped()
    {
        const QString gru = store("b.json", "gru");
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(gru)});
        QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, &data, Qt::LeftButton,
                              Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &drop);
        QCOMPARE(family(), std::string("gru"));
        QCOMPARE(m_window->files().path(), gru);
        QMimeData text;
        text.setText(QStringLiteral("no file"));
        QDragEnterEvent other(QPoint(400, 300), Qt::CopyAction, &text, Qt::LeftButton,
                              Qt::NoModifier);
        other.setAccepted(false);
        QApplication::sendEvent(m_window.get(), &other);
        QVERIFY(!other.isAccepted());
    }

    void aDuplicateHasNoFileYet()
    {
        const QString path = store("a.json", "gru");
        m_window->commands().openAll({path});
        const core::Experiment original = m_window->document().experiment();
        QTest::keyClick(m_window.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        core::Experiment copy = m_window->document().experiment();
        QCOMPARE(copy.name, original.name + " (copy)");
        QVERIFY(m_window->files().path().isEmpty());
        QVERIFY(m_window->isWindowModified());
        QVERIFY(!m_window->document().undoStack().canUndo());
        copy.name = original.name;
        QCOMPARE(copy.model, original.model);
        QCOMPARE(copy.training, original.training);
        // Work on the copy leaves the original alone, and Save asks for a name.
        QVERIFY(m_window->document().set("/training/batch", core::Json(7)).has_value());
        QTest::keyClick(m_window.get(), Qt::Key_S, Qt::ControlModifier);
        QVERIFY(find<QFileDialog>(*m_window, "saveDialog")->isVisible());
        QCOMPARE(core::loadExperiment(path.toStdString())->experiment.training, original.training);
    }

    void unsavedChangesOfTheOriginalAreAskedAbout()
    {
        const QString path = store("a.json", "gru");
        m_window->commands().openAll({path});
        QVERIFY(m_window->document().set("/training/batch", core::Json(7)).has_value());
        QTest::keyClick(m_window.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(m_window->files().path(), path); // not before the answer
        answer(QMessageBox::Save);
        QVERIFY(m_window->files().path().isEmpty());
        QCOMPARE(m_window->document().experiment().training.batch, 7);
        QCOMPARE(core::loadExperiment(path.toStdString())->experiment.training.batch, 7);
    }

    void unsavedWorkIsAskedAbout_data()
    {
        QTest::addColumn<int>("button");
        QTest::addColumn<std::string>("family");
        QTest::addColumn<int>("onDisk");
        QTest::newRow("save") << int{QMessageBox::Save} << std::string("gru") << 7;
        QTest::newRow("discard") << int{QMessageBox::Discard} << std::string("gru") << 0;
        QTest::newRow("cancel") << int{QMessageBox::Cancel} << std::string("lstm") << 0;
    }
    void unsavedWorkIsAskedAbout()
    {
        QFETCH(int, button);
        QFETCH(int, onDisk);
        const QString path = store("a.json", "frequency-lstm");
        const QString gru = store("b.json", "gru");
        m_window->commands().openAll({path});
        const auto before = m_window->document().experiment().training.batch;
        QVERIFY(m_window->document().set("/training/batch", core::Json(7)).has_value());
        m_window->commands().openAll({gru});
        QCOMPARE(family(), std::string("lstm"));
        answer(static_cast<QMessageBox::StandardButton>(button));
        QTEST(family(), "family");
        QCOMPARE(core::loadExperiment(path.toStdString())->experiment.training.batch,
                 onDisk == 0 ? before : onDisk);
    }

    // Work without a file: Save asks where, and what was wanted goes on after that.
    void savingElsewhereGoesOn()
    {
        const QString gru = store("b.json", "gru");
        QVERIFY(m_window->document().set("/training/batch", core::Json(7)).has_value());
        m_window->commands().openAll({gru});
        answer(QMessageBox::Save);
        const QString path = m_home->filePath(QStringLiteral("new.json"));
        Q_EMIT find<QFileDialog>(*m_window, "saveDialog")->fileSelected(path);
        QCOMPARE(core::loadExperiment(path.toStdString())->experiment.training.batch, 7);
        QCOMPARE(family(), std::string("gru"));
    }

    // Somebody else's change: one's own is kept until one says otherwise.
    void aChangeOnDiskKeepsWhatIsUnsaved()
    {
        const QString path = store("a.json", "frequency-lstm");
        m_window->commands().openAll({path});
        QVERIFY(m_window->document().set("/training/batch", core::Json(7)).has_value());
        store("a.json", "gru");
        QTRY_VERIFY_WITH_TIMEOUT(message().contains(QStringLiteral("changed by another program")),
                                 10000);
        QCOMPARE(m_window->document().experiment().training.batch, 7);
        find<QAbstractButton>(*m_window, "messageAction")->click();
        answer(QMessageBox::Cancel);
        QCOMPARE(m_window->document().experiment().training.batch, 7);
        find<QAbstractButton>(*m_window, "messageAction")->click();
        answer(QMessageBox::Discard);
        QCOMPARE(family(), std::string("gru"));
        QVERIFY(!m_window->isWindowModified());
    }

    void aDeletedFileIsUnsavedWork()
    {
        const QString path = store("a.json", "gru");
        m_window->commands().openAll({path});
        QVERIFY(QFile::remove(path));
        QTRY_VERIFY_WITH_TIMEOUT(message().contains(QStringLiteral("deleted or moved")), 10000);
        QVERIFY(m_window->isWindowModified());
        QCOMPARE(family(), std::string("gru"));
        find<QAbstractButton>(*m_window, "messageAction")->click();
        QVERIFY(core::loadExperiment(path.toStdString()).has_value());
        QVERIFY(!m_window->isWindowModified());
        QVERIFY(message().isEmpty());
    }

    void aReplacedFileIsNotGone()
    {
        const QString path = store("a.json", "gru");
        m_window->commands().openAll({path});
        const QString other = store("b.json", "frequency-lstm");
        QSignalSpy gone(&m_window->files(), &FileSession::goneFromDisk);
        QFileSystemWatcher disk({path});
        QSignalSpy seen(&disk, &QFileSystemWatcher::fileChanged);
        QVERIFY(QFile::remove(path));
        QTRY_VERIFY(!seen.isEmpty()); // as an editor does it that the window sees at its work
        QVERIFY(QFile::rename(other, path));
        QTRY_VERIFY_WITH_TIMEOUT(message().contains(QStringLiteral("changed by another program")),
                                 10000);
        QCOMPARE(gone.size(), 0);
        QVERIFY(!m_window->isWindowModified());
    }

    void aFileThatComesBackIsRead()
    {
        const QString path = store("a.json", "gru");
        m_window->commands().openAll({path});
        QVERIFY(QFile::remove(path));
        QTRY_VERIFY_WITH_TIMEOUT(message().contains(QStringLiteral("deleted or moved")), 10000);
        store("a.json", "frequency-lstm");
        QTRY_VERIFY_WITH_TIMEOUT(message().contains(QStringLiteral("changed by another program")),
                                 10000);
    }

    void ownSavesAreNoChange()
    {
        const QString path = store("a.json", "gru");
        m_window->commands().openAll({path});
        QVERIFY(m_window->document().set("/training/batch", core::Json(7)).has_value());
        QFileSystemWatcher disk({path, QFileInfo(path).path()});
        QSignalSpy seen(&disk, &QFileSystemWatcher::directoryChanged);
        QTest::keyClick(m_window.get(), Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY(!seen.isEmpty());
        QCoreApplication::processEvents(); // what the window was told with it
        QVERIFY(message().isEmpty());
    }

    // One's own prices are used as they are, and what else has changed them is named, beside what can't be read.
    void changedPricesAreNamed()
    {
        const std::string path = userPricesPath();
        QVERIFY(saveUserPrices(pricing::OfferTable{}, path).has_value());
        m_window->commands().tellOfPrices({});
        QVERIFY2(message().isEmpty(), qPrintable(message()));
        QFile file(toQString(path));
        QVERIFY(file.open(QIODevice::Append));
        file.write(" ");
        file.close();
        m_window->commands().tellOfPrices({});
        QVERIFY2(message().contains(QStringLiteral("changed by something else than Outlay")),
                 qPrintable(message()));
        m_window->commands().tellOfPrices("They can't be read.");
        QVERIFY2(message().startsWith(QStringLiteral("They can't be read. ")) &&
                     message().contains(QStringLiteral("prices.json was changed")),
                 qPrintable(message()));
        QVERIFY(file.remove() && QFile::remove(toQString(path) + QStringLiteral(".sha256")));
    }

    // What was not saved is kept aside, and gone when it is saved or the window ends well.
    void workIsKeptAsideAndOfferedAfterACrash()
    {
        const QString folder = m_home->filePath(QStringLiteral("recovery"));
        const auto kept = [&] { return QDir(folder).entryList({QStringLiteral("*.json")}); };
        QVERIFY(m_window->document().set("/training/batch", core::Json(7)).has_value());
        QTRY_COMPARE_WITH_TIMEOUT(kept().size(), 1, 10000);
        // A crash leaves the file, and no program that holds it.
        const QByteArray copy = contentOf(QDir(folder).filePath(kept().first()));
        m_window.reset();
        QVERIFY(kept().isEmpty());
        QFile crashed(folder + QStringLiteral("/crashed.json"));
        QVERIFY(crashed.open(QIODevice::WriteOnly));
        crashed.write(copy);
        crashed.close();

        m_window = makeWindow(*m_home);
        m_window->commands().offerRecovery();
        QVERIFY2(message().contains(QStringLiteral("Unsaved work")), qPrintable(message()));
        QVERIFY(m_window->document().experiment().training.batch != 7);
        find<QAbstractButton>(*m_window, "messageAction")->click();
        QCOMPARE(m_window->document().experiment().training.batch, 7);
        QVERIFY(m_window->isWindowModified());
        QVERIFY(!QFile::exists(crashed.fileName()));
        // Restored work is work: it is kept aside again.
        QTRY_COMPARE_WITH_TIMEOUT(kept().size(), 1, 10000);
    }

    void savedWorkIsNotKeptAside()
    {
        const QString folder = m_home->filePath(QStringLiteral("recovery"));
        const auto kept = [&] { return QDir(folder).entryList({QStringLiteral("*.json")}); };
        const QString path = store("a.json", "gru");
        m_window->commands().openAll({path});
        QVERIFY(m_window->document().set("/training/batch", core::Json(7)).has_value());
        QTRY_COMPARE_WITH_TIMEOUT(kept().size(), 1, 10000);
        QTest::keyClick(m_window.get(), Qt::Key_S, Qt::ControlModifier);
        QVERIFY(kept().isEmpty());
    }

private:
    static QByteArray contentOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QString store(const char* name, const char* preset) const
    {
        const QString path = m_home->filePath(QLatin1String(name));
        if (!core::saveExperiment(core::preset(preset)->experiment, path.toStdString()))
            qFatal("a test file can't be written");
        return path;
    }

    [[nodiscard]] std::string family() const
    {
        return std::string(core::familyOf(m_window->document().experiment().model));
    }

    [[nodiscard]] QMenu* recentMenu() const { return find<QMenu>(*m_window, "recentMenu"); }

    /// As the menu shows them.
    [[nodiscard]] QStringList recent() const
    {
        Q_EMIT recentMenu()->aboutToShow();
        QStringList paths;
        for (const QAction* action : recentMenu()->actions())
            paths.append(QDir::fromNativeSeparators(action->text()));
        return paths;
    }

    [[nodiscard]] QString message() const
    {
        const auto* text = find<QLabel>(*m_window, "messageText");
        return text->isVisible() ? text->text() : QString();
    }

    /// To the question that is open, which then is closed.
    void answer(QMessageBox::StandardButton button) const
    {
        auto* question = find<QMessageBox>(*m_window, "unsavedQuestion");
        QVERIFY(question->isVisible());
        question->button(button)->click();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<MainWindow> m_window;
};

OUTLAY_TEST(TestWindowFiles)
#include "tst_window_files.moc"
