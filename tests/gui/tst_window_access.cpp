// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What everybody has to be able to do with the window: read it, reach all of it by keys, and take a
// picture of it that doesn't depend on its size.
#include "core/base/clock.h"
#include "gui/panels/panel.h"
#include "gui/view/format.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/data_table.h"
#include "gui/window/actions.h"
#include "gui/window/exporter.h"
#include "tests/gui/window_test.h"
#include "tests/support/test_class.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalSpy>

#include <cmath>
#include <set>

using namespace outlay;
using namespace outlay::gui;

namespace {

int pageCount()
{
    return static_cast<int>(pages().size()) + 1;
}

/// Without the moment at which it was written, and the name of the run that is made from it.
QString timeless(const QByteArray& text)
{
    static const QRegularExpression moment(
        QStringLiteral("\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}:\\d{2}Z?"
                       "|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"));
    return QString::fromUtf8(text).remove(moment);
}

} // namespace

class TestWindowAccess : public WindowTest {
    Q_OBJECT
private Q_SLOTS:
    void pictures_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("start");
        QTest::newRow("png") << QStringLiteral("p.png") << QByteArray("\x89PNG");
        QTest::newRow("svg") << QStringLiteral("p.svg") << QByteArray("<?xml");
        QTest::newRow("pdf") << QStringLiteral("p.pdf") << QByteArray("%PDF");
    }
    void pictures()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, start);
        const QString path = m_home.filePath(name);
        auto* exporter = m_window->findChild<Exporter*>();
        QSignalSpy finished(exporter, &Exporter::finished);
        exporter->exportTo(path, {.size = {1200, 800}, .scale = 2});
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 20000);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.read(8).startsWith(start));
        QVERIFY(file.size() > 5000);
        if (name != QLatin1String("p.png"))
            return;
        const QImage image(path);
        QCOMPARE(image.size(), QSize(2400, 1600));
        std::set<QRgb> colours;
        for (int y = 0; y < image.height(); y += 4) {
            for (int x = 0; x < image.width(); x += 4)
                colours.insert(image.pixel(x, y));
        }
        QVERIFY(colours.size() > 20);                       // not blank
        QVERIFY(colours.contains(lightTokens().bad.rgb())); // the gauge
        QVERIFY(colours.contains(lightTokens().window.rgb()));
    }

    // The name's ending decides: figures are never written as a picture, nor under a name that says nothing.
    void figuresAreExportedByTheirName()
    {
        auto* exporter = m_window->findChild<Exporter*>();
        QSignalSpy said(exporter, &Exporter::said);
        const auto written = [&](const char* name, const QString& filter) {
            const QString path = m_home.filePath(QLatin1String(name));
            exporter->exportTo(path, {}, filter);
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const PanelInput now = m_window->input();
        const pricing::ExportInput input{now.experiment, now.report, *now.catalogs, core::nowUtc()};
        const QStringList filters = exportFilters();
        QCOMPARE(filters.size(), static_cast<int>(pricing::exportFormats().size()) + 1);
        int row = 1;
        for (const pricing::ExportFormat& format : pricing::exportFormats()) {
            const QString suffix = QFileInfo(toQString(format.file)).suffix();
            const QByteArray name = "figures" + QByteArray::number(row) + "." + suffix.toUtf8();
            const QByteArray content = written(name.constData(), filters.at(row++));
            const auto expected = format.write(input);
            QVERIFY(expected.has_value());
            QVERIFY2(content.size() > 100, name.constData());
            QVERIFY2(timeless(content) == timeless(QByteArray::fromStdString(*expected)),
                     name.constData());
        }
        QVERIFY(written("plain.csv", {})
                    .startsWith(QByteArray::fromStdString(pricing::csvReport(input)).left(60)));
        said.clear();
        QVERIFY(written("dash.xyz", {}).isEmpty());
        QCOMPARE(said.size(), 1);
        QVERIFY(said.front().front().value<BarMessage>().text.contains(QStringLiteral("dash.xyz")));
    }

    // The same composition, whatever the window looks like.
    void picturesDoNotDependOnTheWindow()
    {
        const PictureRequest request{.size = {1000, 700}};
        const QImage first = paintImage(m_window->input(), request, m_window->locale());
        m_window->resize(1920, 1200);
        m_window->setPage(2);
        applyTheme(ThemeChoice::Dark, {});
        const QImage second = paintImage(m_window->input(), request, m_window->locale());
        applyTheme(ThemeChoice::Light, {});
        QCOMPARE(first, second);
    }

    void picturesHaveLimits()
    {
        QVERIFY(check({}).has_value());
        QVERIFY(!check({.size = {10, 10}}).has_value());
        QVERIFY(!check({.size = {100000, 1000}}).has_value());
        QVERIFY(!check({.scale = 0}).has_value());
        QVERIFY(!check({.scale = std::nan("")}).has_value());
    }

    // Everything that takes the focus has a name for tests and a name for people.
    void everyControlHasNames()
    {
        for (int page = 0; page < pageCount(); ++page) {
            m_window->setPage(page);
            QVERIFY2(isNamed(*m_window), qPrintable(m_nameless));
        }
    }

    // The same of the dialogs, where nothing is cut either.
    void dialogsAreWhole_data()
    {
        QTest::addColumn<QString>("action");
        QTest::addColumn<QString>("name");
        QTest::newRow("settings") << "actionSettings"
                                  << "settingsDialog";
        QTest::newRow("help") << "actionHelp"
                              << "helpWindow";
        QTest::newRow("about") << "actionAbout"
                               << "aboutDialog";
        QTest::newRow("picture") << "actionExport"
                                 << "pictureDialog";
        QTest::newRow("vary") << "actionVary"
                              << "varyDialog";
        QTest::newRow("goal") << "actionGoal"
                              << "goalDialog";
        QTest::newRow("import") << "actionImport"
                                << "importDialog";
        QTest::newRow("change") << "actionChange"
                                << "changeDialog";
    }
    void dialogsAreWhole()
    {
        QFETCH(QString, action);
        QFETCH(QString, name);
        if (action == QLatin1String("actionVary"))
            find<QLineEdit>(*m_window, "trainingBatch")->setFocus();
        find<QAction>(*m_window, action)->trigger();
        const auto* dialog = find<QWidget>(*m_window, name);
        QVERIFY(dialog->isVisible());
        QVERIFY(!dialog->windowTitle().isEmpty());
        QVERIFY2(isNamed(*dialog), qPrintable(m_nameless));
        QCoreApplication::processEvents();
        std::set<QString> names;
        for (const QWidget* widget : dialog->findChildren<QWidget*>()) {
            const auto* label = qobject_cast<const QLabel*>(widget);
            const bool isShort = widget->isVisible() && label != nullptr && !label->wordWrap() &&
                                 !label->text().isEmpty();
            if (isShort)
                QVERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->text()));
            const bool isNamedPart = (widget->focusPolicy() & Qt::TabFocus) != 0 &&
                                     !widget->objectName().startsWith(QStringLiteral("qt_"));
            if (isNamedPart)
                QVERIFY2(names.insert(widget->objectName()).second,
                         qPrintable(widget->objectName()));
        }
    }

    void chartsAreDescribed()
    {
        std::set<QString> described;
        for (int page = 0; page < pageCount(); ++page) {
            m_window->setPage(page);
            for (const Chart* chart : m_window->findChildren<Chart*>()) {
                if (!chart->isVisible())
                    continue;
                described.insert(chart->objectName());
                QVERIFY2(!chart->accessibleName().isEmpty(), qPrintable(chart->objectName()));
                QVERIFY2(chart->accessibleDescription().size() > 20,
                         qPrintable(chart->objectName()));
            }
        }
        QVERIFY(described.size() > 6);
    }

    // Each has its table, with a row at least where something is drawn, and comes back.
    void chartsHaveTwins()
    {
        int toggled = 0;
        for (int page = 0; page < pageCount(); ++page) {
            m_window->setPage(page);
            for (Chart* chart : m_window->findChildren<Chart*>()) {
                if (!chart->isVisible() || chart->model().isEmpty())
                    continue;
                chart->toggleForm();
                QCOMPARE(chart->form(), Chart::Form::Table);
                const auto* table = chart->findChild<QAbstractItemView*>();
                QVERIFY2(table != nullptr && table->model()->rowCount() > 0,
                         qPrintable(chart->objectName()));
                chart->toggleForm();
                QCOMPARE(chart->form(), Chart::Form::Picture);
                ++toggled;
            }
        }
        QVERIFY(toggled > 6);
    }

    /// Whatever has the focus looks otherwise; around drawings it is a frame on all sides.
    void focusIsSeen()
    {
        std::set<QString> seen;
        for (int page = 0; page < pageCount(); ++page) {
            m_window->setPage(page);
            QCoreApplication::processEvents();
            for (QWidget* widget : m_window->findChildren<QWidget*>()) {
                const bool isControl = (widget->focusPolicy() & Qt::TabFocus) != 0 &&
                                       widget->isVisible() && widget->isEnabled() &&
                                       widget->width() > 0 && widget->height() > 0;
                if (!isControl || widget->objectName().startsWith(QStringLiteral("qt_")))
                    continue;
                m_window->setFocus();
                const QImage without = widget->grab().toImage();
                widget->setFocus(Qt::TabFocusReason);
                if (!widget->hasFocus())
                    continue; // it hands it on
                const QImage with = widget->grab().toImage();
                QVERIFY2(with != without, qPrintable(widget->objectName()));
                if (qobject_cast<Twinned*>(widget) != nullptr)
                    QVERIFY2(differsAtAllSides(with, without), qPrintable(widget->objectName()));
                seen.insert(widget->objectName());
            }
        }
        QVERIFY(seen.contains(QStringLiteral("costChart")));
        QVERIFY(seen.size() > 40);
    }

    void noTwoActionsShareAKey()
    {
        std::set<QString> keys;
        for (const QAction* action : m_window->findChildren<QAction*>()) {
            for (const QKeySequence& key : action->shortcuts())
                QVERIFY2(keys.insert(key.toString()).second, qPrintable(action->text()));
        }
        QVERIFY(keys.size() > actionRows().size());
    }

    // Tab comes by every control once, and back to the first.
    void tabLeavesNoTrap()
    {
        QWidget* first = find<QWidget>(*m_window, "preset");
        first->setFocus();
        std::set<const QWidget*> seen;
        for (int i = 0; i < 500; ++i) {
            QWidget* now = QApplication::focusWidget();
            QVERIFY(now != nullptr);
            if (!seen.insert(now).second)
                break;
            QTest::keyClick(now, Qt::Key_Tab);
        }
        QCOMPARE(QApplication::focusWidget(), first);
        QVERIFY(seen.contains(find<QWidget>(*m_window, "probeButton")));
        QVERIFY(seen.contains(find<QWidget>(*m_window, "tile0")));
        QVERIFY(seen.contains(find<QWidget>(*m_window, "costChart")));
    }

    // Bar, form, figures, page; on the bar and in the form as people read, and panel after panel; after another
    // family and page, too.
    void tabFollowsTheEye_data()
    {
        QTest::addColumn<int>("page");
        for (int page = 0; page < pageCount(); ++page)
            QTest::addRow("page %d", page) << page;
    }
    void tabFollowsTheEye()
    {
        QFETCH(int, page);
        m_window->document().open(core::preset("gpt2")->experiment);
        m_window->setPage(page);
        QCoreApplication::processEvents();
        const std::vector<const QWidget*> areas{find<QWidget>(*m_window, "topBar"),
                                                find<QWidget>(*m_window, "designer"),
                                                find<QWidget>(*m_window, "tiles")};
        const auto areaOf = [&](const QWidget* widget) {
            const auto holds = [&](const QWidget* area) { return area->isAncestorOf(widget); };
            return std::find_if(areas.begin(), areas.end(), holds) - areas.begin();
        };
        QWidget* first = find<QWidget>(*m_window, "buttonOpen");
        first->setFocus();
        const QWidget* before = first;
        std::set<const QWidget*> leftPanels;
        for (int i = 0; i < 500; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            const QWidget* now = QApplication::focusWidget();
            if (now == first)
                return;
            const QByteArray pair =
                (before->objectName() + QStringLiteral(" to ") + now->objectName()).toUtf8();
            QVERIFY2(areaOf(before) <= areaOf(now), pair);
            const QPoint from = before->mapTo(m_window.get(), QPoint());
            const QPoint to = now->mapTo(m_window.get(), QPoint());
            if (areaOf(before) == 0 && areaOf(now) == 0)
                QVERIFY2(from.x() < to.x(), pair);
            if (areaOf(before) == 1 && areaOf(now) == 1)
                QVERIFY2(from.y() <= to.y() + size::Control, pair);
            if (panelOf(before) != panelOf(now))
                leftPanels.insert(panelOf(before));
            QVERIFY2(panelOf(now) == nullptr || !leftPanels.contains(panelOf(now)), pair);
            before = now;
        }
        QFAIL("the first control never comes again");
    }

    // A table that takes a drawing's place takes its place among the controls, too.
    void tablesKeepThePlaceOfTheirDrawings_data()
    {
        QTest::addColumn<QString>("drawing");
        QTest::newRow("chart") << "costChart";
        QTest::newRow("gauge") << "efficiencyGauge";
    }
    void tablesKeepThePlaceOfTheirDrawings()
    {
        QFETCH(QString, drawing);
        auto* drawn = find<Twinned>(*m_window, drawing);
        drawn->setFocus();
        QTest::keyClick(drawn, Qt::Key_T, Qt::ControlModifier);
        auto* table = find<DataTable>(*m_window, drawing + QStringLiteral("Table"));
        QVERIFY(table->hasFocus());
        QTest::keyClick(table, Qt::Key_Tab);
        QVERIFY(QApplication::focusWidget() != table);
        QCOMPARE(panelOf(QApplication::focusWidget()), panelOf(drawn));
    }

    void cellsShowTheFocusInASelectedRow()
    {
        m_window->setPage(1);
        QCoreApplication::processEvents();
        auto* table = find<DataTable>(*m_window, "layersTable");
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Down);
        QVERIFY(table->selectionModel()->hasSelection());
        const QImage with = table->grab().toImage();
        m_window->setFocus();
        QVERIFY(with != table->grab().toImage());
    }

    void areasFollowF6()
    {
        std::set<const QWidget*> seen;
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(m_window.get(), Qt::Key_F6);
            seen.insert(QApplication::focusWidget());
        }
        QCOMPARE(seen.size(), std::size_t{4});
    }

