// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The settings, in the dialog by keys and on disk: each is seen at once, a bad one is told beside its
// field, and what an older version stored is still read.
#include "gui/session/price_book_file.h"
#include "gui/widgets/figure_label.h"
#include "tests/gui/window_test.h"
#include "tests/support/test_class.h"

#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

using namespace outlay;
using namespace outlay::gui;

namespace {

void type(QLineEdit* edit, const QString& text)
{
    edit->setFocus();
    edit->selectAll();
    QTest::keyClick(edit, Qt::Key_Delete);
    QTest::keyClicks(edit, text);
    QTest::keyClick(edit, Qt::Key_Return);
}

void choose(QComboBox* box, const QVariant& data)
{
    box->setCurrentIndex(box->findData(data));
    Q_EMIT box->activated(box->currentIndex());
}

QString note(const MainWindow& window, const char* name)
{
    const auto* label = find<QLabel>(window, QLatin1String(name) + QStringLiteral("Note"));
    return label->isVisible() ? label->text() : QString();
}

} // namespace

class TestSettings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_home = makeHome();
        m_window = makeWindow(*m_home);
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::keyClick(m_window.get(), Qt::Key_Comma, Qt::ControlModifier);
        QVERIFY(find<QWidget>(*m_window, "settingsDialog")->isVisible());
    }
    void cleanup()
    {
        m_window.reset();
        qputenv("OUTLAY_PROBE", OUTLAY_FAKE_WORKER);
        applyTheme(ThemeChoice::Light, {});
    }

    void theThemeIsSeenAtOnce()
    {
        auto* box = find<QComboBox>(*m_window, "settingTheme");
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Down);
        QTest::keyClick(box, Qt::Key_Down);
        QCOMPARE(m_window->settings().value(setting::theme()), 2);
        QTRY_VERIFY(tokensOf(m_window->palette()).isDark);
        QCOMPARE(m_window->settings().value(setting::theme()), 2);
    }

    void numbersAreSeenAtOnce()
    {
        m_window->setPage(2);
        const QString before = tile(0).value;
        choose(find<QComboBox>(*m_window, "settingLocale"), QStringLiteral("de_DE"));
        QVERIFY(before != tile(0).value);
        QVERIFY(tile(0).value.contains(QLatin1Char('.')));
        QVERIFY(find<QLineEdit>(*m_window, "trainingSamples")->text().contains(QLatin1Char('.')));
        QVERIFY(m_window->findChild<QWidget*>(QStringLiteral("probePage"))->isVisible());
        // Nothing of what was shown before is left.
        QCOMPARE(m_window->findChildren<FigureLabel*>(QStringLiteral("tile0")).size(), 1);
        // The designer is alive.
        type(find<QLineEdit>(*m_window, "trainingBatch"), QStringLiteral("64"));
        QCOMPARE(m_window->document().experiment().training.batch, 64);
    }

    void aCurrencyNeedsRateAndDay()
    {
        const QString dollars = tile(3).value;
        auto* rate = find<QLineEdit>(*m_window, "settingRate");
        QVERIFY(!rate->isEnabled());
        choose(find<QComboBox>(*m_window, "settingCurrency"), QStringLiteral("EUR"));
        QVERIFY(rate->isEnabled());
        QCOMPARE(tile(3).value, dollars);
        QVERIFY(note(*m_window, "settingCurrency").contains(QStringLiteral("stay in US dollars")));
        for (const char* bad : {"much", "-1", "1e9", "inf"}) {
            type(rate, QLatin1String(bad));
            QVERIFY2(!note(*m_window, "settingRate").isEmpty(), bad);
            QCOMPARE(tile(3).value, dollars);
        }
        type(rate, QStringLiteral("0.5"));
        QVERIFY(note(*m_window, "settingRate").isEmpty());
        QVERIFY(tile(3).value.startsWith(QStringLiteral("€")));
        auto* day = find<QLineEdit>(*m_window, "settingRateDay");
        QCOMPARE(day->text().size(), 10); // today's
        type(day, QStringLiteral("yesterday"));
        QVERIFY(note(*m_window, "settingRateDay").contains(QStringLiteral("year-month-day")));
        type(day, QStringLiteral("2026-11-01"));
        QVERIFY(note(*m_window, "settingRateDay").isEmpty());
        QVERIFY(cardOf(3).contains(QStringLiteral("1 USD = 0.5 EUR, your own rate of 2026-11-01")));
        // A rate of one currency is none of another.
        choose(find<QComboBox>(*m_window, "settingCurrency"), QStringLiteral("GBP"));
        QCOMPARE(tile(3).value, dollars);
        QVERIFY(rate->text().isEmpty());
        // The Report itself never changed.
        QVERIFY(!m_window->isWindowModified());
    }

    void distancesAreSeenAtOnce()
    {
        core::Experiment large = core::preset("text-generator")->experiment;
        large.training.epochs = 10000;
        large.training.samples = 1e7;
        m_window->document().replace(large, QStringLiteral("a long run"));
        const auto text = [this] { return find<QLabel>(*m_window, "carbonEquivalents")->text(); };
        QVERIFY2(text().contains(QStringLiteral("miles")), qPrintable(text()));
        auto* box = find<QComboBox>(*m_window, "settingDistance");
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Down);
        QVERIFY(text().contains(QStringLiteral("km")));
    }

    void newExperimentsHaveTheirPlace()
    {
        auto* place = find<QLineEdit>(*m_window, "settingPlace");
        type(place, QStringLiteral("aws/atlantis"));
        QVERIFY(note(*m_window, "settingPlace").contains(QStringLiteral("aws/eu-central-1")));
        QVERIFY(m_window->settings().value(setting::place()).isEmpty());
        type(place, QStringLiteral("aws/eu-north-1"));
        QVERIFY(note(*m_window, "settingPlace").isEmpty());
        QVERIFY(!m_window->document().experiment().site.region);
        auto* preset = find<QComboBox>(*m_window, "preset");
        preset->setFocus();
        QTest::keyClick(preset, Qt::Key_Down);
        QCOMPARE(m_window->document().experiment().site.region, std::string("aws/eu-north-1"));
    }

    void anOwnPriceBookIsRead()
    {
        const QString broken = write(QStringLiteral("broken.json"), "{\"format\": \"x\"}");
        const QString before = tile(2).value;
        auto* edit = find<QLineEdit>(*m_window, "settingPriceBook");
        for (const QString& bad : {broken, m_home->filePath(QStringLiteral("none.json"))}) {
            type(edit, bad);
            QTRY_VERIFY_WITH_TIMEOUT(
                note(*m_window, "settingPriceBook").contains(QFileInfo(bad).fileName()), 20000);
            QVERIFY(m_window->settings().value(setting::priceBook()).isEmpty());
            QCOMPARE(tile(2).value, before);
        }
        const QString sound = m_home->filePath(QStringLiteral("mine.json"));
        QVERIFY(saveUserPrices(tenfoldPrices(), sound.toStdString()));
        type(edit, sound);
        QTRY_VERIFY_WITH_TIMEOUT(
            note(*m_window, "settingPriceBook").contains(QStringLiteral("in use")), 20000);
        QCOMPARE(m_window->settings().value(setting::priceBook()), sound);
        QVERIFY(tile(2).value != before);
        QVERIFY(!m_window->isWindowModified());
        // The same file, changed meanwhile.
        auto* again = find<QPushButton>(*m_window, "settingPriceBookAgain");
        const QString tenfold = tile(2).value;
        QVERIFY(QFile::rename(sound, sound + QStringLiteral("~")));
        again->click();
        QTRY_VERIFY_WITH_TIMEOUT(
            note(*m_window, "settingPriceBook").contains(QStringLiteral("mine.json")), 20000);
        QCOMPARE(tile(2).value, tenfold);
        QVERIFY(QFile::rename(sound + QStringLiteral("~"), sound));
        again->click();
        QTRY_VERIFY_WITH_TIMEOUT(
            note(*m_window, "settingPriceBook").contains(QStringLiteral("in use")), 20000);
        // Commands use the same book.
        QCOMPARE(QString::fromStdString(userPricesPath()), sound);
        type(edit, QString());
        QTRY_COMPARE_WITH_TIMEOUT(tile(2).value, before, 20000);
    }

    void aWorkerIsAskedWhetherItAnswers_data()
    {
        QTest::addColumn<QByteArray>("mode");
        QTest::addColumn<QString>("says");
        QTest::newRow("answers") << QByteArray("waits") << QStringLiteral("It answers: fake");
        QTest::newRow("done at once") << QByteArray("done") << QStringLiteral("It answers: fake");
        QTest::newRow("other version") << QByteArray("version") << QStringLiteral("protocol");
    }
    void aWorkerIsAskedWhetherItAnswers()
    {
        QFETCH(QByteArray, mode);
        QFETCH(QString, says);
        qunsetenv("OUTLAY_PROBE");
        qputenv("OUTLAY_FAKE_PROBE", mode);
        type(find<QLineEdit>(*m_window, "settingWorker"), QStringLiteral(OUTLAY_FAKE_WORKER));
        QCOMPARE(m_window->settings().value(setting::worker()), QStringLiteral(OUTLAY_FAKE_WORKER));
        auto* check = find<QPushButton>(*m_window, "settingWorkerCheck");
        check->click();
        QVERIFY(!check->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(check->isEnabled(), 20000);
        QVERIFY2(note(*m_window, "settingWorker").contains(says),
                 qPrintable(note(*m_window, "settingWorker")));
        // It is the one that measures.
        qputenv("OUTLAY_FAKE_PROBE", "done");
        find<QPushButton>(*m_window, "probeButton")->click();
        const auto& stored = m_window->document().experiment().measurements;
        QTRY_COMPARE_WITH_TIMEOUT(stored.all().rows().size(), std::size_t{1}, 20000);
    }

    void aWorkerThatIsNoneIsTold()
    {
        auto* edit = find<QLineEdit>(*m_window, "settingWorker");
        type(edit, m_home->filePath(QStringLiteral("nowhere")));
        QVERIFY(note(*m_window, "settingWorker").contains(QStringLiteral("no such file")));
        type(edit, write(QStringLiteral("text"), "x"));
        QVERIFY(note(*m_window, "settingWorker").contains(QStringLiteral("can't be run")));
        find<QPushButton>(*m_window, "settingWorkerCheck")->click();
        QVERIFY(note(*m_window, "settingWorker").contains(QStringLiteral("can't be run")));
        QVERIFY(m_window->settings().value(setting::worker()).isEmpty());
    }

    void secondsHaveLimits()
    {
        auto* edit = find<QLineEdit>(*m_window, "settingProbeSeconds");
        for (const char* bad : {"", "0", "1e9", "soon"}) {
            type(edit, QLatin1String(bad));
            QVERIFY2(note(*m_window, "settingProbeSeconds").contains(QStringLiteral("0.5")), bad);
            QCOMPARE(m_window->settings().value(setting::probeSeconds()), 10.0);
        }
        type(edit, QStringLiteral("20"));
        QCOMPARE(m_window->settings().value(setting::probeSeconds()), 20.0);
    }

    // Stored by the first version; what it didn't know has its default.
    void anOlderVersionIsRead()
    {
        storeSettings("[General]\nversion=1\ntheme=2\nlocale=de_CH\nrecent=/a.json, /b.json\n\n"
                      "[probe]\nseconds=30\n");
        const Settings settings;
        QCOMPARE(settings.value(setting::theme()), 2);
        QCOMPARE(settings.value(setting::locale()), QStringLiteral("de_CH"));
        QCOMPARE(settings.value(setting::probeSeconds()), 30.0);
        QCOMPARE(settings.value(setting::recent()),
                 QStringList({QStringLiteral("/a.json"), QStringLiteral("/b.json")}));
        QCOMPARE(settings.value(setting::currency()), QStringLiteral("USD"));
        QVERIFY(!displayLocaleOf(settings).isConverted());
    }

    // Whatever a hand or a newer version wrote: the default stands in.
    void nonsenseOnDiskIsTheDefault()
    {
        storeSettings("[General]\nversion=99\ntheme=7\nlocale=xx_XX\ndistance=many\n\n[currency]\n"
                      "code=XYZ\nrate=-3\nas_of=soon\n\n[probe]\nseconds=never\nworker=/nowhere\n\n"
                      "[experiment]\nplace=moon/base\n");
        const Settings settings;
        QCOMPARE(settings.value(setting::theme()), 0);
        QVERIFY(settings.value(setting::locale()).isEmpty());
        QCOMPARE(settings.value(setting::distance()), 0);
        QCOMPARE(settings.value(setting::currency()), QStringLiteral("USD"));
        QCOMPARE(settings.value(setting::currencyRate()), 0.0);
        QVERIFY(settings.value(setting::currencyAsOf()).isEmpty());
        QCOMPARE(settings.value(setting::probeSeconds()), 10.0);
        QVERIFY(settings.value(setting::worker()).isEmpty());
        QVERIFY(settings.value(setting::place()).isEmpty());
    }

private:
    const FigureView& tile(int index) const
    {
        return find<FigureLabel>(*m_window, QStringLiteral("tile%1").arg(index))->view();
    }

    QString cardOf(int index) const
    {
        QString text;
        for (const ExplanationRow& row : tile(index).explanation)
            text += row.text + QLatin1Char('\n');
        return text;
    }

    QString write(const QString& name, const QByteArray& content) const
    {
        QFile file(m_home->filePath(name));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("a test file can't be written");
        file.write(content);
        return file.fileName();
    }

    void storeSettings(const QByteArray& content)
    {
        m_window.reset();
        QDir(m_home->path()).mkpath(QStringLiteral("outlay"));
        const QString path = write(QStringLiteral("outlay/outlay.ini"), content);
        QSettings(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("outlay"),
                  QStringLiteral("outlay"))
            .sync();
    }

    /// The program's own offers at ten times their price, as of yesterday.
    static pricing::OfferTable tenfoldPrices()
    {
        pricing::OfferTable table = tests::catalogs().book().table();
        for (pricing::OfferRow& row : table.rows) {
            if (row.usdPerHour)
                row.usdPerHour = *row.usdPerHour * 10;
        }
        for (pricing::PriceSource& source : table.sources)
            source.asOf = "2026-11-19";
        return table;
    }

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<MainWindow> m_window;
};

OUTLAY_TEST(TestSettings)
#include "tst_settings.moc"
