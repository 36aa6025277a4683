// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Other machines in the real window: described, asked, measured on. They are this one, by another name.
#include "core/launch/profile.h"
#include "gui/widgets/data_table.h"
#include "tests/gui/window_test.h"
#include "tests/support/test_class.h"

#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

using namespace outlay;
using namespace outlay::gui;

class TestWindowHosts : public WindowTest {
    Q_OBJECT
private Q_SLOTS:
    void anEmptyPageSaysWhatToDo()
    {
        forgetAll();
        showPage();
        QVERIFY(find<QLabel>(*m_window, "hostsEmpty")->text().contains(folder()));
        QVERIFY(!find<QPushButton>(*m_window, "measureThere")->isEnabled());
        describe("bench", OUTLAY_FAKE_WORKER);
        click("checkHosts");
        QTRY_COMPARE(cell(0, 2).left(7), QStringLiteral("answers"));
        QVERIFY(!find<QLabel>(*m_window, "hostsEmpty")->isVisible());
        QVERIFY(find<QPushButton>(*m_window, "measureThere")->isEnabled());
    }

    void whatIsWrongIsSaid()
    {
        forgetAll();
        describe("broken", "/nowhere/outlay-probe");
        describe("working", OUTLAY_FAKE_WORKER);
        showPage();
        QCOMPARE(cell(0, 2), QStringLiteral("not asked yet"));
        click("checkHosts");
        QTRY_COMPARE(cell(0, 2), QStringLiteral("doesn't answer"));
        QTRY_COMPARE(cell(1, 2).left(7), QStringLiteral("answers"));
        QVERIFY(find<QLabel>(*m_window, "hostsFindings")
                    ->text()
                    .startsWith(QStringLiteral("broken: what is to be run isn't there")));
        click("measureThere"); // the first of them
        QTRY_VERIFY(find<QLabel>(*m_window, "messageText")
                        ->text()
                        .startsWith(QStringLiteral("broken: what is to be run")));
        QTRY_VERIFY(!m_window->isMeasuring());
        QVERIFY(m_window->document().experiment().measurements.isEmpty());
    }

    void aMeasurementBecomesPartOfTheExperiment()
    {
        forgetAll();
        describe("bench", OUTLAY_FAKE_WORKER, {}, 2);
        showPage();
        click("measureThere");
        QTRY_VERIFY(!m_window->document().report().hosts.empty());
        const auto& row = m_window->document().report().hosts.front();
        QCOMPARE(row.name, std::string("bench"));
        QTRY_VERIFY(!m_window->isMeasuring());
        QVERIFY(cell(0, 3) != QStringLiteral("–") && cell(0, 4).startsWith(QLatin1Char('$')));
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(m_window->document().report().hosts.empty());
        QTRY_COMPARE(cell(0, 3), QStringLiteral("–"));
    }

    void escapeEndsIt()
    {
        forgetAll();
        describe("slow", OUTLAY_FAKE_WORKER, {"OUTLAY_FAKE_SECONDS=600"});
        showPage();
        click("measureThere");
        QTRY_VERIFY(find<QLabel>(*m_window, "hostsRunning")
                        ->text()
                        .startsWith(QStringLiteral("Measuring on slow: Training")));
        // One at a time, whoever asks.
        QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
        QTRY_VERIFY(find<QLabel>(*m_window, "messageText")
                        ->text()
                        .startsWith(QStringLiteral("Another measurement is running")));
        QTest::keyClick(m_window.get(), Qt::Key_Escape); // the message
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QTRY_VERIFY(!m_window->isMeasuring());
        QVERIFY(m_window->document().experiment().measurements.isEmpty());
    }

