// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/base/units.h"
#include "pricing/export/export.h"
#include "pricing/export/markdown_table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace outlay::pricing {
namespace {

using core::Quantity;

/// The figure in larger units, so that it is read and not counted.
std::string amountText(const Quantity& figure, double value)
{
    constexpr std::array<std::string_view, 5> Prefixes{"", "k", "M", "G", "T"};
    constexpr double Step = 1000;
    std::size_t prefix = 0;
    if (figure.unit() == core::Unit::Bytes) {
        while (std::abs(value) >= Step && prefix + 1 < Prefixes.size()) {
            value /= Step;
            ++prefix;
        }
    }
    const std::string unit =
        figure.unit() == core::Unit::One
            ? std::string()
            : " " + std::string(Prefixes.at(prefix)) + std::string(core::symbol(figure.unit()));
    return core::plainNumber(toThreeDigits(value)) + unit;
}

std::string amountText(const Quantity& figure)
{
    return figure.isAvailable() ? amountText(figure, figure.value()) : "unavailable";
}

std::string amountInterval(const Quantity& figure)
{
    if (!figure.isAvailable() || figure.low() == figure.high())
        return {};
    return amountText(figure, figure.low()) + " to " + amountText(figure, figure.high());
}

std::string amountRow(const std::string& label, const Quantity& figure)
{
    return tableRow({label, amountText(figure), amountInterval(figure), basisText(figure),
                     figure.how().sentence()});
}

std::string amountHead()
{
    return tableHead({"Figure", "Value", "Interval of 80 %", "Basis", "How"});
}

/// "4 x A100-40GB-SXM4 on 1 node".
std::string shapeText(const Application& a)
{
    return core::plainNumber(core::real(a.devices)) + " x " + a.device + " on " +
           core::plainNumber(core::real(a.nodes)) + (a.nodes == 1 ? " node" : " nodes");
}

std::string askedSentence(const Application& a)
{
    if (!a.asked.isAvailable())
        return "**Nothing can be asked for yet:** " + a.asked.how().note.text() + ".\n";
    return "**Asked for: " + amountText(a.asked) + " " + a.unit + "** (" + amountInterval(a.asked) +
           "), for " + core::plainNumber(core::real(a.runs)) + (a.runs == 1 ? " run" : " runs") +
           " on " + shapeText(a) + ", with a reserve of " + core::plainNumber(a.reservePercent) +
           " %.\n";
}

std::string askedTable(const Application& a)
{
    std::string out = amountHead() + amountRow("asked for, " + a.unit, a.asked);
    if (a.isCharged())
        out += amountRow("the same, " + a.hoursName, a.deviceHours);
    return out + amountRow("one run by the clock", a.hours) +
           amountRow("a step on these devices", a.step);
}

std::string measuredTable(const MeasuredStep& m)
{
    std::string out = "\n## The measured step\n\n";
    if (m.by.empty())
        return out + "There is none: " + m.step.how().note.text() + ".\n";
    out += "By " + m.by + ".\n\n" + amountHead() + amountRow("a step", m.step) +
           amountRow("the whole training there", m.run);
    return m.coreHours.isAvailable() ? out + amountRow("that in core-hours", m.coreHours) : out;
}

/// A bar a row: what the devices do of what they would if nothing were lost.
std::string scalingBars(const std::vector<ApplicationRow>& rows)
{
    constexpr double Width = 40;
    std::string out = "```text\n";
    for (const ApplicationRow& row : rows) {
        std::string count = std::to_string(row.devices);
        count.insert(0, std::to_string(rows.back().devices).size() - count.size(), ' ');
        out += count + " ";
        if (!row.efficiency.isAvailable()) {
            out += row.efficiency.how().note.text() + "\n";
            continue;
        }
        const double percent = row.efficiency.value();
        const auto kept = std::lround(Width * std::min(percent / core::PerCent, 1.0));
        for (long i = 0; i < std::lround(Width); ++i)
            out += i < kept ? "█" : "░";
        out += " " + core::plainNumber(std::round(percent)) + " %\n";
    }
    return out + "```\n";
}

/// In three digits, with its interval.
std::string cellText(const Quantity& figure)
{
    const std::string interval = amountInterval(figure);
    return amountText(figure) + (interval.empty() ? "" : " (" + interval + ")");
}

std::string scalingText(const Application& a)
{
    if (a.rows.empty())
        return {};
    std::vector<std::string> columns{"Devices",       "Nodes",      "A run",
                                     "Times as fast", "Efficiency", a.hoursName};
    if (a.isCharged())
        columns.push_back(a.unit);
    std::string out = "\n## How one run scales\n\n" + tableHead(columns);
    for (const ApplicationRow& row : a.rows) {
        std::vector<std::string> cells{std::to_string(row.devices) + (row.isAsked ? ", asked" : ""),
                                       std::to_string(row.nodes),
                                       cellText(row.hours),
                                       cellText(row.speedUp),
                                       cellText(row.efficiency),
                                       cellText(row.deviceHours)};
        if (a.isCharged())
            cells.push_back(cellText(row.units));
        out += tableRow(cells);
    }
    return out +
           "\nTimes as fast as one device, or as the fewest that hold it. What so many devices do "
           "of what they would if nothing were lost:\n\n" +
           scalingBars(a.rows);
}

std::string fitText(const Application& a)
{
    if (a.memoryGb <= 0)
        return "memory on a device";
    const std::string of = "memory on a device of " + core::plainNumber(a.memoryGb) + " GB";
    switch (a.fits) {
    case core::Fits::Yes: return of + ", which holds it";
    case core::Fits::No: return of + ", which doesn't hold it";
    case core::Fits::Unknown: break;
    }
    return of;
}

std::string needsTable(const Application& a)
{
    return "\n## Memory, storage, energy\n\n" + amountHead() + amountRow(fitText(a), a.memory) +
           amountRow("a checkpoint", a.checkpoint) +
           amountRow("all checkpoints that are kept", a.checkpoints) +
           amountRow("the data set", a.dataset) +
           amountRow("energy of the devices, for all that is asked for", a.kwh) +
           amountRow("carbon of that", a.kgCo2e);
}

std::string termsTable(const Application& a)
{
    std::string out = "\n## Assumptions\n\n" + tableHead({"What", "Value", "Source"});
    for (const ApplicationTerm& term : a.terms)
        out += tableRow({term.what, term.value, term.source});
    for (const AssumptionRow& row : a.assumptions)
        out += tableRow(
            {row.pointer, core::writeJson(row.value, core::JsonStyle::Compact), row.source});
    return out;
}

} // namespace

std::string applicationMarkdown(const Application& a)
{
    std::string out = "# Application for compute time: " + a.name + "\n\n" + a.model + ", " +
                      a.work + ".\n" + (a.place.empty() ? "" : "On " + a.place + ".\n") + "\n";
    return out + askedSentence(a) + "\n" + askedTable(a) + measuredTable(a.measured) +
           scalingText(a) + needsTable(a) + termsTable(a) + "\n" + a.provenance + "\n";
}

} // namespace outlay::pricing
