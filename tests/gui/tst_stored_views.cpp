// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Every view of two experiments, line by line, beside what tests/data/views.txt holds: whatever a change does to
// a word, a bar or an explanation is seen. Where it is meant, OUTLAY_WRITE_VIEWS=1 writes the file anew, and the
// difference is read.
#include "core/base/file.h"
#include "gui/view/advice_view.h"
#include "gui/view/assumptions_view.h"
#include "gui/view/carbon_view.h"
#include "gui/view/cost_view.h"
#include "gui/view/efficiency_view.h"
#include "gui/view/figure_view.h"
#include "gui/view/form_view.h"
#include "gui/view/format.h"
#include "gui/view/layers_view.h"
#include "gui/view/measurement_text.h"
#include "gui/view/memory_view.h"
#include "gui/view/offers_view.h"
#include "gui/view/picture_view.h"
#include "gui/view/plan_view.h"
#include "gui/view/probe_view.h"
#include "gui/view/providers_view.h"
#include "gui/view/resources_view.h"
#include "gui/view/scaling_view.h"
#include "gui/view/shortlist_view.h"
#include "gui/view/status_view.h"
#include "gui/view/summary.h"
#include "gui/view/tiles_view.h"
#include "gui/view/vary_view.h"
#include "gui/view/verdict_view.h"
#include "gui/view/weights_view.h"
#include "gui/view/work_view.h"
#include "pricing/report/make_report.h"
#include "tests/support/english.h"
#include "tests/support/full_experiments.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay;
using namespace outlay::gui;
using outlay::tests::Display;

namespace {

const std::string StoredViews = std::string(OUTLAY_TEST_DATA) + "/views.txt";

/// What is shown, in words: one line for each figure, each under the names of what it stands in.
class Lines {
public:
    void add(const QString& name, const QString& text)
    {
        for (const QString& line : text.split(QLatin1Char('\n'))) {
            if (!line.isEmpty())
                m_lines.append(name + QStringLiteral(": ") + line);
        }
    }
    void add(const QString& name, const FigureView& f)
    {
        add(name,
            QStringList{f.label, f.value, f.detail, f.place, f.difference, f.basisWord}.join(Mark));
        for (const ExplanationRow& row : f.explanation)
            add(name + QStringLiteral(" card"), row.name + Mark + row.text);
    }
    void add(const QString& name, const TableData& table)
    {
        for (const auto& row : table.rows) {
            QStringList cells;
            for (const TableCell& cell : row)
                cells.append(cell.hint.isEmpty() ? cell.text : cell.text + Hint + cell.hint);
            add(name, cells.join(Mark));
        }
    }
    void add(const QString& name, const ChartModel& chart)
    {
        add(name,
            QStringList{chart.title, chart.subtitle, chart.description, chart.middle, chart.empty}
                .join(Mark));
        add(name + QStringLiteral(" axes"), axis(chart.x) + Mark + axis(chart.y));
        for (const QString& category : chart.categories)
            add(name + QStringLiteral(" category"), category);
        for (const ChartLimit& limit : chart.limits)
            add(name + QStringLiteral(" limit"), limit.name + Mark + number(limit.at));
        for (const ChartSeries& series : chart.series) {
            for (const ChartPoint& p : series.points)
                add(name + QLatin1Char(' ') + series.name, point(p));
        }
    }
    void add(const QString& name, const std::vector<FigureView>& figures)
    {
        for (const FigureView& figure : figures)
            add(name, figure);
    }
    void add(const QString& name, const ScoreView& score)
    {
        add(name, QStringList{score.name, score.text, score.remedy, score.why}.join(Mark));
    }

    /// With its limits, and some of the stops of its slider.
    void add(const QString& name, const FormField& field)
    {
        QStringList parts{field.label,       field.unit,
                          field.hint,        fieldText(field, QLocale::c()),
                          number(field.low), number(field.high)};
        const std::vector<double> stops =
            field.slider ? stopsOf(*field.slider) : std::vector<double>();
        for (std::size_t i = 0; i < stops.size(); i += 3)
            parts.append(number(stops[i]));
        parts.append(QStringLiteral("varied"));
        for (const double value : valuesToVary(field))
            parts.append(number(value));
        add(name + QString::fromStdString(field.pointer), parts.join(Mark));
    }

