// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the window's charts can be asked for by mouse and keys: limits that are moved, offers and
// baselines that are chosen, tables instead of pictures.
#include "gui/panels/panel.h"
#include "gui/style/tokens.h"
#include "gui/view/efficiency_view.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/chart_axes.h"
#include "gui/widgets/chart_canvas.h"
#include "gui/widgets/chart_overlay.h"
#include "gui/widgets/data_table.h"
#include "gui/widgets/limit_handle.h"
#include "tests/gui/window_test.h"
#include "tests/support/test_class.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMap>
#include <QMouseEvent>
#include <QPainter>

#include <cmath>
#include <numbers>

using namespace outlay;
using namespace outlay::gui;

namespace {

constexpr double StartupHours = 5.0 / 60; // as assumed

constexpr int ProvidersPage = 3;
constexpr int ScalingPage = 4;
constexpr int ComparePage = 6;

void mouse(QWidget& widget, QEvent::Type type, const QPointF& at)
{
    const bool isMove = type == QEvent::MouseMove;
    const bool isRelease = type == QEvent::MouseButtonRelease;
    QMouseEvent event(type, at, widget.mapToGlobal(at), isMove ? Qt::NoButton : Qt::LeftButton,
                      isRelease ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &event);
}

/// Counts how often each chart is painted.
class PaintCounter : public QObject {
public:
    PaintCounter() { qApp->installEventFilter(this); }

    bool eventFilter(QObject* object, QEvent* event) override
    {
        const QObject* canvas = event->type() == QEvent::Paint ? object->parent() : nullptr;
        while (canvas != nullptr && qobject_cast<const ChartCanvas*>(canvas) == nullptr)
            canvas = canvas->parent();
        if (canvas != nullptr && object->inherits("QWidget") &&
            qobject_cast<QAbstractScrollArea*>(object->parent()) != nullptr)
            ++counts[canvas->objectName()];
        return false;
    }

    QMap<QString, int> counts;
};

} // namespace

class TestWindowCharts : public WindowTest {
    Q_OBJECT
private Q_SLOTS:
    void limitsAreDragged_data()
    {
        QTest::addColumn<int>("limit");
        QTest::newRow("deadline") << 0;
        QTest::newRow("budget") << 1;
    }
    void limitsAreDragged()
    {
        QFETCH(int, limit);
        LimitHandle& handle = showHandle(limit);
        QVERIFY(!valueOf(limit).has_value());
        const DocumentState before = m_window->document().state();
        // In several moves, as a hand does it.
        mouse(handle, QEvent::MouseButtonPress, handle.rect().center());
        QPointF place;
        for (const double share : {0.9, 0.7, 0.5}) {
            place = placeAt(share);
            mouse(handle, QEvent::MouseMove, handle.mapFromParent(place));
        }
        mouse(handle, QEvent::MouseButtonRelease, handle.rect().center());
        const auto moved = valueOf(limit);
        QVERIFY(moved.has_value());
        const ChartModel& model = chart().model();
        const ChartAxis& axis = limit == 0 ? model.x : model.y;
        // Both are logarithmic; a deadline holds the start, too, which the axis leaves out.
        const double middle = std::sqrt(axis.low * axis.high) + (limit == 0 ? StartupHours : 0);
        QVERIFY2(std::abs(*moved / middle - 1) < 0.05, qPrintable(QString::number(*moved)));
        // The line is where the mouse is, and says its value.
        const QPointF now = handle.geometry().center();
        QVERIFY(limit == 0 ? std::abs(now.x() - place.x()) <= 3
                           : std::abs(now.y() - place.y()) <= 3);
        const auto index = static_cast<std::size_t>(limit);
        QVERIFY(model.limits.at(index).isSet);
        QCOMPARE(handle.accessibleName(), model.limits.at(index).name);
        // One step of undo, and the offers were judged by it.
        const auto fails = [&](const pricing::Option& option) {
            return limit == 0 ? !option.meetsDeadline : !option.isWithinBudget;
        };
        const auto& options = m_window->document().report().training.options;
        QVERIFY(std::any_of(options.begin(), options.end(), fails));
        m_window->document().undoStack().undo();
        QCOMPARE(m_window->document().state(), before);
        QVERIFY(!model.limits.at(index).isSet);
    }

