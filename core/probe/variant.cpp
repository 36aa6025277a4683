// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/variant.h"

#include "core/base/text.h"

#include <algorithm>
#include <tuple>

namespace outlay::core {
namespace {

const VariantKind* find(std::string_view name)
{
    const auto* const kind = std::find_if(VariantKinds.begin(), VariantKinds.end(),
                                          [&](const VariantKind& k) { return k.name == name; });
    return kind == VariantKinds.end() ? nullptr : kind;
}

} // namespace

Result<void> checkVariants(const std::vector<std::string>& names)
{
    for (const std::string& name : names) {
        if (name == "all" || find(name) != nullptr)
            continue;
        std::string known = "all";
        for (const VariantKind& kind : VariantKinds)
            known += ", " + std::string(kind.name);
        return inputError("there is no variant '" + printable(name, 40) + "'",
                          "choose among " + known, "/variants");
    }
    return {};
}

std::string_view whatIs(std::string_view variant)
{
    const VariantKind* kind = find(variant);
    return kind == nullptr ? std::string_view{} : kind->what;
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

std::vector<VariantMeasurement> fastestFirst(std::vector<VariantMeasurement> all)
{
    const auto key = [](const VariantMeasurement& v) {
        return std::tuple(v.subject, !v.isMeasured(), v.ratio);
    };
    std::stable_sort(all.begin(), all.end(),
                     [&](const auto& a, const auto& b) { return key(a) < key(b); });
    return all;
}

} // namespace outlay::core
