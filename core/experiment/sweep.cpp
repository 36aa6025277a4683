// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/sweep.h"

#include "core/base/text.h"
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

/// What an experiment says, whatever else is in its file.
Experiment withoutDocument(Experiment experiment)
{
    experiment.document = Json::object();
    return experiment;
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
        return usageError("--vary: '" + printable(text, 60) + "' varies nothing",
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

Sweep::Sweep(Json document, std::vector<SweepAxis> axes)
    : m_document(std::move(document)), m_axes(std::move(axes))
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

Result<ExperimentReading> Sweep::at(std::size_t point) const
{
    Json document = m_document;
    const std::vector<Json> values = valuesAt(point);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (const auto changed = setAt(document, m_axes[i].pointer, values[i]); !changed)
            return failureOf(changed);
    }
    auto reading = readExperiment(document);
    if (!reading)
        return tl::unexpected<Error>(reading.error().in("with " + labelAt(point)));
    return reading;
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

/// An unknown key is kept and has no effect; varying one would make a table of equal rows.
Result<void> Sweep::checkEffect(std::size_t axis) const
{
    if (m_axes[axis].values.size() < 2)
        return {};
    const auto first = at(0);
    const auto other = at(strideOf(axis));
    const bool isSame =
        first && other && withoutDocument(first->experiment) == withoutDocument(other->experiment);
    if (!isSame)
        return {};
    return usageError("--vary " + printable(m_axes[axis].pointer, 60) +
                          ": this changes nothing of the experiment",
                      "docs/experiment.md lists what can be set");
}

Result<Sweep> Sweep::create(Json document, std::vector<SweepAxis> axes)
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
    Sweep sweep(std::move(document), std::move(axes));
    std::vector<std::optional<Error>> errors(points);
    for (std::size_t point = 0; point < points; ++point) {
        if (const auto reading = sweep.at(point); !reading)
            errors[point] = reading.error();
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
