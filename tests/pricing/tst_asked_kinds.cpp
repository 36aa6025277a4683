// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Costs on the kinds of machines alone that come into question for a training.
#include "core/experiment/presets.h"
#include "core/hardware/hardware_catalog.h"
#include "pricing/report/make_report.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay::core;
using namespace outlay::pricing;

namespace {

const Catalogs& catalogs()
{
    static const Catalogs all = *loadCatalogs("2026-11-20", thisMachine());
    return all;
}

} // namespace

class TestAskedKinds : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void twinsAreNeededByThoseAfterThem()
    {
        std::vector<MachineKind> kinds(3);
        kinds[1].twin = 1;
        const AskedKinds any;
        AskedKinds last(kinds);
        last.ask(kinds, 2); // the first one's twin
        AskedKinds first(kinds);
        first.ask(kinds, 0);
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            QVERIFY(any.isAsked(i) && any.isNeeded(i));
            QCOMPARE(last.isAsked(i), i == 2);
            QCOMPARE(last.isNeeded(i), i != 1);
            QCOMPARE(first.isAsked(i), i == 0);
            QCOMPARE(first.isNeeded(i), i == 0);
        }
    }

    // Each kind by itself, and those with its twin first: as among all others, which have no forecast then.
    void eachIsForecastAsAmongAll()
    {
        const Experiment e = preset("llama-65b-pretraining")->experiment;
        const std::vector<MachineKind>& kinds = catalogs().devices().kinds();
        const Report all = costsOf(e, catalogs());
        std::size_t twins = 0;
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            const TrainingForecast& whole = all.training.forecasts[i];
            if (!whole.runSeconds.isAvailable() || (kinds[i].twin == i && i % 4 != 0))
                continue;
            twins += isTwin(kinds, i) ? 1U : 0U;
            ReusedSections alone;
            alone.asked = AskedKinds(kinds);
            alone.asked.ask(kinds, i);
            const Report one = costsOf(e, catalogs(), std::move(alone));
            for (std::size_t other = 0; other < kinds.size(); ++other) {
                const TrainingForecast& f = one.training.forecasts[other];
                QCOMPARE(f.runSeconds.isAvailable(), other == i);
                QVERIFY(other == i || f.fits != Fits::Yes);
            }
            const TrainingForecast& f = one.training.forecasts[i];
            QCOMPARE(f.runSeconds.value(), whole.runSeconds.value());
            QCOMPARE(f.machines, whole.machines);
            QVERIFY(f.layout == whole.layout);
        }
        QVERIFY(twins > 3);
    }
};

OUTLAY_TEST(TestAskedKinds)
#include "tst_asked_kinds.moc"
