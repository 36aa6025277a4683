// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/sweep.h"

#include "core/base/text.h"
#include "core/experiment/patch.h"
#include "core/experiment/setting.h"

#include <algorithm>

namespace outlay::core {
namespace {

/// Parts at commas that lie outside of brackets and quotes; nothing if one of those isn't closed.
std::optional<std::vector<std::string>> valuesIn(std::string_view text)
{
    std::vector<std::string> values(1);
    int depth = 0;
    bool isQuoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (isQuoted && c == '\\' && i + 1 < text.size()) {
            values.back() += c;
            values.back() += text[++i];
            continue;
        }
        isQuoted = (c == '"') != isQuoted;
        if (!isQuoted)
            depth += int{c == '[' || c == '{'} - int{c == ']' || c == '}'};
        if (c == ',' && depth == 0 && !isQuoted)
            values.emplace_back();
        else
            values.back() += c;
    }
    return depth == 0 && !isQuoted ? std::optional(std::move(values)) : std::nullopt;
}

std::string settingText(const SweepAxis& axis, const Json& value)
{
    return axis.pointer + "=" + printable(writeJson(value, JsonStyle::Compact), 60);
}

} // namespace

Result<SweepAxis> readAxis(std::string_view text)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos)
        return usageError("--vary: " + inQuotes(text) + " varies nothing",
                          "write --vary POINTER=V1,V2, as in /training/batch=16,32");
    SweepAxis axis{std::string(text.substr(0, equals)), {}};
    const std::string place = "--vary " + printable(axis.pointer, 60) + ": ";
    const auto words = valuesIn(text.substr(equals + 1));
    if (!words)
        return usageError(place + "a bracket or a quote is not closed", "close it");
    for (const std::string& word : *words) {
        if (word.empty())
            return usageError(place + "a value is empty", "write V1,V2 without spare commas");
        auto value = settingValue(word);
        if (!value)
            return usageError(place + value.error().what, value.error().remedy);
        if (std::find(axis.values.begin(), axis.values.end(), *value) != axis.values.end())
            return usageError(place + "the value " + printable(word, 60) + " is given twice",
                              "give it once");
        axis.values.push_back(std::move(*value));
    }
    return axis;
}

Sweep::Sweep(Experiment experiment, std::vector<SweepAxis> axes)
    : m_experiment(std::move(experiment)), m_axes(std::move(axes))
{
}

std::size_t Sweep::size() const
{
    std::size_t product = 1;
    for (const SweepAxis& axis : m_axes)
        product *= axis.values.size();
    return product;
}

std::size_t Sweep::strideOf(std::size_t axis) const
{
    std::size_t stride = 1;
    for (std::size_t later = axis + 1; later < m_axes.size(); ++later)
        stride *= m_axes[later].values.size();
    return stride;
}

std::vector<Json> Sweep::valuesAt(std::size_t point) const
{
    std::vector<Json> values;
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        const std::vector<Json>& all = m_axes[i].values;
        values.push_back(all[point / strideOf(i) % all.size()]);
    }
    return values;
}

std::string Sweep::labelAt(std::size_t point) const
{
    const std::vector<Json> values = valuesAt(point);
    std::string label;
    for (std::size_t i = 0; i < values.size(); ++i)
        label += (i == 0 ? "" : " ") + settingText(m_axes[i], values[i]);
    return label;
}

Result<Experiment> Sweep::at(std::size_t point) const
{
    Json patch = Json::array();
    const std::vector<Json> values = valuesAt(point);
    for (std::size_t i = 0; i < values.size(); ++i)
        patch.append(setting(m_axes[i].pointer, values[i]));
    auto changed = patched(m_experiment, patch);
    if (!changed && changed.error().code == ErrorCode::Input)
        return tl::unexpected<Error>(changed.error().in("with " + labelAt(point)));
    return changed;
}

Result<void> Sweep::checkValues(std::size_t axis,
                                const std::vector<std::optional<Error>>& errors) const
{
    const std::size_t count = m_axes[axis].values.size();
    for (std::size_t value = 0; value < count; ++value) {
        const Error* first = nullptr;
        bool isPossible = false;
        for (std::size_t point = 0; point < errors.size(); ++point) {
            if (point / strideOf(axis) % count != value)
                continue;
            isPossible = isPossible || !errors[point];
            if (first == nullptr && errors[point])
                first = &*errors[point];
        }
        if (!isPossible && first != nullptr)
            return tl::unexpected<Error>(*first);
    }
    return {};
}

/// A table of equal rows says nothing.
Result<void> Sweep::checkEffect(std::size_t axis) const
{
    if (m_axes[axis].values.size() < 2)
        return {};
    const auto first = at(0);
    const auto other = at(strideOf(axis));
    if (!first || !other || *first != *other)
        return {};
    return usageError("--vary " + printable(m_axes[axis].pointer, 60) +
                          ": this changes nothing of the experiment",
                      "docs/experiment.md lists what can be set");
}

Result<Sweep> Sweep::create(Experiment experiment, std::vector<SweepAxis> axes)
{
    std::size_t points = 1;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        points *= axes[i].values.size();
        if (points > MostPoints)
            return usageError("the sweep has more than " +
                                  grouped(static_cast<std::int64_t>(MostPoints)) + " points",
                              "give fewer values");
        for (std::size_t before = 0; before < i; ++before) {
            if (axes[before].pointer == axes[i].pointer)
                return usageError("--vary " + printable(axes[i].pointer, 60) + " is given twice",
                                  "give all its values at once");
        }
    }
    Sweep sweep(std::move(experiment), std::move(axes));
    std::vector<std::optional<Error>> errors(points);
    for (std::size_t point = 0; point < points; ++point) {
        if (const auto made = sweep.at(point); !made)
            errors[point] = made.error();
    }
    for (std::size_t axis = 0; axis < sweep.m_axes.size(); ++axis) {
        if (const auto sound = sweep.checkValues(axis, errors); !sound)
            return failureOf(sound);
        if (const auto changes = sweep.checkEffect(axis); !changes)
            return failureOf(changes);
    }
    return sweep;
}

} // namespace outlay::core
