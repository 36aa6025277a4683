// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/variant.h"

#include "core/base/text.h"

#include <algorithm>

namespace outlay::core {

Result<void> checkVariants(const std::vector<std::string>& names)
{
    for (const std::string& name : names) {
        if (name == "all" ||
            std::find(VariantNames.begin(), VariantNames.end(), name) != VariantNames.end())
            continue;
        std::string known = "all";
        for (const std::string_view variant : VariantNames)
            known += ", " + std::string(variant);
        return inputError("there is no variant '" + printable(name, 40) + "'",
                          "choose among " + known, "/variants");
    }
    return {};
}

bool isWanted(const std::vector<std::string>& wanted, std::string_view variant)
{
    return std::any_of(wanted.begin(), wanted.end(),
                       [&](const std::string& name) { return name == "all" || name == variant; });
}

void describe(FieldVisitor& v, VariantMeasurement& m)
{
    v.text({"variant", "kind of variant"}, m.variant);
    v.text({"name", "name of the variant"}, m.name);
    v.choice(Field{"subject", "what was timed"}, m.subject, VariantSubjectNames);
    v.number({"ratio", "time over the plain way's"}, m.ratio);
    v.number({"low_ratio", "lower end of the ratio"}, m.lowRatio);
    v.number({"high_ratio", "upper end of the ratio"}, m.highRatio);
    v.integer({"rounds", "number of rounds"}, m.rounds);
    v.number({"plain_s", "time of the plain way"}, m.plainS);
    v.number({"variant_s", "time of the variant"}, m.variantS);
    v.number({"plain_peak_bytes", "growth of memory in the plain way"}, m.plainPeakBytes);
    v.number({"peak_bytes", "growth of memory in the variant"}, m.peakBytes);
    v.number({"difference", "relative difference of the results"}, m.difference);
    v.text({"proof", "what was compared"}, m.proof);
    v.text({"unavailable", "why it wasn't measured"}, m.unavailable);
    v.text({"pointer", "setting that chooses it"}, m.pointer);
    v.text({"value", "value of that setting"}, m.value);
}

} // namespace outlay::core
