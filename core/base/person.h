// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is stored goes to others: no folder of a person's machine, no name of the user or the host.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace outlay::core {

/// Of this process's user and machine; those that are no words of their own ("root", "user") are left out.
[[nodiscard]] std::vector<std::string> namesOfPerson();

/// Paths shortened to the name at their end, as in "--data=corpus" for "--data=/home/me/corpus", and `names` as "..."
/// wherever they are words. What has no folder of a machine before it, as "data/corpus", "org/model" and an address of
/// the web, stays.
[[nodiscard]] std::string withoutPerson(std::string_view text,
                                        const std::vector<std::string>& names = namesOfPerson());

} // namespace outlay::core
