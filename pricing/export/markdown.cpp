// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "pricing/export/export.h"
#include "pricing/export/markdown_table.h"
#include "pricing/report/compare/headline.h"
#include "pricing/report/offers/cheapest.h"

namespace outlay::pricing {
namespace {

using core::Quantity;

std::string monthText(const MonthReport& month)
{
    if (month.items.empty())
        return {};
    std::string out =
        "\n## The month\n\n" + tableHead({"Item", "Cost", "Interval", "Basis", "How"});
    for (const MonthItem& item : month.items)
        out += figureRow(item.item, item.usd);
    return out + figureRow("total", month.total);
}

std::string mixingText(const MixingReport& mixing)
{
    if (mixing.rows.empty())
        return {};
    std::string out = "\n## Recurrent against attention\n\nOn paper, but for the last column; in "
                      "the twin of this " +
                      mixing.own + " design " + mixing.twin + ".\n\n" +
                      tableHead({"Tokens", "Kind", "Work of a token", "Work of a sequence",
                                 "State or cache", "Activations", "A pass here"});
    for (const MixingRow& r : mixing.rows) {
        for (const auto& [kind, cost] :
             {std::pair("recurrent", &r.recurrent), std::pair("attention", &r.attention)})
            out += tableRow({core::plainNumber(r.tokens), kind, plainValue(cost->flopsPerToken),
                             plainValue(cost->flopsPerSequence), plainValue(cost->stateBytes),
                             plainValue(cost->activationBytes), plainValue(cost->passSeconds)});
    }
    out += "\n" + tableHead({"Measure", "Attention takes more from so many tokens on"});
    for (const MixingCrossing& crossing : mixing.crossings)
        out += tableRow({crossing.measure, crossing.tokens.isAvailable()
                                               ? plainValue(crossing.tokens)
                                               : crossing.tokens.how().note.text()});
    return out;
}

std::string lengthsText(const LengthReport& lengths)
{
    if (lengths.rows.empty())
        return {};
    std::string out = "\n## The sequence's length\n\n" +
                      (lengths.machine.empty() ? "" : "On " + lengths.machine + ".\n\n") +
                      tableHead({"Tokens", "Time", "Cost", "Memory", "Time here",
                                 "Time of the twin", "Cost of the twin", "Memory of the twin"});
    for (const LengthRow& r : lengths.rows) {
        const LengthCost twin = r.twin.value_or(LengthCost{});
        out += tableRow({core::plainNumber(r.tokens), briefText(r.design.hours),
                         briefText(r.design.usd), briefText(r.design.memory), briefText(r.here),
                         briefText(twin.hours), briefText(twin.usd), briefText(twin.memory)});
    }
    return out;
}

std::string devicesText(const DevicesReport& devices)
{
    if (devices.rows.empty() && devices.here.empty())
        return {};
    const std::string where =
        devices.device.empty() ? "" : devices.device + ", on " + devices.machine + ". ";
    std::string out = "\n## Several devices\n\n" + where + "Each has a batch of its own.\n\n" +
                      tableHead({"Devices", "Machines", "Work of a step", "Exchange", "A step",
                                 "Times as fast as one", "Time", "Cost"});
    const auto add = [&](const DevicesRow& r, const std::string& what) {
        out += tableRow({std::to_string(r.devices) + what, std::to_string(r.machines),
                         briefText(r.step.computeSeconds), briefText(r.step.exchangeSeconds),
                         briefText(r.step.stepSeconds), briefText(r.step.speedUp),
                         briefText(r.hours), briefText(r.usd)});
    };
    for (const DevicesRow& r : devices.rows)
        add(r, "");
    for (const DevicesRow& r : devices.here)
        add(r, " processes here");
    return out;
}

std::string offersText(const ExportInput& input)
{
    constexpr std::size_t Most = 5;
    const auto options =
        cheapestMachines({input.report.training.options, input.catalogs, {}}, Most);
    if (options.empty())
        return {};
    std::string out = "\n## The cheapest offers for the training\n\n" +
                      tableHead({"Provider", "Instance", "Region", "Purchase", "Time", "Cost",
                                 "Interval", "Price of"});
    for (const Option* option : options) {
        const Offer offer = offerOf(*option, input.catalogs);
        const Quantity usd = usdOf(*option, input.catalogs);
        out += tableRow(
            {offer.machine.provider,
             timesInstances(*option, input.report.training) + offer.machine.instance, offer.region,
             std::string(core::PurchaseNames.at(static_cast<std::size_t>(offer.purchase))),
             plainValue(paidHoursOf(*option, input.report.training, input.catalogs)),
             plainValue(usd), plainInterval(usd), offer.source.asOf});
    }
    return out;
}

std::string adviceText(const std::vector<AdviceRow>& advice)
{
    if (advice.empty())
        return {};
    std::string out = "\n## Advice\n\n" + tableHead({"Advice", "Category", "Priority", "Effort",
                                                     "Saves a month", "Why"});
    for (const AdviceRow& a : advice)
        out += tableRow({a.enables == Enables::Nothing
                             ? a.title
                             : a.title + " (" + std::string(textOf(a.enables)) + ")",
                         std::string(AdviceCategoryNames.at(static_cast<std::size_t>(a.category))),
                         std::string(LevelNames.at(static_cast<std::size_t>(a.priority))),
                         std::string(LevelNames.at(static_cast<std::size_t>(a.effort))),
                         plainValue(a.savingUsd), a.why});
    return out;
}

std::string watchText(const Report& report)
{
    if (report.alerts.empty() && report.risks.empty())
        return {};
    std::string out = "\n## Alerts and risks\n\n" + tableHead({"What", "State", "What to do"});
    for (const AlertRow& alert : report.alerts)
        out += tableRow({alert.name, alert.state, alert.whatToDo});
    for (const RiskRow& risk : report.risks)
        out += tableRow({risk.name + ": " + risk.why,
                         std::string(LevelNames.at(static_cast<std::size_t>(risk.level))),
                         risk.whatToDo});
    return out;
}

std::string assumptionsText(const std::vector<AssumptionRow>& rows)
{
    std::string out = "\n## Assumptions\n\n" + tableHead({"Setting", "Value", "Source"});
    for (const AssumptionRow& a : rows)
        out += tableRow({a.pointer, core::writeJson(a.value, core::JsonStyle::Compact), a.source});
    return out;
}

} // namespace

std::string markdownReport(const ExportInput& input)
{
    const Report& report = input.report;
    std::string out = "# " + (report.name.empty() ? "Experiment" : core::printable(report.name)) +
                      "\n\n" + report.model.family + ", " + core::grouped(report.model.parameters) +
                      " parameters (" + report.model.convention + "), size class " +
                      report.model.sizeClass + ".\n" + "Outlay " + report.provenance.program +
                      ", method " + report.provenance.method + ", " + input.now + ".\n\n" +
                      tableHead({"Figure", "Value", "Interval", "Basis", "How"});
    for (const Headline& headline : headlinesOf(report, input.catalogs))
        out += figureRow(headline.label, headline.figure);
    for (const EfficiencyPart& part : report.efficiency.parts)
        out += figureRow("efficiency, " + part.name, part.score);
    const ScalingReport& scaling = report.scaling;
    return out + monthText(report.month) + offersText(input) + lengthsText(scaling.lengths) +
           mixingText(scaling.mixing) + devicesText(scaling.devices) + adviceText(report.advice) +
           watchText(report) + assumptionsText(report.assumptions);
}

} // namespace outlay::pricing
