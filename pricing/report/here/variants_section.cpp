// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The table of variants of the measurement that the Report uses.
#include "pricing/report/sections.h"

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula TimeFormula{"variant.time", "{0} s / {1} s, medians of {2} rounds in turns"};
constexpr Formula VariantMemoryFormula{"variant.memory", "{0} B / {1} B over the loaded model"};

VariantRow rowOf(const VariantMeasurement& v, const std::string& source)
{
    VariantRow row{
        .variant = v.variant,
        .what = std::string(whatIs(v.variant)),
        .name = v.name,
        .subject = std::string(VariantSubjectNames.at(static_cast<std::size_t>(v.subject))),
        .timeRatio = Quantity::unavailable(Unit::One, v.unavailable),
        .memoryRatio = Quantity::unavailable(
            Unit::One, v.isMeasured() ? "its memory can't be seen on this device" : v.unavailable),
        .difference = v.difference,
        .proof = v.proof};
    if (!v.isMeasured())
        return row;
    row.timeRatio = Quantity::within(
        v.ratio, v.lowRatio, v.highRatio, Unit::One, Basis::Measured,
        how(TimeFormula, {v.variantS, v.plainS, static_cast<double>(v.rounds)}, source));
    if (v.peakBytes && v.plainPeakBytes && *v.plainPeakBytes > 0) {
        const double ratio = *v.peakBytes / *v.plainPeakBytes;
        row.memoryRatio =
            Quantity::within(ratio, ratio, ratio, Unit::One, Basis::Measured,
                             how(VariantMemoryFormula, {*v.peakBytes, *v.plainPeakBytes}, source));
    }
    return row;
}

} // namespace

void addVariants(const Subject& subject, Report& report)
{
    const MeasurementPtr m = subject.measured.withVariants(subject.asked());
    if (m == nullptr)
        return;
    for (const VariantMeasurement& v : fastestFirst(m->variants))
        report.variants.push_back(
            rowOf(v, "measured on " + m->machine.processor + ", " + m->created));
}

} // namespace outlay::pricing
