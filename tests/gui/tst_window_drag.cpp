// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A slider that is dragged in the real window: one step of undo, figures at once, the rest when it rests.
#include "gui/panels/panel.h"
#include "pricing/report/json/section_json.h"
#include "tests/gui/window_test.h"
#include "tests/support/test_class.h"

#include <QSlider>

using namespace outlay;
using namespace outlay::gui;

namespace {

std::string textOf(const std::vector<pricing::AdviceRow>& rows)
{
    return core::writeJson(pricing::adviceJson(rows));
}

} // namespace

class TestWindowDrag : public WindowTest {
    Q_OBJECT
private Q_SLOTS:
    void aDragIsOneStep()
    {
        auto* slider = find<QSlider>(*m_window, "trainingBatchSlider");
        for (int drag = 0; drag < 2; ++drag) {
            slider->setSliderDown(true);
            for (int position = 3; position < 9; ++position)
                slider->setValue(position + drag);
            slider->setSliderDown(false);
        }
        QUndoStack& undo = m_window->document().undoStack();
        QCOMPARE(undo.count(), 2);
        const DocumentState end = m_window->document().state();
        undo.undo();
        undo.undo();
        QCOMPARE(m_window->document().experiment().training.batch, 128);
        undo.redo();
        undo.redo();
        QCOMPARE(m_window->document().state(), end);
    }

    /// While a slider moves figures follow at once; advice stays the old one, is marked, and follows when it rests.
    void adviceFollowsWhenADragRests()
    {
        auto* slider = find<QSlider>(*m_window, "trainingBatchSlider");
        auto* list = find<QWidget>(*m_window, "adviceList");
        auto* verdict = find<QWidget>(*m_window, "verdict");
        const auto advice = [this] { return textOf(m_window->document().figures().advice); };
        const auto expected = [this] {
            return textOf(
                pricing::makeReport(m_window->document().experiment(), outlay::tests::catalogs())
                    .advice);
        };
        const auto growth = [](const pricing::Report& report) {
            return core::writeJson(pricing::scalingJson(report.scaling));
        };
        const auto expectedGrowth = [&] {
            return growth(
                pricing::makeReport(m_window->document().experiment(), outlay::tests::catalogs()));
        };
        const std::string before = advice();
        const std::string growthBefore = growth(m_window->document().figures());
        QVERIFY(list->isEnabled());
        QVERIFY(verdict->accessibleName().contains(QLatin1String("First: ")));
        slider->setSliderDown(true);
        for (int position = 3; position < 9; ++position) {
            slider->setValue(position);
            compareWithReport(*m_window);
            QVERIFY(m_window->document().figures().isAdviceOld);
            QCOMPARE(advice(), before);
            QVERIFY(m_window->document().figures().isGrowthOld);
            QCOMPARE(growth(m_window->document().figures()), growthBefore);
            QVERIFY(!list->isEnabled());
            QVERIFY(!verdict->accessibleName().contains(QLatin1String("First: ")));
        }
        QVERIFY(expected() != before);
        QVERIFY(expectedGrowth() != growthBefore);
        QTRY_COMPARE(advice(), expected());
        QCOMPARE(growth(m_window->document().figures()), expectedGrowth());
        QVERIFY(list->isEnabled());
        QVERIFY(verdict->accessibleName().contains(QLatin1String("First: ")));
        slider->setSliderDown(false);
        // Steps back and forth have all of it at once, and so does what is exported in the middle of a drag.
        QUndoStack& undo = m_window->document().undoStack();
        undo.undo();
        QCOMPARE(advice(), before);
        undo.redo();
        QCOMPARE(advice(), expected());
        QVERIFY(!m_window->document().figures().isAdviceOld && list->isEnabled());
        slider->setSliderDown(true);
        slider->setValue(5);
        QVERIFY(m_window->document().figures().isAdviceOld);
        QCOMPARE(textOf(m_window->input().report.advice), expected());
        QTRY_VERIFY(list->isEnabled()); // the panel follows, too
        // Where growth is looked at, it follows each tick.
        slider->setValue(6);
        QVERIFY(m_window->document().figures().isGrowthOld);
        m_window->setPage(m_window->commands().pageOf(QStringLiteral("scalingPage")));
        for (int position = 6; position < 9; ++position) {
            slider->setValue(position);
            QVERIFY(!m_window->document().figures().isGrowthOld);
            QCOMPARE(growth(m_window->document().figures()), expectedGrowth());
        }
        QVERIFY(m_window->document().figures().isAdviceOld);
        slider->setSliderDown(false);
    }
};

OUTLAY_TEST(TestWindowDrag)
#include "tst_window_drag.moc"
