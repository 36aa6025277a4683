// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// No words are cut or lie on others: every page at three sizes in two themes; run again at twice the
// scale, which makes twelve. The last tests damage a window to show that the measure sees it.
#include "gui/panels/panel.h"
#include "gui/widgets/chart.h"
#include "gui/window/actions.h"
#include "tests/gui/window_test.h"
#include "tests/support/test_class.h"
#include "tests/support/text_check.h"
#include "tests/support/words.h"

#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>

using namespace outlay;
using namespace outlay::gui;

class TestWindowText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_home.isValid());
        useHome(m_home);
        // As ctest says, not by chance.
        const double scale =
            qEnvironmentVariable("QT_SCALE_FACTOR", QStringLiteral("1")).toDouble();
        QCOMPARE(qGuiApp->devicePixelRatio(), scale);
    }

    void nothingIsCut_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<ThemeChoice>("theme");
        for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            if (tests::Slower > 1 && theme == ThemeChoice::Dark)
                continue; // another colour touches no other memory
            const QByteArray name = theme == ThemeChoice::Light ? "light" : "dark";
            QTest::newRow("least, " + name) << QSize(1024, 640) << theme;
            QTest::newRow("usual, " + name) << QSize(1280, 820) << theme;
            QTest::newRow("large, " + name) << QSize(1920, 1200) << theme;
        }
    }
    void nothingIsCut()
    {
        QFETCH(QSize, size);
        QFETCH(ThemeChoice, theme);
        applyTheme(theme, {});
        const auto window = shown(size);
        for (int page = 0; page <= static_cast<int>(pages().size()); ++page) {
            open(*window, page);
            QCOMPARE(window->size(), size);
            check(*window, page);
        }
        // With a baseline each figure has a difference beside it.
        window->document().pin();
        QVERIFY(window->document().set("/training/batch", core::Json(32)).has_value());
        open(*window, 0);
        check(*window, 0);
        applyTheme(ThemeChoice::Light, {});
    }

    // Names of machines are longer than those of the first preset.
    void machinesAreNamedInFull()
    {
        for (const double samples : {2e7, 1e8}) {
            const auto window = shown({1100, 900});
            core::Experiment e = core::preset("gated-rnn")->experiment;
            e.training.samples = samples;
            window->document().replace(e, QStringLiteral("the preset"));
            open(*window, 0);
            check(*window, 0);
        }
    }

    // All that a form has, of a design whose fields may all be left open, and of one of each other family.
    void fieldsSayInFullWhatTheyAre()
    {
        for (const char* name : {"llama-3.1-8b-lora", "llama-65b-pretraining", "gru", "mlp"}) {
            const auto window = shown({1100, 900});
            window->document().replace(core::preset(name)->experiment, QString::fromLatin1(name));
            for (auto* button : window->findChildren<QAbstractButton*>()) {
                if (button->isVisible() && button->text().endsWith(QStringLiteral("more fields")))
                    button->click();
            }
            open(*window, 0);
            auto* scroll = window->findChild<QScrollArea*>(QStringLiteral("designer"));
            QVERIFY(scroll != nullptr);
            QScrollBar* bar = scroll->verticalScrollBar();
            for (int at = 0; at <= bar->maximum(); at += scroll->viewport()->height() / 2) {
                bar->setValue(at);
                check(*window, 0);
            }
        }
    }

    // As it comes up, before anybody has drawn at its edges.
    void nothingIsCutAtFirst()
    {
        const auto window = makeWindow(m_home);
        settle();
        QVERIFY(window->width() >= 1400);
        open(*window, 0);
        check(*window, 0);
    }

    // Each field with all of its title beside all of its value, those as well that nobody sees at first.
    void allFieldsFitTheForm_data()
    {
        QTest::addColumn<QByteArray>("preset");
        for (const char* preset :
             {"llama-3.1-8b", "t5-small", "text-generator", "gated-rnn", "mlp"})
            QTest::newRow(preset) << QByteArray(preset);
    }
    void allFieldsFitTheForm()
    {
        QFETCH(QByteArray, preset);
        const auto window = shown({1280, 820});
        window->document().replace(core::preset(preset.toStdString())->experiment,
                                   QStringLiteral("the preset"));
        auto* designer = find<QScrollArea>(*window, "designer");
        const auto openers =
            designer->findChildren<QToolButton*>(QRegularExpression(QStringLiteral("More$")));
        QVERIFY(openers.size() > 3);
        for (QToolButton* opener : openers)
            opener->setChecked(true);
        settle();
        for (const QWidget* field : designer->widget()->findChildren<QWidget*>()) {
            const int right = field->mapTo(designer->widget(), QPoint(field->width(), 0)).x();
            QVERIFY2(!field->isVisible() || right <= designer->viewport()->width(),
                     qPrintable(named(*field, field->accessibleName())));
        }
    }

    // Every sentence of every page, at the usual size, of designs of each kind: words for people, and whole.
    // OUTLAY_LIST_WORDS names a file that gets them all.
    void wordsAreForPeople_data()
    {
        QTest::addColumn<QByteArray>("preset");
        for (const char* preset :
             {"text-generator", "frequency-lstm", "bert-base", "gpt2", "llama-3.1-8b", "mlp",
              "t5-small", "llama-3.1-70b-qlora", "llama-65b-pretraining"})
            QTest::newRow(preset) << QByteArray(preset);
    }
    void wordsAreForPeople()
    {
        QFETCH(QByteArray, preset);
        const auto window = shown({1440, 900});
        window->document().replace(core::preset(preset.toStdString())->experiment,
                                   QStringLiteral("the preset"));
        QFile list(qEnvironmentVariable("OUTLAY_LIST_WORDS"));
        if (!list.fileName().isEmpty())
            QVERIFY(list.open(QIODevice::Append));
        QStringList problems;
        for (int page = 0; page <= static_cast<int>(pages().size()); ++page) {
            open(*window, page);
            for (const QString& words : wordsIn(*window)) {
                if (list.isOpen())
                    list.write(words.toUtf8() + '\n');
                if (hasRawWord(words))
                    problems.append(QStringLiteral("raw: ") + words);
            }
            findShortened(*window, problems);
        }
        problems.removeDuplicates();
        QVERIFY2(problems.isEmpty(), qPrintable(problems.join(QLatin1Char('\n'))));
    }

    void rawWordsAreSeen_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<bool>("isRaw");
        for (const char* raw :
             {"bought on_demand", "bought on_demand.", "/plan/stacks/1 is wrong",
              "set /serving/latency_p95_ms", "std::string", "(null: here)", "it is nan"})
            QTest::newRow(raw) << QString::fromLatin1(raw) << true;
        for (const char* plain : {"bought on demand", "cost_analysis.json", "Standard_ND96isr_v5",
                                  "aws/us-east-1", "in the nannys", "In the file: /plan/budget_usd",
                                  "Serve it\n\nC++:\nmodel->to(torch::kBFloat16);"})
            QTest::newRow(plain) << QString::fromLatin1(plain) << false;
    }
    void rawWordsAreSeen()
    {
        QFETCH(QString, words);
        QTEST(hasRawWord(words), "isRaw");
    }

    void aNarrowLabelIsSeen()
    {
        const auto window = shown({1280, 820});
        open(*window, 0);
        auto* status = find<QLabel>(*window, "status");
        status->setMaximumWidth(status->sizeHint().width() / 2);
        settle();
        QVERIFY(textProblems(*window).join(QLatin1Char('\n')).contains(QStringLiteral("status")));
    }

    void aNarrowFigureIsSeen()
    {
        const auto window = shown({1280, 820});
        open(*window, 0);
        auto* tile = find<FigureLabel>(*window, "tile0");
        tile->setMaximumWidth(60);
        settle();
        QVERIFY(textProblems(*window).join(QLatin1Char('\n')).contains(QStringLiteral("tile0")));
    }

    void anOverlapIsSeen()
    {
        const auto window = shown({1280, 820});
        open(*window, 0);
        auto* status = find<QLabel>(*window, "status");
        auto* cover = new QLabel(QStringLiteral("in the way"), status->parentWidget());
        cover->setObjectName(QStringLiteral("cover"));
        cover->adjustSize();
        cover->move(status->pos());
        cover->show();
        const QString problems = textProblems(*window).join(QLatin1Char('\n'));
        QVERIFY(problems.contains(QStringLiteral("overlap: cover")) ||
                problems.contains(QStringLiteral("and cover")));
    }

    void aCutAxisIsSeen()
    {
        const auto window = shown({1280, 820});
        open(*window, 0);
        find<QWidget>(*window, "adviceChart")->setFixedWidth(size::LeastTile + size::Wide);
        settle();
        open(*window, 0);
        QVERIFY(textProblems(*window)
                    .join(QLatin1Char('\n'))
                    .contains(QStringLiteral("in adviceChartCanvas")));
    }

    void aCutNameIsSeen()
    {
        const auto window = shown({1280, 820});
        open(*window, 0);
        auto* chart = find<Chart>(*window, "comparisonChart");
        ChartModel model = chart->model();
        model.categories.front() = QString(100, QLatin1Char('x'));
        chart->show(model);
        static_cast<void>(window->grab());
        QVERIFY(textProblems(*window).contains(
            QStringLiteral("cut: %1 in comparisonChartCanvas").arg(model.categories.front())));
    }

private:
    static void settle()
    {
        for (int i = 0; i < 5; ++i) {
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            QCoreApplication::processEvents();
        }
    }

    std::unique_ptr<MainWindow> shown(const QSize& size) const
    {
        auto window = makeWindow(m_home);
        window->resize(size);
        settle();
        return window;
    }

    static void open(MainWindow& window, int page)
    {
        window.setPage(page);
        settle();
        static_cast<void>(window.grab()); // charts place their words when they are painted
        settle();
    }

    static void check(MainWindow& window, int page)
    {
        const QStringList problems = textProblems(window);
        QVERIFY2(problems.isEmpty(), qPrintable(QStringLiteral("page %1: ").arg(page) +
                                                problems.join(QLatin1Char('\n'))));
    }

    QTemporaryDir m_home;
};

OUTLAY_TEST(TestWindowText)
#include "tst_window_text.moc"