    // The plan's traffic stands in the chart of what it costs, and moves there.
    void trafficIsMoved()
    {
        m_window->setPage(ScalingPage);
        QCoreApplication::processEvents();
        auto& handle = *find<LimitHandle>(*m_window, QStringLiteral("scalingCostChartLimit0"));
        const auto requests = [&] {
            return m_window->document().experiment().serving.requestsPerDay;
        };
        const double before = requests();
        handle.setFocus();
        QTest::keyClick(&handle, Qt::Key_Right);
        QVERIFY(requests() > before && requests() < 1.2 * before);
        QCOMPARE(requests(), std::round(requests()));
        QVERIFY(handle.accessibleName().startsWith(QStringLiteral("now 10,")));
        m_window->document().undoStack().undo();
        QCOMPARE(requests(), before);
    }

    // A drag after another is a step of its own.
    void twoDragsAreTwoSteps()
    {
        LimitHandle& handle = showHandle(0);
        std::vector<std::optional<double>> values;
        for (const double share : {0.6, 0.3}) {
            mouse(handle, QEvent::MouseButtonPress, handle.rect().center());
            mouse(handle, QEvent::MouseMove, handle.mapFromParent(placeAt(share)));
            values.push_back(valueOf(0));
        }
        QVERIFY(values[1] < values[0]);
        m_window->document().undoStack().undo();
        QCOMPARE(valueOf(0), values[0]);
    }

    // Beyond the end there is no limit.
    void limitsAreDraggedAway()
    {
        LimitHandle& handle = showHandle(0);
        QVERIFY(m_window->document().set("/plan/deadline_hours", core::Json(1.0)).has_value());
        QCOMPARE(valueOf(0), std::optional<double>(1));
        mouse(handle, QEvent::MouseButtonPress, handle.rect().center());
        mouse(handle, QEvent::MouseMove, handle.mapFromParent(placeAt(1.2)));
        QVERIFY(!valueOf(0).has_value());
    }

    void limitsFollowKeys()
    {
        for (int limit = 0; limit < 2; ++limit) {
            LimitHandle& handle = showHandle(limit);
            handle.setFocus();
            const bool isX = limit == 0;
            QTest::keyClick(&handle, isX ? Qt::Key_Left : Qt::Key_Down);
            const auto first = valueOf(limit);
            QVERIFY(first.has_value());
            QTest::keyClick(&handle, Qt::Key_PageDown);
            const auto second = valueOf(limit);
            QVERIFY(second < first);
            QTest::keyClick(&handle, isX ? Qt::Key_Right : Qt::Key_Up);
            QVERIFY(valueOf(limit) > second);
            QVERIFY(handle.hasFocus()); // it was not made anew
            // The chart as it is before: an earlier deadline takes more machines, which end sooner.
            const double end = isX ? chart().model().x.low + StartupHours : chart().model().y.low;
            QTest::keyClick(&handle, Qt::Key_Home);
            QVERIFY(std::abs(*valueOf(limit) - end) < 1e-4);
            QTest::keyClick(&handle, Qt::Key_Delete);
            QVERIFY(!valueOf(limit).has_value());
            QTest::keyClick(&handle, Qt::Key_Right); // there is nothing beyond the end
            QVERIFY(!valueOf(limit).has_value());
            // Each key is a step.
            m_window->document().undoStack().undo();
            QVERIFY(valueOf(limit).has_value());
            m_window->document().undoStack().redo();
        }
    }

    void limitsStayOffTables()
    {
        LimitHandle& handle = showHandle(0);
        QVERIFY(handle.isVisible());
        chart().toggleForm();
        QVERIFY(!handle.isVisible());
        chart().toggleForm();
        QVERIFY(handle.isVisible());
        // Without a point there is nothing to hold against a limit.
        find<QLineEdit>(*m_window, "offersFilter")->setText(QStringLiteral("no such offer"));
        QVERIFY(!handle.isVisible());
    }

