// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting.h"

#include "core/base/text.h"
#include "core/experiment/patch.h"

namespace outlay::core {

Result<Json> settingValue(std::string_view text)
{
    if (auto json = readJson(text))
        return json;
    if (!isUtf8(text))
        return usageError(inQuotes(text) + " is not UTF-8", "write the value in UTF-8");
    return Json(text);
}

Result<Json> settingsPatch(const std::vector<std::string>& assignments, std::string_view option)
{
    const std::string name(option);
    Json patch = Json::array();
    for (const std::string& assignment : assignments) {
        const std::size_t equals = assignment.find('=');
        if (equals == std::string::npos)
            return usageError(name + ": " + inQuotes(assignment) + " sets nothing",
                              "write " + name + " POINTER=VALUE, as in /model/hidden=256");
        auto value = settingValue(std::string_view(assignment).substr(equals + 1));
        if (!value)
            return usageError(name + ": " + value.error().what, value.error().remedy);
        patch.append(setting(assignment.substr(0, equals), std::move(*value)));
    }
    return patch;
}

} // namespace outlay::core
