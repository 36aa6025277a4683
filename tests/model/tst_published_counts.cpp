// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Published models, imported from their configs: the counts must be exact.
#include "core/base/file.h"
#include "core/model/import/huggingface.h"
#include "core/workload/parameters.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay::core;

namespace {

Result<Model> modelOf(const Json& row)
{
    if (const Json* config = row.find("config")) {
        auto imported = importHuggingFace(*config);
        if (!imported)
            return failureOf(imported);
        return imported->model;
    }
    auto read = readModel(*row.find("design"), "");
    if (!read)
        return failureOf(read);
    return read->model;
}

} // namespace

class TestPublishedCounts : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        const auto text = loadFile(OUTLAY_TEST_DATA "/published_counts.json");
        QVERIFY(text.has_value());
        auto json = readJson(*text);
        QVERIFY(json.has_value());
        m_rows = *json->find("rows")->asArray();
        QVERIFY(m_rows.size() >= 70);
    }

    void countsAreExact_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            if (m_rows[i].find("not_counted") == nullptr)
                QTest::newRow(m_rows[i].find("id")->asString()->c_str()) << static_cast<int>(i);
        }
    }
    void countsAreExact()
    {
        QFETCH(int, index);
        const Json& row = m_rows[static_cast<std::size_t>(index)];
        const auto model = modelOf(row);
        QVERIFY2(model.has_value(), model ? "" : model.error().sentence().c_str());
        const qint64 published = *row.find("parameters")->asInteger();
        QCOMPARE(qint64{parametersOf(expand(*model))}, published);
    }

    void onlyForeignFamiliesAreLeftOut()
    {
        QStringList left;
        for (const Json& row : m_rows) {
            if (row.find("not_counted") != nullptr)
                left.append(QString::fromStdString(*row.find("id")->asString()));
        }
        QCOMPARE(left,
                 (QStringList{QStringLiteral("param-rwkv4-7B"), QStringLiteral("param-rwkv4-14B"),
                              QStringLiteral("param-transformer-xl-base")}));
    }

private:
    Json::Array m_rows;
};

OUTLAY_TEST(TestPublishedCounts)
#include "tst_published_counts.moc"