    void aClickOnAnOfferChoosesIt()
    {
        showHandle(0);
        const ChartModel model = chart().model();
        const auto front =
            std::find_if(model.series.begin(), model.series.end(), [](const ChartSeries& s) {
                return s.name == QLatin1String("None is faster and cheaper");
            });
        QVERIFY(front != model.series.end());
        const ChartPoint& point = front->points.front();
        auto* canvas = find<ChartCanvas>(*m_window, "offersChartCanvas");
        QWidget* view = canvas->findChild<QAbstractScrollArea*>()->viewport();
        QTest::mouseClick(view, Qt::LeftButton, {}, canvas->placeOf({point.x, point.y}).toPoint());
        const auto& chosen = m_window->document().experiment().plan.trainingOffer;
        QVERIFY(chosen.has_value());
        QCOMPARE(chart().model().series.back().name, QStringLiteral("Chosen"));
        QCOMPARE(chart().model().series.back().points.front().x, point.x);
        QCOMPARE(chart().model().series.back().points.front().y, point.y);
        m_window->document().undoStack().undo();
        QVERIFY(!m_window->document().experiment().plan.trainingOffer.has_value());
    }

    void theGaugeHasATable()
    {
        auto* gauge = find<QWidget>(*m_window, "efficiencyGauge");
        gauge->setFocus();
        QTest::keyClick(gauge, Qt::Key_T, Qt::ControlModifier);
        auto* table = find<DataTable>(*m_window, "efficiencyGaugeTable");
        QVERIFY(table->isVisible());
        const auto& efficiency = m_window->document().report().efficiency;
        QCOMPARE(table->model()->rowCount(), static_cast<int>(efficiency.parts.size()) + 1);
        QVERIFY(table->hasFocus());
        QTest::keyClick(table, Qt::Key_T, Qt::ControlModifier);
        QVERIFY(!table->isVisible());
        // It follows the design when it is seen again, and while it is.
        const QString before = table->model()->index(0, 1).data().toString();
        QVERIFY(m_window->document().set("/model/hidden", core::Json(1024)).has_value());
        QTest::keyClick(gauge, Qt::Key_T, Qt::ControlModifier);
        const QString larger = table->model()->index(0, 1).data().toString();
        QVERIFY(larger != before);
        QVERIFY(m_window->document().set("/model/hidden", core::Json(64)).has_value());
        QVERIFY(table->model()->index(0, 1).data().toString() != larger);
        const DisplayLocale& locale = m_window->locale();
        QCOMPARE(table->model()->index(0, 1).data().toString(),
                 makeEfficiencyView(m_window->document().report(), nullptr, locale)
                     .table.rows[0][1]
                     .text);
        QVERIFY(gauge->accessibleDescription().size() > 20);
    }

    void theBaselineIsChosen()
    {
        std::vector<pricing::Compared> others;
        for (const char* preset : {"mlp", "gpt2"}) {
            core::Experiment experiment = core::preset(preset)->experiment;
            experiment.quality.set("mse", core::Json(preset[0] == 'm' ? 0.5 : 0.25));
            others.push_back(
                {preset, experiment, pricing::makeReport(experiment, outlay::tests::catalogs())});
        }
        m_window->compareWith(others);
        m_window->setPage(ComparePage);
        auto* scatter = find<Chart>(*m_window, "compareQualityChart");
        QVERIFY(scatter->isVisible());
        // The document says no mse, and is named.
        QCOMPARE(scatter->model().series.size(), std::size_t{1});
        QVERIFY(find<QLabel>(*m_window, "compareUnplaced")
                    ->text()
                    .contains(QStringLiteral("without mse: Text generator")));
        auto* baseline = find<QComboBox>(*m_window, "compareBaseline");
        QCOMPARE(baseline->currentIndex(), 0);
        Q_EMIT scatter->pointChosen(2);
        QCOMPARE(baseline->currentIndex(), 2);
        QCOMPARE(find<Chart>(*m_window, "compareChart")->model().categories.front(),
                 baseline->itemText(2));
        // Now the last is first: the place of the document is one.
        Q_EMIT scatter->pointChosen(1);
        QCOMPARE(baseline->currentIndex(), 0);
    }

