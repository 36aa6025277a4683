// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/chart_model.h"
#include "gui/view/format.h"
#include "gui/view/summary.h"
#include "tests/support/catalogs.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay::gui;
using namespace outlay::core;

class TestFormat : public QObject {
    Q_OBJECT
private slots:
    void scales_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("expected");
        QTest::newRow("zero") << 0.0 << QStringLiteral("0 B");
        QTest::newRow("small") << 12.0 << QStringLiteral("12 B");
        QTest::newRow("fraction") << 0.5 << QStringLiteral("0.50 B");
        QTest::newRow("mega") << 11'369'600.0 << QStringLiteral("11.4 MB");
        QTest::newRow("rounds up") << 999'600.0 << QStringLiteral("1.00 MB");
        QTest::newRow("stays") << 999'400.0 << QStringLiteral("999 kB");
        QTest::newRow("negative") << -1234.0 << QStringLiteral("-1.23 kB");
        QTest::newRow("beyond") << 1e25 << QStringLiteral("10,000 ZB");
    }
    void scales()
    {
        QFETCH(double, value);
        QFETCH(QString, expected);
        QCOMPARE(scaledText(value, u"B", m_english), expected);
    }

    void valuesInTheirUnits_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<int>("unit");
        QTest::addColumn<QString>("expected");
        const auto row = [](double value, Unit unit, const char* expected) {
            QTest::newRow(expected)
                << value << static_cast<int>(unit) << QString::fromLatin1(expected);
        };
        row(185.152, Unit::Usd, "$185.15");
        row(3145.92, Unit::Usd, "$3,145.92");
        row(0.0075833, Unit::Usd, "$0.00758");
        row(-1.2, Unit::Usd, "-$1.20");
        row(0, Unit::Usd, "$0");
        row(0.0583333, Unit::KilowattHours, "0.0583 kWh");
        row(12345, Unit::KilowattHours, "12,345 kWh");
        row(0.0245, Unit::KilogramsCo2e, "24.5 g CO2e");
        row(8.76, Unit::KilogramsCo2e, "8.76 kg CO2e");
        row(12300, Unit::KilogramsCo2e, "12.3 t CO2e");
        row(0.05, Unit::Seconds, "50 ms");
        row(95, Unit::Seconds, "95 s");
        row(420, Unit::Seconds, "7 min");
        row(69.4, Unit::Hours, "2.89 days");
        row(11.1, Unit::Hours, "11.1 h");
        row(1500, Unit::Milliseconds, "1.50 s");
        row(73.4, Unit::One, "73.4");
        row(2842400, Unit::One, "2,842,400");
        row(12.34, Unit::Percent, "12.3 %");
        row(11369600, Unit::Bytes, "11.4 MB");
    }
    void valuesInTheirUnits()
    {
        QFETCH(double, value);
        QFETCH(int, unit);
        QFETCH(QString, expected);
        QCOMPARE(valueText(value, static_cast<Unit>(unit), m_english), expected);
    }

    // Nobody says megagrams.
    void heavyThingsAreTonnes()
    {
        QCOMPARE(scaledText(820, u"g", m_english), QStringLiteral("820 g"));
        QCOMPARE(scaledText(8'200, u"g", m_english), QStringLiteral("8.20 kg"));
        QCOMPARE(scaledText(8.2e6, u"g", m_english), QStringLiteral("8.20 t"));
        QCOMPARE(scaledText(1.64e9, u"g", m_english), QStringLiteral("1.64 kt"));
        QCOMPARE(scaledText(1.64e12, u"g", m_english), QStringLiteral("1.64 Mt"));
        QCOMPARE(scaledAxis(1.5e9, QStringLiteral("CO2e"), QStringLiteral("g")).axis.title,
                 QStringLiteral("CO2e (kt)"));
        QCOMPARE(scaledAxis(1.5e9, QStringLiteral("Memory"), QStringLiteral("B")).axis.title,
                 QStringLiteral("Memory (GB)"));
    }

    void followsTheLocale()
    {
        const QLocale german(QLocale::German, QLocale::Germany);
        QCOMPARE(scaledText(11'369'600, u"B", german), QStringLiteral("11,4 MB"));
        QCOMPARE(countText(2'842'400, german), QStringLiteral("2.842.400"));
        QCOMPARE(countText(2'842'400, m_english), QStringLiteral("2,842,400"));
    }

    void unavailableIsNeverZero()
    {
        const Quantity none = Quantity::unavailable(Unit::Bytes, "no reading");
        QCOMPARE(figureText(none, m_english), QStringLiteral("unavailable"));
        QCOMPARE(intervalText(none, m_english), QString());
    }

    void intervals()
    {
        const Quantity q = Quantity::within(2000, 1000, 3000, Unit::Bytes, Basis::Forecast, {});
        QCOMPARE(figureText(q, m_english), QStringLiteral("2.00 kB"));
        QCOMPARE(intervalText(q, m_english), QStringLiteral("1.00 kB to 3.00 kB"));
        QCOMPARE(intervalText(Quantity::exact(3, Unit::Bytes, {}), m_english), QString());
    }

    void theSummaryGroupsManyLayersAndLinesUp()
    {
        outlay::pricing::Report report;
        report.name = "deep";
        for (int i = 0; i < 40; ++i)
            report.model.layers.push_back({"block " + std::to_string(i), "dense", 10, 20, 30, 40});
        const QString text = makeSummary(report, outlay::tests::catalogs(), m_english);
        QVERIFY(text.startsWith(QStringLiteral("deep\n")));
        QVERIFY(!text.contains(QStringLiteral("block 3")));
        const QStringList lines = text.split(QLatin1Char('\n'));
        const auto at = [&](const QString& start) {
            const auto found = std::find_if(lines.begin(), lines.end(), [&](const QString& line) {
                return line.startsWith(start);
            });
            return found == lines.end() ? QString() : *found;
        };
        QVERIFY(at(QStringLiteral("  dense")).contains(QStringLiteral(" 40 ")));
        QVERIFY(at(QStringLiteral("  dense")).contains(QStringLiteral("400")));
        QCOMPARE(at(QStringLiteral("  dense")).size(), at(QStringLiteral("  total")).size());
        report.model.layers.resize(3);
        QVERIFY(makeSummary(report, outlay::tests::catalogs(), m_english)
                    .contains(QStringLiteral("block 2")));
    }

private:
    QLocale m_english{QLocale::English, QLocale::UnitedStates};
};

OUTLAY_TEST(TestFormat)
#include "tst_format.moc"
