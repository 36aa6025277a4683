// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/step_lines.h"

#include "core/base/json.h"

namespace outlay::core {

void StepLines::feed(std::string_view bytes, double atS)
{
    m_text.feed(bytes, [&](std::string_view line) { take(line, atS); });
}

void StepLines::take(std::string_view line, double atS)
{
    const auto json = readJson(line);
    const Json* step = json ? json->find("step") : nullptr;
    const bool isStep =
        step != nullptr && step->isNumber() && step->number() >= 0 && step->number() <= MostSteps;
    if (!isStep || (!m_marks.empty() && step->number() <= m_marks.back().steps)) {
        ++m_leftOut;
        return;
    }
    const Json* of = json->find("of");
    const bool isKnown = of != nullptr && of->isNumber() && of->number() >= step->number();
    m_marks.push_back({atS, step->number(), isKnown ? std::optional(of->number()) : std::nullopt});
}

} // namespace outlay::core