    /// All panels follow in one picture: no chart is painted before the others know the change. Where
    /// words beside a chart become longer, it is painted once more.
    void aChangePaintsEachChartOnce()
    {
        constexpr int Changes = 20;
        PaintCounter painted;
        for (int i = 1; i <= Changes; ++i) {
            QVERIFY(m_window->document().set("/model/hidden", core::Json(256 + 8 * i)).has_value());
            for (int turn = 0; turn < 5; ++turn)
                QCoreApplication::processEvents();
        }
        QVERIFY(painted.counts.size() >= 4);
        for (auto it = painted.counts.cbegin(); it != painted.counts.cend(); ++it) {
            QVERIFY2(it.value() >= Changes, qPrintable(it.key()));
            QVERIFY2(it.value() < Changes + Changes / 2, qPrintable(it.key()));
        }
    }

    /// Slices and the rows beside them share numbers, for who can't tell their colours apart.
    void slicesAreNumbered()
    {
        ChartModel model;
        model.kind = ChartModel::Kind::Doughnut;
        for (std::size_t i = 0; i < 3; ++i)
            model.series.push_back(
                {QStringLiteral("part %1").arg(i), i, {{.y = i < 2 ? 49.0 : 2}}});
        constexpr int Side = 200;
        QImage image(Side, Side, QImage::Format_RGB32);
        const Tokens& tokens = lightTokens();
        image.fill(Qt::gray);
        QPainter painter(&image);
        OverlayPlace place;
        place.plot = QRectF(0, 0, Side, Side);
        place.isShown = [](std::size_t) { return true; };
        paintOverlay(painter, model, place, tokens);
        painter.end();
        // Whether something is painted in the ring's middle in this direction.
        const auto isNumbered = [&](double share) {
            const double angle = 2 * std::numbers::pi * share;
            const double along = (1 + size::DoughnutHole) / 4 * Side;
            const QPoint at(qRound(Side / 2.0 + along * std::sin(angle)),
                            qRound(Side / 2.0 - along * std::cos(angle)));
            const QImage box = image.copy(QRect(at - QPoint(2, 2), QSize(5, 5)));
            for (int y = 0; y < box.height(); ++y) {
                for (int x = 0; x < box.width(); ++x) {
                    if (box.pixel(x, y) != QColor(Qt::gray).rgb())
                        return true;
                }
            }
            return false;
        };
        QVERIFY(isNumbered(0.245));
        QVERIFY(isNumbered(0.735));
        QVERIFY(!isNumbered(0.99)); // too narrow for one
        const auto* name = find<QLabel>(*m_window, "slice0");
        QVERIFY2(name->text().startsWith(QStringLiteral("1  ")), qPrintable(name->text()));
    }

    /// The scene's own wish to be painted is ignored: each of these has to ask for it.
    void whateverChangesAPictureIsPainted()
    {
        const auto paints = [&](const auto& change) {
            QCoreApplication::processEvents();
            PaintCounter painted;
            change();
            for (int turn = 0; turn < 5; ++turn)
                QCoreApplication::processEvents();
            return painted.counts.value(QStringLiteral("adviceChartCanvas"));
        };
        QVERIFY(paints([&] { find<QWidget>(*m_window, "legend0")->setFocus(); }) <= 1);
        QVERIFY(paints([&] { find<QAbstractButton>(*m_window, "legend0")->click(); }) >= 1);
        QVERIFY(paints([&] { applyTheme(ThemeChoice::Dark, {}); }) >= 1);
        QVERIFY(paints([&] { applyTheme(ThemeChoice::Light, {}); }) >= 1);
        QVERIFY(paints([&] { m_window->resize(1600, 1000); }) >= 1);
        QCOMPARE(paints([] {}), 0);
    }

