// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What several threads do at once: each comes to what one alone comes to. The thread sanitizer watches this, which
// finds nothing where only one thread runs.
#include "gui/session/price_book_file.h"
#include "gui/session/price_importer.h"
#include "gui/session/price_session.h"
#include "gui/view/providers_view.h"
#include "gui/view/tiles_view.h"
#include "pricing/export/export.h"
#include "tests/support/catalogs.h"
#include "tests/support/full_experiments.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

#include <future>
#include <latch>

using namespace outlay;

namespace {

constexpr int Threads = 4;
const pricing::ImportOptions OnTheDay{.asOf = "2026-11-01", .today = "2026-11-20"};

/// What each of several threads comes to, all let go together.
template <typename Job>
std::vector<std::string> together(const Job& job)
{
    std::latch gate(Threads);
    std::vector<std::future<std::string>> running;
    for (int i = 0; i < Threads; ++i) {
        running.push_back(std::async(std::launch::async, [&gate, &job, i] {
            gate.arrive_and_wait();
            return job(i);
        }));
    }
    std::vector<std::string> all;
    for (std::future<std::string>& each : running)
        all.push_back(each.get());
    return all;
}

std::string reportOf(const core::Experiment& experiment, const pricing::Catalogs& catalogs)
{
    return core::writeJson(pricing::toJson(pricing::makeReport(experiment, catalogs), catalogs));
}

/// The tiles and the cheapest offer, in words.
std::string viewsOf(const pricing::Report& report)
{
    const gui::DisplayLocale locale{QLocale(QLocale::German, QLocale::Germany)};
    QString words;
    for (const gui::FigureView& tile : gui::makeTilesView(report, nullptr, locale))
        words += tile.label + tile.value + tile.detail;
    words += gui::makeCheapestView(report, nullptr, locale).value;
    return words.toStdString();
}

} // namespace

class TestThreads : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_home.isValid());
        qputenv("XDG_CONFIG_HOME", m_home.path().toUtf8());
        qputenv("XDG_DATA_HOME", m_home.path().toUtf8());
        // How Qt hands a job to a thread that waits for one the sanitizer can't see, how one is started it can.
        QThreadPool::globalInstance()->setExpiryTimeout(0);
    }

    /// The catalogs are new, so that whatever they fill late is filled by several at once.
    void reports_data()
    {
        QTest::addColumn<QString>("preset");
        for (const core::Preset& preset : outlay::tests::presetsToTry())
            QTest::newRow(preset.id.c_str()) << QString::fromStdString(preset.id);
    }
    void reports()
    {
        QFETCH(QString, preset);
        const core::Experiment experiment = core::preset(preset.toStdString())->experiment;
        const auto fresh = pricing::loadCatalogs("2026-11-20", tests::testMachine());
        QVERIFY(fresh);
        const auto made = together([&](int) { return reportOf(experiment, *fresh); });
        const std::string alone = reportOf(experiment, tests::catalogs());
        for (const std::string& each : made)
            QCOMPARE(each, alone);
    }

    /// Of four threads two read data that the others make Reports from in the meantime.
    void catalogsBesideReports()
    {
        const core::Experiment experiment = tests::measuredGenerator();
        const auto made = together([&](int i) {
            if (i % 2 == 0)
                return reportOf(experiment, tests::catalogs());
            return reportOf(experiment, *pricing::loadCatalogs("2026-11-20", tests::testMachine()));
        });
        for (const std::string& each : made)
            QCOMPARE(each, made.front());
    }

    void views()
    {
        const pricing::Report report = pricing::makeReport(tests::plannedGpt(), tests::catalogs());
        const auto made = together([&](int) { return viewsOf(report); });
        QVERIFY(made.front().size() > 100);
        for (const std::string& each : made)
            QCOMPARE(each, viewsOf(report));
    }

    /// A slider is dragged while a price book is read, and then another: the last one is in use.
    void priceBooksBesideEdits()
    {
        const auto import =
            pricing::importPrices(OUTLAY_TEST_DATA "/prices/own_offers.json", OnTheDay);
        QVERIFY(import && !import->offers.rows.empty());
        const QString offers = m_home.filePath(QStringLiteral("book.json"));
        QVERIFY(gui::saveUserPrices(import->offers, offers.toStdString()));
        gui::Document document(tests::catalogs(), core::preset("text-generator")->experiment);
        gui::Settings settings;
        gui::PriceSession prices(document, settings, nullptr);
        QSignalSpy finished(&prices, &gui::PriceSession::finished);
        const std::size_t before = document.catalogs().book().rows().size();
        prices.read(m_home.filePath(QStringLiteral("none.json")));
        prices.read(offers);
        int batch = 1;
        QTRY_VERIFY_WITH_TIMEOUT(
            document.set("/training/batch", core::Json(++batch)) && !finished.isEmpty(), 60'000);
        QVERIFY(batch > 2);
        QCOMPARE(finished.size(), 1);
        QCOMPARE(finished.first().first().toString(), QString());
        QVERIFY(document.catalogs().book().rows().size() > before);
        QVERIFY(reportOf(document.experiment(), document.catalogs()) !=
                reportOf(document.experiment(), tests::catalogs()));
    }

    void pricesImportedBesideEdits()
    {
        gui::Document document(tests::catalogs(), core::preset("text-generator")->experiment);
        gui::PriceImporter importer;
        std::vector<std::size_t> added;
        std::string problem;
        connect(&importer, &gui::PriceImporter::finished, this, [&](const auto& read) {
            if (read)
                added.push_back(read->counts.added);
            else
                problem = read.error().sentence();
        });
        for (const char* name : {"skypilot_v5.csv", "gpuhunt.csv"}) {
            importer.read(QStringLiteral(OUTLAY_TEST_DATA "/prices/") + QLatin1String(name),
                          OnTheDay, gui::usualPricesPath());
        }
        int batch = 1;
        QTRY_VERIFY_WITH_TIMEOUT(document.set("/training/batch", core::Json(++batch)) &&
                                     (!added.empty() || !problem.empty()),
                                 60'000);
        QCOMPARE(QString::fromStdString(problem), QString());
        QCOMPARE(added.size(), std::size_t(1));
        QVERIFY(added.front() > 0);
    }

private:
    QTemporaryDir m_home;
};

OUTLAY_TEST(TestThreads)
#include "tst_threads.moc"
