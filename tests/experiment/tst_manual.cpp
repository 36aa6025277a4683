// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// docs/experiment.md lists every key of an experiment; this holds it to what the reader knows. After
// a change, run this with OUTLAY_WRITE_MANUAL=1 to bring the tables up to date.
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/experiment/experiment.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay::core;

namespace {

/// One row for each field: key, meaning, what it may be, default.
class TableVisitor final : public FieldVisitor {
public:
    void integer(const Field& f, std::int64_t& v) override { row(f, range(f), std::to_string(v)); }
    void integer(const Field& f, std::optional<std::int64_t>&) override { row(f, range(f), ""); }
    void number(const Field& f, double& v) override { row(f, range(f), plainNumber(v)); }
    void number(const Field& f, std::optional<double>&) override { row(f, range(f), ""); }
    void flag(const Field& f, bool& v) override { row(f, "true, false", v ? "true" : "false"); }
    void flag(const Field& f, std::optional<bool>&) override { row(f, "true, false", ""); }
    void text(const Field& f, std::string& v) override { row(f, "text", v); }
    void text(const Field& f, std::optional<std::string>&) override { row(f, "text", ""); }
    void texts(const Field& f, std::vector<std::string>&) override { row(f, "list of texts", ""); }
    void integers(const Field& f, std::vector<std::int64_t>&) override
    {
        row(f, "whole number or list, each " + range(f), "");
    }
    void choice(const Field& f, std::optional<std::size_t>& v,
                std::span<const std::string_view> names) override
    {
        row(f, joined(names, ", "), v ? std::string(names[*v]) : "");
    }
    void objects(const Field& f, const ObjectList& list) override
    {
        const bool isList = list.form == ObjectList::Form::List;
        row(f, isList ? "list of objects" : "object or null", "");
        const std::string before = m_prefix;
        m_prefix += std::string(f.key) + (isList ? "/*/" : "/");
        list.resize(1);
        list.describeItem(0, *this);
        list.resize(0);
        m_prefix = before;
    }
    using FieldVisitor::choice;

    [[nodiscard]] std::string text() const
    {
        return "| Key | Meaning | May be | Default |\n|---|---|---|---|\n" + m_rows;
    }

private:
    static std::string range(const Field& f)
    {
        return f.low < f.high ? plainNumber(f.low) + " to " + plainNumber(f.high) : "";
    }

    void row(const Field& f, const std::string& values, const std::string& usual)
    {
        const bool isRequired = f.presence == Presence::Required;
        m_rows += "| `" + m_prefix + std::string(f.key) + "` | " + std::string(f.what) + " | " +
                  values + " | " + (isRequired ? "required" : usual) + " |\n";
    }

    std::string m_prefix;
    std::string m_rows;
};

template <typename T>
std::string section(const std::string& title, T value)
{
    TableVisitor visitor;
    describe(visitor, value);
    return "\n## " + title + "\n\n" + visitor.text();
}

std::string layerSection()
{
    std::string text =
        "\n## `model`, family `layers`\n\nA list of objects under `layers`; each has a "
        "`name`, a `kind`, and\n";
    Layer layer;
    for (const LayerSpec& prototype : layerPrototypes()) {
        layer.spec = prototype;
        TableVisitor visitor;
        describe(visitor, layer.spec);
        const std::string kind(kindOf(prototype));
        const bool isSeen = text.find("`" + kind + "`:") != std::string::npos;
        if (!isSeen)
            text += "\nfor `" + kind + "`:\n\n" + visitor.text();
    }
    return text;
}

std::string tables()
{
    return section("`model`, families `lstm`, `gru`, `rnn`", RecurrentDesign{}) +
           section("`model`, family `gated-rnn`", GatedRnnDesign{}) +
           section("`model`, family `transformer`", TransformerDesign{}) +
           section("`model`, family `mlp`", MlpDesign{}) + layerSection() +
           section("`training`", Training{}) + section("`serving`", Serving{}) +
           section("`site`", Site{}) + section("`plan`", Plan{});
}

} // namespace

class TestManual : public QObject {
    Q_OBJECT
private slots:
    void listsEveryKey()
    {
        const std::string path = OUTLAY_SOURCE_DIR "/docs/experiment.md";
        const std::string manual = loadFile(path).value();
        const std::string mark = "<!-- tables -->\n";
        const std::size_t start = manual.find(mark);
        QVERIFY(start != std::string::npos);
        const std::string wanted = manual.substr(0, start + mark.size()) + tables();
        if (qEnvironmentVariableIsSet("OUTLAY_WRITE_MANUAL"))
            QVERIFY(saveFile(path, wanted).has_value());
        QVERIFY2(loadFile(path).value() == wanted,
                 "docs/experiment.md is out of date; run this with OUTLAY_WRITE_MANUAL=1");
    }
};

OUTLAY_TEST(TestManual)
#include "tst_manual.moc"
