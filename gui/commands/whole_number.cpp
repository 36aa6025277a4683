// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/commands/whole_number.h"

#include "core/base/text.h"
#include "core/base/units.h"

#include <cmath>

namespace outlay::gui {

core::Result<std::optional<std::int64_t>> wholeNumberOf(const Arguments& arguments,
                                                        const CommandOption& option,
                                                        std::int64_t most)
{
    const auto text = arguments.value(option.name);
    if (!text)
        return std::nullopt;
    const auto number = core::numberIn(*text);
    if (!number || *number < 1 || *number > core::real(most) || *number != std::floor(*number))
        return core::usageError(std::string(option.name) + " is '" + core::printable(*text, 40) +
                                    "'",
                                "give a whole number from 1 to " + core::grouped(most));
    return static_cast<std::int64_t>(*number);
}

} // namespace outlay::gui