    /// Scales are kept as painted: whatever changes, the picture is that of a chart that has just been made.
    void aChangedChartLooksLikeANewOne()
    {
        const DisplayLocale locale{QLocale(QLocale::English, QLocale::UnitedStates)};
        Chart changed(QStringLiteral("changed"), locale, nullptr);
        changed.setFocusPolicy(Qt::NoFocus); // its frame isn't compared
        static_cast<QWidget&>(changed).show();
        const QSize usual(420, 260);
        int differing = 0;
        QImage before;
        const auto check = [&](const ChartModel& model, const QSize& size, ThemeChoice theme) {
            applyTheme(theme, {});
            changed.resize(size);
            changed.show(model);
            Chart fresh(QStringLiteral("fresh"), locale, nullptr);
            fresh.setFocusPolicy(Qt::NoFocus);
            fresh.resize(size);
            fresh.show(model);
            static_cast<QWidget&>(fresh).show();
            QCoreApplication::processEvents();
            const QImage image = changed.grab().toImage();
            QCOMPARE(image, fresh.grab().toImage());
            QCOMPARE(image, changed.grab().toImage()); // and from memory
            differing += image != before ? 1 : 0;
            before = image;
        };
        check(barsTo(1, "one"), usual, ThemeChoice::Light);
        check(barsTo(2, "one"), usual, ThemeChoice::Light);  // other bars
        check(barsTo(2, "two"), usual, ThemeChoice::Light);  // other names
        check(barsTo(70, "two"), usual, ThemeChoice::Light); // other scale
        check(barsTo(70, "two"), {500, 200}, ThemeChoice::Light);
        check(barsTo(70, "two"), {500, 200}, ThemeChoice::Dark);
        check(barsTo(70, "two"), {500, 200}, ThemeChoice::Light);
        QCOMPARE(differing, 7);
    }

    /// Words say what they are of where they have room, and a title does where they haven't; none is cut either way.
    void wordsOfAnAxisSayWhatOf()
    {
        ChartModel model;
        model.kind = ChartModel::Kind::Scatter;
        model.x = {.title = QStringLiteral("Effort"), .low = 0.5, .high = 3.5};
        model.x.words = {QStringLiteral("low"), QStringLiteral("medium"), QStringLiteral("high")};
        model.y = model.x;
        ChartAxes axes(QLocale(QLocale::English, QLocale::UnitedStates));
        QImage image(400, 120, QImage::Format_ARGB32);
        QPainter painter(&image);
        std::vector<int> below;
        for (const int width : {400, 240}) {
            axes.arrange(model, QSizeF(width, 120));
            below.push_back(axes.margins().bottom());
            const QRectF plot = QRectF(0, 0, width, 120).marginsRemoved(axes.margins());
            image.fill(Qt::white);
            QCOMPARE(axes.paintWords(painter, plot, lightTokens()), QStringList());
            const QImage titled = image;
            ChartModel bare = model;
            bare.x.title.clear();
            axes.arrange(bare, QSizeF(width, 120));
            image.fill(Qt::white);
            (void)axes.paintWords(painter, plot, lightTokens());
            QVERIFY(image != titled); // it is said in either place
        }
        QVERIFY(below[1] > below[0] + size::Small); // by a line
    }

private:
    /// Horizontal bars up to some value, whose last has a name.
    static ChartModel barsTo(double highest, const char* name)
    {
        ChartModel model;
        model.title = QStringLiteral("Bars");
        model.y = axisFromZero(highest, QStringLiteral("USD"));
        ChartSeries series{QStringLiteral("USD"), 0, {}};
        for (const QString& word : {QStringLiteral("first"), QString::fromLatin1(name)}) {
            model.categories.push_back(word);
            const double y = highest / static_cast<double>(model.categories.size());
            series.points.push_back({.y = y, .label = QString::number(y)});
        }
        model.series.push_back(std::move(series));
        return model;
    }

    [[nodiscard]] Chart& chart() const { return *find<Chart>(*m_window, "offersChart"); }

    LimitHandle& showHandle(int limit)
    {
        m_window->setPage(ProvidersPage);
        QCoreApplication::processEvents();
        return *find<LimitHandle>(*m_window, QStringLiteral("offersChartLimit%1").arg(limit));
    }

    [[nodiscard]] std::optional<double> valueOf(int limit) const
    {
        const core::Plan& plan = m_window->document().experiment().plan;
        return limit == 0 ? plan.deadlineHours : plan.budgetUsd;
    }

    /// A share of the plot from its low ends, in the coordinates of the handles' parent.
    [[nodiscard]] QPointF placeAt(double share) const
    {
        const QRectF plot = find<ChartCanvas>(*m_window, "offersChartCanvas")->plotArea();
        return {plot.left() + share * plot.width(), plot.bottom() - share * plot.height()};
    }
};

OUTLAY_TEST(TestWindowCharts)
#include "tst_window_charts.moc"