    // The values of a field, one after the other, on the machine that is chosen: they stand beside the forecast, belong to
    // the experiment, and aren't measured twice.
    void valuesAreMeasured()
    {
        forgetAll();
        describe("bench", OUTLAY_FAKE_WORKER);
        auto* where = openVary();
        QCOMPARE(where->count(), 2);
        where->setCurrentIndex(1);
        auto* measure = find<QPushButton>(*m_vary, "varyMeasure");
        QTRY_VERIFY(measure->isEnabled());
        const qsizetype values = measure->text().split(QLatin1Char(' ')).at(1).toInt();
        QVERIFY(values > 8);
        QTest::mouseClick(measure, Qt::LeftButton);
        QCOMPARE(measure->text(), QStringLiteral("Stop"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isMeasuring(), 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(measure->text(), QStringLiteral("All measured"), 20'000);
        QVERIFY(!measure->isEnabled());
        const auto& all = m_window->document().experiment().measurements.all();
        QVERIFY(all.newest() != nullptr);
        QCOMPARE(all.newest()->host, std::string("bench"));
        const auto stored = m_window->document().experiment().measurements.stored();
        QCOMPARE(static_cast<qsizetype>(stored.asArray()->size()), values);
        // On this machine they weren't.
        where->setCurrentIndex(0);
        QTRY_VERIFY_WITH_TIMEOUT(measure->isEnabled(), 20'000);
        m_vary->close();
    }

    void measuringValuesIsStopped()
    {
        forgetAll();
        describe("slow", OUTLAY_FAKE_WORKER, {"OUTLAY_FAKE_SECONDS=600"});
        openVary()->setCurrentIndex(1);
        auto* measure = find<QPushButton>(*m_vary, "varyMeasure");
        QTRY_VERIFY(measure->isEnabled());
        QTest::mouseClick(measure, Qt::LeftButton);
        QTRY_VERIFY(
            find<QLabel>(*m_vary, "varyState")->text().contains(QStringLiteral("1 running")));
        QTest::mouseClick(measure, Qt::LeftButton);
        QTRY_VERIFY(!m_window->isMeasuring());
        QTRY_VERIFY(measure->text().startsWith(QStringLiteral("Measure ")));
        QVERIFY(m_window->document().experiment().measurements.isEmpty());
        // Of another experiment nothing is measured for this one.
        m_window->document().open(core::preset("gru")->experiment);
        QTRY_VERIFY(!measure->isEnabled());
        m_vary->close();
    }

    void closingEndsIt()
    {
        forgetAll();
        describe("slow", OUTLAY_FAKE_WORKER, {"OUTLAY_FAKE_SECONDS=600"});
        showPage();
        click("measureThere");
        QTRY_VERIFY(find<QLabel>(*m_window, "hostsRunning")->text().contains("Training"));
        m_window.reset();
    }

private:
    /// Of the batch; where to measure.
    QComboBox* openVary()
    {
        auto* batch = find<QLineEdit>(*m_window, "trainingBatch");
        batch->setFocus();
        find<QAction>(*m_window, "actionVary")->trigger();
        m_vary = find<QDialog>(*m_window, "varyDialog");
        return find<QComboBox>(*m_vary, "varyHost");
    }
    [[nodiscard]] static QString folder()
    {
        return qEnvironmentVariable("XDG_CONFIG_HOME") + QStringLiteral("/outlay/hosts");
    }
    static void describe(const char* name, const char* worker,
                         std::vector<std::string> environment = {}, double price = 0)
    {
        core::Profile profile{.name = name, .kind = core::ProfileKind::Local};
        profile.worker = worker;
        profile.environment = std::move(environment);
        if (price > 0)
            profile.hourPriceUsd = price;
        if (!core::saveProfile(profile, folder().toStdString()))
            qFatal("a profile can't be written");
    }
    static void forgetAll() { QDir(folder()).removeRecursively(); }
    void showPage() { QTest::keyClick(m_window.get(), Qt::Key_0, Qt::ControlModifier); }
    void click(const char* button)
    {
        QTest::mouseClick(find<QPushButton>(*m_window, button), Qt::LeftButton);
    }
    QString cell(int row, int column)
    {
        const auto* model = find<DataTable>(*m_window, "hostsTable")->model();
        return model->index(row, column).data().toString();
    }

    QDialog* m_vary = nullptr;
};

OUTLAY_TEST(TestWindowHosts)
#include "tst_window_hosts.moc"
