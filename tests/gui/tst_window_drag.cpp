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

std::string textOf(const pricing::ScalingReport& growth)
{
    return core::writeJson(pricing::scalingJson(growth));
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
        const std::string before = advice();
        const std::string growthBefore = growth();
        QVERIFY(list->isEnabled());
        QVERIFY(verdict->accessibleName().contains(QLatin1String("First: ")));
        slider->setSliderDown(true);
        for (int position = 3; position < 9; ++position) {
            slider->setValue(position);
            compareWithReport(*m_window);
            QVERIFY(now().isAdviceOld && now().isGrowthOld);
            QCOMPARE(advice(), before);
            QCOMPARE(growth(), growthBefore);
            QVERIFY(!list->isEnabled());
            QVERIFY(!verdict->accessibleName().contains(QLatin1String("First: ")));
        }
        const pricing::Report whole = expected();
        QVERIFY(textOf(whole.advice) != before);
        QVERIFY(textOf(whole.scaling) != growthBefore);
        QTRY_COMPARE(advice(), textOf(whole.advice));
        QCOMPARE(growth(), textOf(whole.scaling));
        QVERIFY(list->isEnabled());
        QVERIFY(verdict->accessibleName().contains(QLatin1String("First: ")));
        slider->setSliderDown(false);
    }

    /// Steps back and forth have all of it at once, and so does what is exported in the middle of a drag.
    void whatIsAskedForIsWhole()
    {
        auto* slider = find<QSlider>(*m_window, "trainingBatchSlider");
        auto* list = find<QWidget>(*m_window, "adviceList");
        const std::string before = advice();
        slider->setSliderDown(true);
        slider->setValue(5);
        QVERIFY(now().isAdviceOld);
        QCOMPARE(textOf(m_window->input().report.advice), textOf(expected().advice));
        QVERIFY(!now().isAdviceOld);
        QTRY_VERIFY(list->isEnabled()); // the panel follows, too
        slider->setSliderDown(false);
        QUndoStack& undo = m_window->document().undoStack();
        undo.undo();
        QCOMPARE(advice(), before);
        undo.redo();
        QCOMPARE(advice(), textOf(expected().advice));
        QVERIFY(!now().isAdviceOld && list->isEnabled());
    }

    /// Where growth is looked at, it follows each tick.
    void growthFollowsWhereItIsSeen()
    {
        auto* slider = find<QSlider>(*m_window, "trainingBatchSlider");
        slider->setSliderDown(true);
        slider->setValue(4);
        QVERIFY(now().isGrowthOld);
        m_window->setPage(m_window->commands().pageOf(QStringLiteral("scalingPage")));
        for (int position = 5; position < 9; ++position) {
            slider->setValue(position);
            QVERIFY(!now().isGrowthOld && now().isAdviceOld);
            QCOMPARE(growth(), textOf(expected().scaling));
        }
        slider->setSliderDown(false);
    }

private:
    const pricing::Report& now() { return m_window->document().figures(); }
    std::string advice() { return textOf(now().advice); }
    std::string growth() { return textOf(now().scaling); }
    pricing::Report expected()
    {
        return pricing::makeReport(m_window->document().experiment(), outlay::tests::catalogs());
    }
};

OUTLAY_TEST(TestWindowDrag)
#include "tst_window_drag.moc"
