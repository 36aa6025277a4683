// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Random actions on the window: whatever was done, undo leads back to the start, and the window shows
// what makeReport says.
#include "gui/view/tiles_view.h"
#include "gui/widgets/figure_label.h"
#include "tests/gui/window_test.h"
#include "tests/support/catalogs.h"
#include "tests/support/test_class.h"
#include "tests/support/window_monkey.h"

#include <QStackedWidget>

using namespace outlay;
using namespace outlay::gui;

class TestWindowActions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_home.isValid());
        useHome(m_home);
    }

    void undoLeadsBack_data()
    {
        QTest::addColumn<unsigned>("seed");
        constexpr unsigned Seeds = outlay::tests::Slower > 1 ? 2 : 12;
        for (unsigned seed = 1; seed <= Seeds; ++seed)
            QTest::addRow("%u", seed) << seed;
    }
    void undoLeadsBack()
    {
        QFETCH(unsigned, seed);
        const auto window = makeWindow(m_home);
        const DocumentState start = window->document().state();
        WindowMonkey monkey(*window, seed);
        constexpr int Actions = 50;
        for (int i = 0; i < Actions; ++i)
            monkey.act();
        const auto views = makeTilesView(
            pricing::makeReport(window->document().experiment(), outlay::tests::catalogs()),
            window->document().baseline(), window->locale());
        for (std::size_t i = 0; i < views.size(); ++i)
            QCOMPARE(find<FigureLabel>(*window, QStringLiteral("tile%1").arg(i))->view(), views[i]);
        QUndoStack& undo = window->document().undoStack();
        while (undo.canUndo())
            undo.undo();
        QCOMPARE(window->document().state(), start);
        while (undo.canRedo())
            undo.redo();
        const core::Json saved = core::toJson(window->document().experiment());
        QVERIFY(core::readExperiment(saved).has_value());
    }

private:
    QTemporaryDir m_home;
};

OUTLAY_TEST(TestWindowActions)
#include "tst_window_actions.moc"
