// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How a figure is written: its headline, its interval, its basis, and where it comes from.
#include "gui/view/figure_view.h"
#include "tests/support/english.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay;
using namespace outlay::gui;
using core::Basis;
using core::Quantity;
using core::Unit;
using outlay::tests::Display;

namespace {

} // namespace

class TestFigureView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void headlines_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<Unit>("unit");
        QTest::addColumn<QString>("expected");
        const auto row = [](double value, Unit unit, const char16_t* expected) {
            const QString text = QString::fromUtf16(expected);
            QTest::newRow(qPrintable(text)) << value << unit << text;
        };
        row(0.0004, Unit::Seconds, u"0.40 ms");
        row(12.34, Unit::Seconds, u"12.3 s");
        row(422, Unit::Seconds, u"7 min 02 s");
        row(3599.6, Unit::Seconds, u"1 h 00 min");
        row(3 * 86400.0, Unit::Seconds, u"3.0 days");
        row(2.5, Unit::Hours, u"2 h 30 min");
        row(0.0076, Unit::Usd, u"$0.0076");
        row(18.4, Unit::Usd, u"$18.40");
        row(-1234.2, Unit::Usd, u"-$1,234");
        row(0.0004, Unit::KilogramsCo2e, u"0.400 g CO₂e");
        row(24.5, Unit::KilogramsCo2e, u"24.5 kg CO₂e");
        row(0.058, Unit::KilowattHours, u"58 Wh");
        row(2842400, Unit::One, u"2,842,400");
        row(11'369'600, Unit::Bytes, u"11.4 MB");
    }
    void headlines()
    {
        QFETCH(double, value);
        QFETCH(Unit, unit);
        QFETCH(QString, expected);
        QCOMPARE(headlineText(value, unit, Display), expected);
    }

    // Two steps that lie far apart were measured, and are nothing to rely on.
    void whatIsRoughSaysSo()
    {
        const auto wordOf = [](double low, double high, Basis basis) {
            return makeFigureView({}, Quantity::within(10, low, high, Unit::Seconds, basis, {}),
                                  nullptr, Display)
                .basisWord;
        };
        QCOMPARE(wordOf(9, 11, Basis::Measured), QStringLiteral("measured"));
        QCOMPARE(wordOf(4, 25, Basis::Measured), QStringLiteral("measured, roughly"));
        QCOMPARE(wordOf(4, 25, Basis::Forecast), QStringLiteral("forecast"));
    }

    void figuresExplainThemselves()
    {
        constexpr core::Formula Twice{"twice", "2 x {0}"};
        const Quantity figure = Quantity::within(100, 90, 110, Unit::Bytes, Basis::Forecast,
                                                 core::how(Twice, {50}, "a source, 2026"));
        const Quantity before = Quantity::exact(200, Unit::Bytes, {});
        const FigureView view = makeFigureView(QStringLiteral("Memory"), figure, &before, Display);
        QCOMPARE(view.value, QStringLiteral("100 B"));
        QCOMPARE(view.detail, QStringLiteral("± 10 %"));
        QCOMPARE(view.difference, QStringLiteral("▼ 50 % vs base"));
        QCOMPARE(view.basisWord, QStringLiteral("forecast"));
        QCOMPARE(view.explanation.at(1).text, QStringLiteral("90 B to 110 B"));
        QCOMPARE(view.explanation.at(2).text, QStringLiteral("2 x 50"));
        QCOMPARE(view.explanation.at(3).text, QStringLiteral("a source, 2026"));
        QCOMPARE(view.spoken(), QStringLiteral("Memory: 100 B, forecast, ± 10 %, ▼ 50 % vs base"));
    }
};

OUTLAY_TEST(TestFigureView)
#include "tst_figure_view.moc"
