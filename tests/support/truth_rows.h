// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What readers of published tables in JSON have in common.
#pragma once

#include "tests/support/truth_cases.h"

namespace outlay::tests {

/// Reads keys of one row, absent ones as the given default.
class Row {
public:
    explicit Row(const core::Json& json) : m_json(json) {}

    [[nodiscard]] double number(const std::string& pointer, double otherwise = 0) const
    {
        const core::Json* value = core::valueAt(m_json, pointer);
        return value != nullptr && value->isNumber() ? value->number() : otherwise;
    }
    [[nodiscard]] std::int64_t integer(const std::string& pointer, double otherwise = 0) const
    {
        return static_cast<std::int64_t>(number(pointer, otherwise));
    }
    [[nodiscard]] std::string text(const std::string& pointer) const
    {
        const core::Json* value = core::valueAt(m_json, pointer);
        return value != nullptr && value->asString() != nullptr ? *value->asString() : "";
    }
    [[nodiscard]] bool flag(const std::string& pointer) const
    {
        const core::Json* value = core::valueAt(m_json, pointer);
        return value != nullptr && value->asBool() != nullptr && *value->asBool();
    }

private:
    const core::Json& m_json;
};

[[nodiscard]] inline bool has(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

[[nodiscard]] std::optional<core::Precision> precisionOf(const std::string& text);
[[nodiscard]] core::TransformerDesign transformer(const Row& row, core::TransformerKind kind);
void useLayers(TruthCase& truth, core::TransformerDesign design);
/// As it was laid out: nothing is chosen. Says whether layers or the depth are divided.
bool readLayout(const Row& row, TruthCase& truth);
/// A whole training run, as the time that one device would have needed for all.
bool readRun(const Row& row, TruthCase& truth);

} // namespace outlay::tests
