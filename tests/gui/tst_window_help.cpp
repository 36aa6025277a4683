// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Help and About in the real window: every panel has its page, every link leads to one, and F1 opens
// the page of where the focus is.
#include "gui/panels/panel.h"
#include "gui/view/about_view.h"
#include "gui/window/actions.h"
#include "gui/window/help_topics.h"
#include "gui/window/help_window.h"
#include "tests/gui/window_test.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QListWidget>
#include <QRegularExpression>
#include <QTextBrowser>

#include <set>

using namespace outlay;
using namespace outlay::gui;

namespace {

QString contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString textOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class TestWindowHelp : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_home.isValid());
        useHome(m_home);
        m_window = makeWindow(m_home);
    }

    void init()
    {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() { delete m_window->findChild<HelpWindow*>(); }
    void cleanupTestCase() { m_window.reset(); }

    void everyPanelHasItsPage()
    {
        for (const auto* rows : {&dashboardPanels(), &pages()}) {
            for (const PanelRow& row : *rows)
                QVERIFY2(helpTopicOf(row.id) != nullptr, qPrintable(row.id));
        }
        QVERIFY(helpTopicOf(QString()) == nullptr);
    }

    // The pages in the program are those in docs/help, each with the title that the list has, and no
    // link leads to nowhere.
    void pagesAreThere()
    {
        const QString folder = QStringLiteral(OUTLAY_SOURCE_DIR "/docs/help");
        std::set<QString> ids;
        static const QRegularExpression Link(QStringLiteral("\\]\\(([^)]+)\\)"));
        for (const HelpTopic& topic : helpTopics()) {
            QVERIFY2(ids.insert(topic.id).second, qPrintable(topic.id));
            const QString text = contentOf(QStringLiteral(":/help/%1.md").arg(topic.id));
            QVERIFY2(text.size() > 200, qPrintable(topic.id));
            QCOMPARE(text, contentOf(folder + QStringLiteral("/%1.md").arg(topic.id)));
            QCOMPARE(text.section(QLatin1Char('\n'), 0, 0), QStringLiteral("# ") + topic.title);
            for (auto links = Link.globalMatch(text); links.hasNext();) {
                const QString name = links.next().captured(1);
                QVERIFY2(QFile::exists(QStringLiteral(":/help/") + name), qPrintable(name));
            }
        }
        QCOMPARE(QDir(folder).entryList({QStringLiteral("*.md")}).size(),
                 static_cast<qsizetype>(ids.size()));
    }

    // What the help says of keys is so.
    void itsKeysAreThose()
    {
        std::set<QString> keys{QStringLiteral("F10")};
        for (const ActionRow& row : actionRows())
            keys.insert(row.keys.toString());
        static const QRegularExpression Key(
            QStringLiteral("\\b(Ctrl\\+(?:Shift\\+)?(?:[A-Z]\\b|comma)|F\\d+|Esc)\\b"));
        for (const HelpTopic& topic : helpTopics()) {
            const QString text = contentOf(QStringLiteral(":/help/%1.md").arg(topic.id));
            for (auto found = Key.globalMatch(text); found.hasNext();) {
                QString key = found.next().captured(1);
                key.replace(QStringLiteral("comma"), QStringLiteral(","));
                // F2 is the table's own.
                QVERIFY2(keys.contains(key) || key == QLatin1String("F2"), qPrintable(key));
            }
        }
    }

    void f1OpensThePageOfTheFocus_data()
    {
        QTest::addColumn<int>("page");
        QTest::addColumn<QString>("focus");
        QTest::addColumn<QString>("topic");
        QTest::newRow("designer") << 0 << "trainingBatch"
                                  << "designer";
        QTest::newRow("figure") << 0 << "tile2"
                                << "figures";
        QTest::newRow("bar") << 0 << "probeButton"
                             << "start";
        QTest::newRow("cost") << 0 << "costChart"
                              << "cost";
        QTest::newRow("carbon") << 0 << "carbonFigure1"
                                << "carbon";
        QTest::newRow("layers") << 1 << "layersFilter"
                                << "layers";
        QTest::newRow("offers") << 3 << "offersFilter"
                                << "offers";
        QTest::newRow("designer beside a page") << 3 << "preset"
                                                << "designer";
        QTest::newRow("nowhere, on a page") << 5 << ""
                                            << "plan";
        QTest::newRow("nowhere, on the dashboard") << 0 << ""
                                                   << "start";
    }
    void f1OpensThePageOfTheFocus()
    {
        QFETCH(int, page);
        QFETCH(QString, focus);
        QFETCH(QString, topic);
        m_window->setPage(page);
        if (focus.isEmpty() && QApplication::focusWidget() != nullptr)
            QApplication::focusWidget()->clearFocus();
        else if (!focus.isEmpty())
            find<QWidget>(*m_window, focus)->setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        auto* help = m_window->findChild<HelpWindow*>();
        QVERIFY(help != nullptr && help->isVisible());
        QCOMPARE(help->topic(), topic);
        const auto* text = find<QTextBrowser>(*help, "helpText");
        QVERIFY(text->toPlainText().size() > 200);
        // The window stays free, and there is one help only.
        m_window->showHelp();
        QCOMPARE(m_window->findChildren<HelpWindow*>().size(), 1);
    }

    void listAndLinksGoTogether()
    {
        m_window->showHelp();
        auto* help = m_window->findChild<HelpWindow*>();
        auto* list = find<QListWidget>(*help, "helpTopics");
        auto* text = find<QTextBrowser>(*help, "helpText");
        for (int i = 0; i < list->count(); ++i) {
            list->setCurrentRow(i);
            QVERIFY(text->toPlainText().startsWith(list->item(i)->text()));
        }
        text->setSource(QUrl(QStringLiteral("figures.md")));
        QCOMPARE(help->topic(), QStringLiteral("figures"));
        QCOMPARE(text->document()->toPlainText().section(QLatin1Char('\n'), 0, 0),
                 list->currentItem()->text());
        QApplication::setActiveWindow(help); // the test's screen has no window manager
        QTest::keyClick(text, Qt::Key_Escape);
        QTRY_VERIFY(m_window->findChild<HelpWindow*>() == nullptr);
    }

    // Every repository and address that the data of the program and of its tests name.
    void licencesNameEverySource_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("files");
        QTest::addColumn<QString>("place");
        QTest::newRow("resources")
            << QStringLiteral(OUTLAY_SOURCE_DIR "/resources") << QStringLiteral("*.json")
            << QStringLiteral("([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)@[0-9a-f]{8,}"
                              "|\\b((?:[a-z0-9-]+\\.)+(?:com|org|net|gov|io|me|se|ae|city))\\b"
                              "|\"(?:name\": ?\")?([A-Z]?[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+) ");
        QTest::newRow("tests") << QStringLiteral(OUTLAY_TEST_DATA) << QStringLiteral("published_*")
                               << QStringLiteral(
                                      "github(?:\\.com/|:)([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)");
    }
    void licencesNameEverySource()
    {
        QFETCH(QString, folder);
        QFETCH(QString, files);
        QFETCH(QString, place);
        const QString licences = textOf(QStringLiteral(OUTLAY_SOURCE_DIR "/docs/licences.md"));
        const QRegularExpression source(place);
        int places = 0;
        for (const QString& name : QDir(folder).entryList({files})) {
            auto found = source.globalMatch(textOf(QDir(folder).filePath(name)));
            for (; found.hasNext(); ++places) {
                const auto match = found.next();
                const QString its = match.captured(match.lastCapturedIndex());
                QVERIFY2(licences.contains(its), qPrintable(its));
            }
        }
        QVERIFY(places > 40);
    }

    void aboutNamesLicencesAndDates()
    {
        const pricing::Provenance& provenance = m_window->document().report().provenance;
        const QString licences = textOf(QStringLiteral(OUTLAY_SOURCE_DIR "/docs/licences.md"));
        const QString text = makeAboutText(provenance, QStringLiteral("6.4.2"), licences);
        for (const char* part :
             {"0.1.0", "Qt 6.4.2", "LGPL-3.0-only", "GPL-3.0-or-later", "LibTorch", "BSD-3-Clause",
              "nlohmann", "MIT", "tl::expected", "CC0-1.0", "Inter", "OFL-1.1", "JetBrains Mono"})
            QVERIFY2(text.contains(QLatin1String(part)), part);
        QVERIFY(provenance.data.size() >= 4);
        for (const pricing::DataRow& row : provenance.data)
            QVERIFY(text.contains(QString::fromStdString("| " + row.name + " | " + row.asOf +
                                                         " | " + row.hash.substr(0, 12))));
        // Sources of data with their licences, and without how these are known.
        const QString sources = text.section(QStringLiteral("## What its data are from"), 1);
        for (const char* row : {"| Epoch AI, Data on Machine Learning Hardware | CC BY |",
                                "| Electricity Maps data portal (electricitymaps.com) | ODbL |",
                                "| aws/karpenter-provider-aws | Apache-2.0 |"})
            QVERIFY2(sources.contains(QLatin1String(row)), row);
        QVERIFY(!sources.contains(QStringLiteral("keras-hub"))); // the tests' alone
        QVERIFY(sources.count(QLatin1Char('\n')) > 50);
        for (const QString& line : sources.split(QLatin1Char('\n')))
            QVERIFY2(line.section(QStringLiteral(" | "), 1).size() < 60, qPrintable(line));
        find<QAction>(*m_window, "actionAbout")->trigger();
        const auto* shown = find<QTextBrowser>(*m_window, "aboutText");
        QVERIFY(shown->isVisible());
        QVERIFY(shown->toPlainText().contains(QLatin1String(qVersion())));
        QVERIFY(shown->toPlainText().contains(QStringLiteral("oneDNN")));
        QVERIFY(!shown->toPlainText().contains(QLatin1Char('|')));
    }

private:
    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;
};

OUTLAY_TEST(TestWindowHelp)
#include "tst_window_help.moc"
