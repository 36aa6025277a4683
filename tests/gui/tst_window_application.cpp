// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// An application for compute time in the real window, by keys: a centre, runs, the page, the files.
#include "gui/export/application_page.h"
#include "gui/window/application_dialog.h"
#include "tests/gui/window_test.h"
#include "tests/support/run_program.h"
#include "tests/support/test_class.h"

#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>

#include <array>

using namespace outlay;
using namespace outlay::gui;
using outlay::tests::contentOf;

class TestWindowApplication : public WindowTest {
    Q_OBJECT
private Q_SLOTS:
    void theMenuHasIt()
    {
        const auto actions = find<QMenu>(*m_window, "menu")->actions();
        QVERIFY(std::any_of(actions.begin(), actions.end(), [](const QAction* action) {
            return action->objectName() == QLatin1String("actionApplication");
        }));
    }

    void aCentreIsChosenAndThePageSaved()
    {
        auto* dialog = open();
        auto* preview = find<QLabel>(*dialog, "applicationPreview");
        QVERIFY(!preview->pixmap(Qt::ReturnByValue).isNull());
        QVERIFY2(preview->accessibleName().contains(QStringLiteral("GPU-hours")),
                 qPrintable(preview->accessibleName()));
        auto* centre = find<QComboBox>(*dialog, "applicationCentre");
        centre->setFocus();
        QTest::keyClicks(centre, QStringLiteral("Snellius"));
        QTest::keyClick(centre, Qt::Key_Down);
        QTRY_VERIFY2(preview->accessibleName().contains(QStringLiteral(" SBU")),
                     qPrintable(preview->accessibleName()));
        auto* runs = find<QLineEdit>(*dialog, "applicationRuns");
        runs->setFocus();
        runs->selectAll();
        QTest::keyClicks(runs, QStringLiteral("7"));
        const QTemporaryDir folder;
        for (const QString& name : {QStringLiteral("asked.md"), QStringLiteral("asked.pdf")}) {
            auto* again = name.endsWith(QStringLiteral("pdf")) ? open() : dialog;
            auto* save = find<QPushButton>(*again, "applicationSave");
            save->setFocus();
            QTest::keyClick(save, Qt::Key_Space);
            auto* files = find<QFileDialog>(*again, "applicationFiles");
            Q_EMIT files->fileSelected(folder.filePath(name));
            QTRY_VERIFY(m_window->findChild<QWidget*>(QStringLiteral("applicationDialog")) ==
                        nullptr);
            QVERIFY(QFile::exists(folder.filePath(name)));
        }
        // What was typed last is in it, though the page hadn't been shown again.
        const QByteArray text = contentOf(folder.filePath(QStringLiteral("asked.md")));
        QVERIFY2(text.contains("for 7 runs on 1 x H100-80GB-SXM5"), text.left(400));
        const QByteArray pdf = contentOf(folder.filePath(QStringLiteral("asked.pdf")));
        QCOMPARE(pdf.count("/Type /Page\n"), 1);
    }

    void whatIsNoNumberIsSaid()
    {
        auto* dialog = open();
        auto* save = find<QPushButton>(*dialog, "applicationSave");
        auto* devices = find<QLineEdit>(*dialog, "applicationDevices");
        auto* note = find<QLabel>(*dialog, "applicationDevicesNote");
        devices->setFocus();
        QTest::keyClicks(devices, QStringLiteral("0"));
        QTRY_VERIFY(note->isVisible() && !save->isEnabled());
        devices->clear();
        QTest::keyClicks(devices, QStringLiteral("5000"));
        QTRY_VERIFY2(note->text().contains(QStringLiteral("4,096")), qPrintable(note->text()));
        devices->clear();
        QTest::keyClicks(devices, QStringLiteral("4"));
        QTRY_VERIFY(save->isEnabled() && !note->isVisible());
        // Each below its own field.
        for (const auto& [field, typed, most] :
             {std::array{"applicationRuns", "2000000", "1,000,000"},
              {"applicationReserve", "1001", "1,000"}}) {
            auto* edit = find<QLineEdit>(*dialog, field);
            auto* below = find<QLabel>(*dialog, QByteArray(field).append("Note").constData());
            const QString before = edit->text();
            edit->setFocus();
            edit->selectAll();
            QTest::keyClicks(edit, QLatin1String(typed));
            QTRY_VERIFY2(below->text().contains(QLatin1String(most)), qPrintable(below->text()));
            QVERIFY(below->isVisible() && !save->isEnabled());
            edit->selectAll();
            QTest::keyClicks(edit, before);
            QTRY_VERIFY(save->isEnabled() && !below->isVisible());
        }
    }

    void aFileThatCannotBeWrittenIsSaid()
    {
        auto* dialog = open();
        dialog->saveTo(QStringLiteral("/no/such/folder/asked.pdf"));
        auto* note = find<QLabel>(*dialog, "applicationCentreNote");
        QVERIFY(note->isVisible() && note->text().contains(QStringLiteral("/no/such/folder")));
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(m_window->findChild<QWidget*>(QStringLiteral("applicationDialog")) == nullptr);
    }

    // Paper is white in the dark, too.
    void paperIsWhite()
    {
        applyTheme(ThemeChoice::Dark, {});
        const PanelInput now = m_window->input();
        const auto made = pricing::makeApplication(now.experiment, now.report, *now.catalogs, {});
        QVERIFY(made.has_value());
        constexpr int Width = 400;
        const QImage page = previewApplication(makeApplicationView(*made, m_window->locale()),
                                               m_window->locale(), Width);
        QCOMPARE(page.width(), Width);
        QVERIFY(std::abs(page.height() - Width * 1.414) < 2);
        for (const QPoint& corner : {QPoint(2, 2), QPoint(Width - 3, page.height() - 3)})
            QVERIFY(page.pixelColor(corner).lightness() > 250);
        applyTheme(ThemeChoice::Light, {});
    }

private:
    ApplicationDialog* open()
    {
        activate(*m_window);
        QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        return find<ApplicationDialog>(*m_window, "applicationDialog");
    }
};

OUTLAY_TEST(TestWindowApplication)
#include "tst_window_application.moc"
