// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/application/application_content.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;
using Number = std::function<std::string(double)>;

/// "4 x A100-40GB-SXM4 on 1 node".
std::string shapeOf(const Application& a, const Number& number)
{
    return number(real(a.devices)) + " x " + a.device + " on " + number(real(a.nodes)) +
           (a.nodes == 1 ? " node" : " nodes");
}

std::string reasonOf(const Quantity& figure)
{
    return figure.how().note.text();
}

std::string askedFor(const Application& a, const Number& number)
{
    if (!a.asked.isAvailable())
        return "Nothing can be asked for yet: " + reasonOf(a.asked);
    const auto text = [&](double value) { return number(toThreeDigits(value)); };
    const std::string range =
        a.asked.low() < a.asked.high()
            ? text(a.asked.low()) + " to " + text(a.asked.high()) + " (80 %), "
            : std::string();
    return range + "for " + number(real(a.runs)) + (a.runs == 1 ? " run on " : " runs on ") +
           shapeOf(a, number) + ", with a reserve of " + number(a.reservePercent) + " %";
}

std::vector<ContentFigure> amountsOf(const Application& a)
{
    std::vector<ContentFigure> rows{{a.unit + " asked for", a.asked, ContentKind::Count}};
    if (a.isCharged())
        rows.push_back({"the same in " + a.hoursName, a.deviceHours, ContentKind::Count});
    rows.push_back({"one run by the clock", a.hours});
    rows.push_back({"a step on these devices", a.step});
    return rows;
}

std::vector<ContentFigure> measuredOf(const MeasuredStep& m)
{
    if (m.by.empty())
        return {};
    std::vector<ContentFigure> rows{{"a step, measured", m.step},
                                    {"one run where it was measured", m.run}};
    if (m.coreHours.isAvailable())
        rows.push_back({"that in core-hours", m.coreHours, ContentKind::Count});
    return rows;
}

ContentRow rowOf(const Application& a, const ApplicationRow& row, const Number& number)
{
    ContentRow out{.devices = number(real(row.devices)) + (row.isAsked ? ", asked" : ""),
                   .nodes = number(real(row.nodes)),
                   .figures = {{"A run", row.hours},
                               {"Times as fast", row.speedUp},
                               {"Efficiency", row.efficiency, ContentKind::Part},
                               {a.hoursName, row.deviceHours, ContentKind::Count}}};
    if (a.isCharged())
        out.figures.push_back({a.unit, row.units, ContentKind::Count});
    return out;
}

std::string speedTitle(const Application& a, const Number& number)
{
    if (a.base <= 1)
        return "Times as fast as one device";
    const std::string base = number(real(a.base));
    return "Times as fast, " + base + " devices counted as " + base;
}

bool isAboveAll(const ApplicationRow& row)
{
    return row.efficiency.isAvailable() && std::round(row.efficiency.value()) > PerCent;
}

std::string scalingNote(const Application& a, const Number& number)
{
    if (a.base == 0)
        return {};
    std::string note = speedTitle(a, number) +
                       (a.base == 1 ? "."
                                    : ": fewer don't hold the training, and what these lose "
                                      "among each other isn't known.");
    note += " Efficiency is times as fast over the number of devices.";
    if (std::any_of(a.rows.begin(), a.rows.end(), isAboveAll))
        note += " Above 100 %: of more devices each holds and updates less, which leaves room to "
                "work on more at once than on the " +
                (a.base == 1 ? "one" : number(real(a.base))) + " that they are compared with.";
    return note;
}

/// "memory on a device of 64 GB, which holds it".
std::string memoryLabel(const Application& a, const Number& number)
{
    if (a.memoryGb <= 0)
        return "memory on a device";
    const std::string of = "memory on a device of " + number(a.memoryGb) + " GB";
    switch (a.fits) {
    case Fits::Yes: return of + ", which holds it";
    case Fits::No: return of + ", which doesn't hold it";
    case Fits::Unknown: break;
    }
    return of;
}

std::vector<ContentFigure> needsOf(const Application& a, const Number& number)
{
    return {{memoryLabel(a, number), a.memory},
            {"a checkpoint", a.checkpoint},
            {"all checkpoints that are kept", a.checkpoints},
            {"the data set", a.dataset},
            {"energy of the devices, in all", a.kwh},
            {"carbon of that", a.kgCo2e}};
}

} // namespace

ApplicationContent contentOf(const Application& a, const Number& number)
{
    ApplicationContent out{.title = "Application for compute time: " + a.name,
                           .subject = a.model + ", " + a.work,
                           .place = a.place,
                           .askedFor = askedFor(a, number),
                           .amounts = amountsOf(a),
                           .measuredBy = a.measured.by.empty()
                                             ? "No step was measured: " + reasonOf(a.measured.step)
                                             : "The step was measured by " + a.measured.by,
                           .measured = measuredOf(a.measured),
                           .speedTitle = speedTitle(a, number),
                           .scalingNote = scalingNote(a, number),
                           .needs = needsOf(a, number)};
    if (a.asked.isAvailable())
        out.asked = number(toThreeDigits(a.asked.value())) + " " + a.unit;
    for (const ApplicationRow& row : a.rows)
        out.scaling.push_back(rowOf(a, row, number));
    return out;
}

} // namespace outlay::pricing