private:
    /// The innermost that holds it; null for those of the frame.
    static const QWidget* panelOf(const QWidget* widget)
    {
        while (widget != nullptr && qobject_cast<const gui::Panel*>(widget) == nullptr)
            widget = widget->parentWidget();
        return widget;
    }

    /// In the middle of each side, near the edge.
    static bool differsAtAllSides(const QImage& a, const QImage& b)
    {
        const QPoint middle = a.rect().center();
        const auto differs = [&](const QPoint& from, const QPoint& step) {
            for (int i = 0; i < size::FocusWidth + 1; ++i) {
                const QPoint at = from + i * step;
                if (a.pixel(at) != b.pixel(at))
                    return true;
            }
            return false;
        };
        return differs({middle.x(), 0}, {0, 1}) && differs({middle.x(), a.height() - 1}, {0, -1}) &&
               differs({0, middle.y()}, {1, 0}) && differs({a.width() - 1, middle.y()}, {-1, 0});
    }

    /// Whether everything that takes the focus in it has both names; if not, what hasn't.
    bool isNamed(const QWidget& root)
    {
        for (const QWidget* widget : root.findChildren<QWidget*>()) {
            const bool isPart = widget->objectName().startsWith(QStringLiteral("qt_"));
            if ((widget->focusPolicy() & Qt::TabFocus) == 0 || isPart ||
                !widget->isVisibleTo(&root))
                continue;
            m_nameless = QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ') +
                         widget->objectName();
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const bool hasText = button != nullptr && !button->text().isEmpty();
            const bool isSpoken = !widget->accessibleName().isEmpty() || hasText;
            if (widget->objectName().isEmpty() || !isSpoken)
                return false;
        }
        return true;
    }

    QString m_nameless;
};

OUTLAY_TEST(TestWindowAccess)
#include "tst_window_access.moc"
