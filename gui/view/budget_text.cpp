// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/budget_text.h"

#include "core/base/text.h"
#include "gui/view/format.h"

namespace outlay::gui {
namespace {

std::string_view word(pricing::LimitState state)
{
    switch (state) {
    case pricing::LimitState::Kept: return "ok";
    case pricing::LimitState::Close: return "close";
    case pricing::LimitState::Exceeded: return "exceeded";
    case pricing::LimitState::Unavailable: return "unavailable";
    }
    return "";
}

std::string limitText(const pricing::Limit& limit)
{
    std::string text;
    if (limit.least)
        text += ", min " + core::plainNumber(*limit.least);
    if (limit.most)
        text += ", max " + core::plainNumber(*limit.most);
    return text;
}

} // namespace

QString makeLimitLine(const pricing::LimitOutcome& outcome)
{
    constexpr int WordWidth = 13;
    const QString state = toQString(word(outcome.state)).leftJustified(WordWidth);
    std::string text = core::printable(outcome.limit.pointer, 200) + ": ";
    if (outcome.value)
        text += core::plainNumber(*outcome.value) +
                (outcome.unit.empty() ? "" : " " + outcome.unit) + limitText(outcome.limit);
    else
        text +=
            "unavailable" + limitText(outcome.limit) + "; counts as exceeded: " + outcome.reason;
    if (outcome.state == pricing::LimitState::Close)
        text += "; its interval reaches beyond";
    return state + toQString(text);
}

} // namespace outlay::gui
