// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Quality in the designer, by keys: entered, changed, read from files, undone, and shown in Compare.
#include "core/experiment/quality.h"
#include "gui/view/quality_view.h"
#include "gui/widgets/data_table.h"
#include "gui/window/quality_editor.h"
#include "tests/gui/window_test.h"
#include "tests/support/test_class.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

using namespace outlay;
using namespace outlay::gui;

class TestQualityEditor : public WindowTest {
    Q_OBJECT
private Q_SLOTS:
    void aFigureIsEntered()
    {
        const DocumentState start = m_window->document().state();
        enter("accuracy", "0.93", 1);
        QCOMPARE(figures(),
                 (std::vector<core::QualityFigure>{{"accuracy", 0.93, core::Better::Larger}}));
        QVERIFY(edit("qualityNameNew")->text().isEmpty());
        QCOMPARE(edit("qualityValue0")->text(), QStringLiteral("0.93"));
        // Changed in its row, then taken out.
        type(edit("qualityValue0"), "0.5");
        QCOMPARE(figures().front().value, 0.5);
        auto* better = find<QComboBox>(*m_window, "qualityBetter0");
        better->setFocus();
        QTest::keyClick(better, Qt::Key_Down);
        QCOMPARE(figures().front().better, std::optional(core::Better::Smaller));
        find<QToolButton>(*m_window, "qualityRemove0")->click();
        QVERIFY(figures().empty());
        QVERIFY(m_window->findChild<QWidget*>(QStringLiteral("qualityValue0")) == nullptr);
        // Each of the four is one step of undo.
        QCOMPARE(m_window->document().undoStack().count(), 4);
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_window->document().state(), start);
        QVERIFY(m_window->findChild<QWidget*>(QStringLiteral("qualityValue0")) == nullptr);
    }

    // The rows stay: who goes on with the keyboard is where they were.
    void theTabKeyGoesOn()
    {
        enter("accuracy", "0.93", 1);
        enter("loss", "0.4", 2);
        QLineEdit* value = edit("qualityValue0");
        auto* next = find<QToolButton>(*m_window, "qualityRemove1");
        value->setFocus();
        value->selectAll();
        QTest::keyClicks(value, QStringLiteral("0.95"));
        QTest::keyClick(value, Qt::Key_Tab);
        QCOMPARE(figures().front().value, 0.95);
        QCOMPARE(edit("qualityValue0"), value);
        QVERIFY(next->hasFocus());
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(value->text(), QStringLiteral("0.93"));
    }

    void whatIsWrongIsTold_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("says");
        QTest::newRow("no name") << ""
                                 << "1"
                                 << "name such as accuracy";
        QTest::newRow("blank name") << "   "
                                    << "1"
                                    << "name such as accuracy";
        QTest::newRow("kept for the curve") << "curve"
                                            << "1"
                                            << "name such as accuracy";
        QTest::newRow("no value") << "mse"
                                  << ""
                                  << "number such as";
        QTest::newRow("a word") << "mse"
                                << "good"
                                << "number such as";
        QTest::newRow("too large") << "mse"
                                   << "1e999"
                                   << "number such as";
    }
    void whatIsWrongIsTold()
    {
        QFETCH(QString, name);
        QFETCH(QString, value);
        QFETCH(QString, says);
        enter(name, value, 0);
        QVERIFY2(note().contains(says), qPrintable(note()));
        QVERIFY(figures().empty());
        QCOMPARE(edit("qualityNameNew")->text(), name); // nothing that was typed is lost
        enter("mse", "0.25", 2);
        QVERIFY(note().isEmpty());
        QCOMPARE(figures().size(), std::size_t{1});
    }

    void filesAreRead()
    {
        auto* editor = find<QualityEditor>(*m_window, "qualityEditor");
        editor->readFile(write("losses.csv", "epoch,loss\n1,3\n2,2\n3,1.5\n"));
        const auto* curve = find<QLabel>(*m_window, "qualityCurve");
        QVERIFY(curve->isVisibleTo(editor));
        QCOMPARE(curve->text(), QStringLiteral("Loss over 3 epochs: 3 to 1.5"));
        editor->readFile(
            write("figures.json", R"({"accuracy": 0.9, "better": {"accuracy": "larger"}})"));
        QCOMPARE(figures(),
                 (std::vector<core::QualityFigure>{{"accuracy", 0.9, core::Better::Larger}}));
        QVERIFY(curve->isVisibleTo(editor)); // a file without a curve leaves it
        const core::Json before = m_window->document().experiment().quality;
        editor->readFile(write("broken.csv", "epoch,loss\n1,low\n"));
        QVERIFY2(note().contains(QStringLiteral("broken.csv, line 2")), qPrintable(note()));
        editor->readFile(m_home.filePath(QStringLiteral("none.json")));
        QVERIFY2(note().contains(QStringLiteral("none.json")), qPrintable(note()));
        QCOMPARE(m_window->document().experiment().quality, before);
        find<QPushButton>(*m_window, "qualityDropCurve")->click();
        QVERIFY(!curve->isVisibleTo(editor));
        QVERIFY(note().isEmpty());
    }

    // The advice on early stopping rests on the curve.
    void aCurveIsAdvice()
    {
        const auto isAdvised = [this] {
            const auto& advice = m_window->document().report().advice;
            return std::any_of(advice.begin(), advice.end(), [](const pricing::AdviceRow& row) {
                return row.title.starts_with("Stop after epoch 2");
            });
        };
        QVERIFY(m_window->document().set("/training/epochs", core::Json(50)).has_value());
        QVERIFY(!isAdvised());
        find<QualityEditor>(*m_window, "qualityEditor")
            ->readFile(write("losses.json", "[5, 1, 1, 1, 1]"));
        QVERIFY(isAdvised());
    }

    void compareShowsIt()
    {
        enter("accuracy", "0.93", 1);
        m_window->setPage(7);
        const core::Experiment other = core::preset("gru")->experiment;
        m_window->compareWith(
            {{"gru.json", other, pricing::makeReport(other, outlay::tests::catalogs())}});
        const QAbstractItemModel* table = find<DataTable>(*m_window, "compareTable")->model();
        bool isFound = false;
        for (int row = 0; row < table->rowCount(); ++row) {
            if (table->index(row, 0).data().toString() !=
                QStringLiteral("Quality, accuracy (larger is better)"))
                continue;
            isFound = true;
            QCOMPARE(table->index(row, 1).data().toString(), QStringLiteral("0.93"));
            QCOMPARE(table->index(row, 2).data().toString(), QStringLiteral("unavailable"));
        }
        QVERIFY(isFound);
    }

    void viewsWriteWhatIsKnown()
    {
        const core::Json quality =
            core::Json::Object{{"mse", 0.0013}, {"note", "x"}, {"steps", 12000}};
        const QualityView view =
            makeQualityView(quality, QLocale(QLocale::German, QLocale::Germany));
        QCOMPARE(view.lines, (std::vector<QualityLine>{{"mse", "0,0013", std::nullopt},
                                                       {"steps", "12.000", std::nullopt}}));
        QVERIFY(view.curve.isEmpty());
        const auto read = readQualityLine({"r2", "0,99", core::Better::Larger},
                                          QLocale(QLocale::German, QLocale::Germany));
        QVERIFY(read.has_value());
        QCOMPARE(read->value, 0.99);
    }

