// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/format.h"
#include "gui/view/summary.h"

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
        const QString text = makeSummary(report, m_english);
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
        QVERIFY(makeSummary(report, m_english).contains(QStringLiteral("block 2")));
    }

private:
    QLocale m_english{QLocale::English, QLocale::UnitedStates};
};

QTEST_GUILESS_MAIN(TestFormat)
#include "tst_format.moc"