    [[nodiscard]] const QStringList& all() const { return m_lines; }

private:
    static constexpr QLatin1String Mark{" | "};
    static constexpr QLatin1String Hint{" ? "};

    /// As far as it can be seen: the last digits depend on the order in which a compiler adds.
    static QString number(double value) { return QString::number(value, 'g', 7); }
    static QString axis(const ChartAxis& a)
    {
        return QStringLiteral("%1 %2 to %3%4")
            .arg(a.title, number(a.low), number(a.high),
                 a.isLog ? QStringLiteral(" log") : QString());
    }
    static QString point(const ChartPoint& p)
    {
        QStringList parts{number(p.x), number(p.y)};
        for (const auto& value : {p.low, p.high, p.reference})
            parts.append(value ? number(*value) : QStringLiteral("-"));
        parts << p.label << p.brief << number(p.weight);
        return parts.join(Mark);
    }

    QStringList m_lines;
};

void addPanels(Lines& lines, const pricing::Report& r, const pricing::Report* baseline)
{
    const auto& at = tests::catalogs();
    lines.add("tiles", makeTilesView(r, baseline, Display));
    const CostView cost = makeCostView(r, baseline, Display);
    lines.add("cost", cost.verdict + QLatin1Char('\n') + cost.lacking);
    lines.add("cost", cost.chart);
    lines.add("cost", cost.total);
    const ProvidersView offers = makeProvidersView({r, baseline, &at}, Display);
    lines.add("comparison", offers.verdict);
    lines.add("comparison", offers.chart);
    lines.add("comparison", offers.cheapest);
    const EfficiencyView efficiency = makeEfficiencyView(r, baseline, Display);
    lines.add("efficiency", efficiency.verdict + QLatin1Char('\n') + efficiency.description);
    lines.add("efficiency", efficiency.whole);
    for (const ScoreView& part : efficiency.parts)
        lines.add("efficiency", part);
    lines.add("efficiency", efficiency.table);
    const ResourcesView resources = makeResourcesView(r, Display);
    lines.add("resources", resources.verdict + QLatin1Char('\n') + resources.sources);
    lines.add("resources", resources.chart);
    const CarbonView carbon = makeCarbonView(r, baseline, Display);
    lines.add("carbon", carbon.verdict + QLatin1Char('\n') + carbon.equivalents);
    lines.add("carbon", carbon.figures);
    const AdviceView advice = makeAdviceView(r, Display);
    lines.add("advice", advice.verdict);
    lines.add("advice", advice.chart);
    for (const AdviceItem& item : advice.items)
        lines.add("advice", QStringList{item.number, item.title, item.saving, item.why}.join(' '));
}

void addPages(Lines& lines, const pricing::Report& r, const pricing::Report* baseline)
{
    const MemoryView memory = makeMemoryView(r, baseline, Display);
    lines.add("memory", memory.verdict);
    lines.add("memory", memory.chart);
    lines.add("memory", std::vector{memory.training, memory.serving});
    lines.add("weights", makeWeightsView(r, Display).chart);
    const WorkView work = makeWorkView(r, Display);
    lines.add("work", work.total);
    lines.add("work", work.chart);
    lines.add("layers", makeLayersView(r, Display).table);
    const PlanView plan = makePlanView(r, Display);
    lines.add("plan", plan.verdict);
    for (const PlanTable& table : plan.tables) {
        lines.add("plan " + table.id, table.empty);
        lines.add("plan " + table.id, table.table);
    }
    const ScalingView scaling = makeScalingView(r, Display);
    lines.add("scaling", scaling.verdict + QLatin1Char('\n') + scaling.waysTitle);
    lines.add("scaling cost", scaling.cost);
    lines.add("scaling latency", scaling.latency);
    lines.add("scaling", scaling.table);
    lines.add("scaling ways", scaling.ways);
    for (const GrowthPart& part : scaling.parts) {
        lines.add("growth " + part.id, part.verdict);
        for (const ChartModel& chart : part.charts)
            lines.add("growth " + part.id, chart);
        lines.add("growth " + part.id, part.table);
    }
    const ProbeView probe = makeProbeView(r.probe, Display);
    lines.add("probe", QStringList{probe.verdict, probe.machine, probe.variantsNote}.join('\n'));
    lines.add("probe", probe.figures);
    lines.add("probe variants", probe.variants);
    lines.add("probe steps", probe.steps);
    lines.add("probe throughput", probe.throughput);
    lines.add("assumptions", makeAssumptionsView(r, Display).table);
    lines.add("shortlist", makeShortlistView(r, &tests::catalogs(), Display).table);
    lines.add("status", makeStatusText(r, Display));
    lines.add("summary", makeSummary(r, tests::catalogs(), Display));
}

QStringList viewsOf(const core::Experiment& e)
{
    core::Experiment before = e;
    before.training.epochs *= 2;
    before.measurements = {};
    const pricing::Report baseline = pricing::makeReport(before, tests::catalogs());
    const pricing::Report report = pricing::makeReport(e, tests::catalogs());
    Lines lines;
    addPanels(lines, report, &baseline);
    addPages(lines, report, nullptr);
    lines.add("verdict", makeVerdictView(report, Display).sentence);
    const PictureView picture = makePictureView(e, report, PictureSubject::Dashboard, Display);
    lines.add("picture", QStringList{picture.title, picture.subtitle, picture.work, picture.places,
                                     picture.assumptions}
                             .join('\n'));
    for (const core::MeasurementPtr& m : e.measurements.all().rows())
        lines.add("measurement", makeMeasurementText(*m, Display));
    return lines.all();
}

QStringList formOf(const core::Experiment& e)
{
    Lines lines;
    for (const FormSection& section : makeFormView(e)) {
        for (const FormField& field : section.fields)
            lines.add(section.title, field);
    }
    return lines.all();
}

/// Each unit at every magnitude.
QStringList figures()
{
    Lines lines;
    for (int unit = 0; unit <= static_cast<int>(core::Unit::UsdPerKilowattHour); ++unit) {
        for (int exponent = -7; exponent <= 14; ++exponent) {
            const double value = 3.4567 * std::pow(10.0, exponent);
            const auto of = static_cast<core::Unit>(unit);
            lines.add(QStringLiteral("figure"), headlineText(value, of, Display) +
                                                    QStringLiteral(" | ") +
                                                    valueText(value, of, Display));
        }
    }
    return lines.all();
}

/// What the commands say of each preset, and the headlines.
QStringList summaries()
{
    Lines lines;
    for (const core::Preset& preset : *core::presets()) {
        const QString name = QString::fromStdString(preset.id);
        const pricing::Report report = pricing::makeReport(preset.experiment, tests::catalogs());
        lines.add(name, makeTilesView(report, nullptr, Display));
        lines.add(name, makeSummary(report, tests::catalogs(), Display));
    }
    return lines.all();
}

QStringList views()
{
    QStringList all = figures() + summaries();
    for (const char* id : {"mlp", "gated-rnn", "small-gpt", "bert-base", "t5-small"})
        all += formOf(core::preset(id)->experiment);
    for (const core::Experiment& e : {tests::measuredGenerator(), tests::plannedGpt()}) {
        for (const QString& line : viewsOf(e))
            all.append(QString::fromStdString(e.name) + QLatin1Char('/') + line);
    }
    return all;
}

} // namespace

class TestStoredViews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void viewsStayWhatTheyWere()
    {
        const QStringList now = views();
        if (qEnvironmentVariableIsSet("OUTLAY_WRITE_VIEWS"))
            QVERIFY(core::saveFile(StoredViews, now.join(QLatin1Char('\n')).toStdString() + "\n")
                        .has_value());
        const auto text = core::loadFile(StoredViews);
        QVERIFY(text.has_value());
        const QStringList before = QString::fromStdString(*text).trimmed().split(QLatin1Char('\n'));
        QVERIFY(now.size() > 600);
        for (qsizetype i = 0; i < std::min(now.size(), before.size()); ++i)
            QCOMPARE(now[i].trimmed(), before[i].trimmed());
        QCOMPARE(now.size(), before.size());
    }
};

OUTLAY_TEST(TestStoredViews)
#include "tst_stored_views.moc"