private:
    [[nodiscard]] std::vector<core::QualityFigure> figures() const
    {
        return core::qualityOf(m_window->document().experiment().quality).figures;
    }
    [[nodiscard]] QLineEdit* edit(const char* name) const
    {
        return find<QLineEdit>(*m_window, name);
    }
    [[nodiscard]] QString note() const
    {
        const auto* label = find<QLabel>(*m_window, "qualityNote");
        return label->isVisibleTo(label->parentWidget()) ? label->text() : QString();
    }

    static void type(QLineEdit* edit, const QString& text)
    {
        edit->setFocus();
        edit->selectAll();
        QTest::keyClick(edit, Qt::Key_Delete);
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
    }

    void enter(const QString& name, const QString& value, int better)
    {
        auto* nameEdit = edit("qualityNameNew");
        nameEdit->setFocus();
        nameEdit->selectAll();
        QTest::keyClick(nameEdit, Qt::Key_Delete);
        QTest::keyClicks(nameEdit, name);
        find<QComboBox>(*m_window, "qualityBetterNew")->setCurrentIndex(better);
        type(edit("qualityValueNew"), value);
    }

    QString write(const char* name, const QByteArray& content) const
    {
        QFile file(m_home.filePath(QLatin1String(name)));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("a test file can't be written");
        file.write(content);
        return file.fileName();
    }
};

OUTLAY_TEST(TestQualityEditor)
#include "tst_quality_editor.moc"
