// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/energy_meter.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <string>

using outlay::worker::EnergyMeter;

class TestEnergyMeter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void addsPackagesAndGoesRoundTheRange()
    {
        write("intel-rapl:0", "energy_uj", "1000000");
        write("intel-rapl:0", "max_energy_range_uj", "5000000");
        write("intel-rapl:1", "energy_uj", "4000000");
        write("intel-rapl:1", "max_energy_range_uj", "5000000");
        write("intel-rapl:0:0", "energy_uj", "0"); // a part of a package isn't counted again
        write("intel-rapl:0:0", "max_energy_range_uj", "5000000");
        write("intel-rapl:2", "name", "psys"); // nor is the platform around them
        write("intel-rapl:2", "energy_uj", "0");
        write("intel-rapl:2", "max_energy_range_uj", "5000000");
        const auto meter = EnergyMeter::makeRapl(m_folder.path().toStdString());
        QVERIFY(meter != nullptr);
        QCOMPARE(meter->joules(), std::optional(0.0));
        write("intel-rapl:2", "energy_uj", "4500000");
        write("intel-rapl:0", "energy_uj", "3500000"); // 2.5 J
        write("intel-rapl:1", "energy_uj", "500000");  // 1.5 J, beyond its range
        write("intel-rapl:0:0", "energy_uj", "4000000");
        QCOMPARE(meter->joules(), std::optional(4.0));
        write("intel-rapl:0", "energy_uj", "4000000");
        QCOMPARE(meter->joules(), std::optional(4.5));
    }

    // A counter counts on between two looks: how often it is read changes nothing.
    void theTotalDoesNotDependOnHowOftenItIsRead()
    {
        for (const int period : {1, 3, 10}) {
            write("intel-rapl:0", "energy_uj", "0");
            write("intel-rapl:0", "max_energy_range_uj", "5000000");
            write("intel-rapl:1", "energy_uj", "0");
            const auto meter = EnergyMeter::makeRapl(m_folder.path().toStdString());
            QVERIFY(meter != nullptr);
            for (int i = 1; i <= 30; ++i) {
                const int microjoules = 400'000 * i % 5'000'000;
                write("intel-rapl:0", "energy_uj", std::to_string(microjoules).c_str());
                if (i % period == 0)
                    QVERIFY(meter->joules().has_value());
            }
            QVERIFY(std::abs(meter->joules().value_or(0) - 30 * 0.4) < 1e-9);
        }
    }

    void aCounterThatCannotBeReadIsNothingNotZero()
    {
        const auto meter = EnergyMeter::makeRapl(m_folder.path().toStdString());
        QVERIFY(meter != nullptr);
        QVERIFY(QFile::remove(m_folder.filePath(QStringLiteral("intel-rapl:1/energy_uj"))));
        QVERIFY(!meter->joules().has_value());
    }

    void aMachineWithoutCountersHasNoMeter()
    {
        QVERIFY(EnergyMeter::makeRapl("/nowhere/at/all") == nullptr);
        const QTemporaryDir empty;
        QVERIFY(EnergyMeter::makeRapl(empty.path().toStdString()) == nullptr);
    }

private:
    void write(const char* zone, const char* name, const char* text)
    {
        const QString folder = QString::fromLatin1(zone);
        QDir(m_folder.path()).mkpath(folder);
        QFile file(m_folder.filePath(folder + QLatin1Char('/') + QString::fromLatin1(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    QTemporaryDir m_folder;
};

OUTLAY_TEST(TestEnergyMeter)
#include "tst_energy_meter.moc"
