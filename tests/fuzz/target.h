// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is fuzzed: a reader of foreign bytes, what it is fed with, and what must hold of what it makes of it.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "tests/fuzz/watch.h"

#include <functional>
#include <string>
#include <vector>

namespace outlay::fuzz {

struct Target {
    std::string name;
    std::function<void(const std::string& input)> feed;
    /// Of tests/data: their small files are inputs. Those of tests/data/fuzz/NAME always are.
    std::vector<std::string> folders;
    std::vector<std::string> seeds; // further inputs
    std::vector<std::string> words; // what its reader knows, and puts in here and there
};

// All of them, in the order of the rooms.
[[nodiscard]] std::vector<Target> experimentTargets();
[[nodiscard]] std::vector<Target> modelTargets();
[[nodiscard]] std::vector<Target> lineTargets();
[[nodiscard]] std::vector<Target> priceTargets();
[[nodiscard]] std::vector<Target> recordTargets();
[[nodiscard]] std::vector<Target> settingsTargets();

/// Whatever comes in, an error is one sentence.
void checkError(const core::Error& error);

/// Ends here where the input is no JSON; else `feed` gets it.
void withJson(const std::string& input, const std::function<void(const core::Json&)>& feed);

/// A reader gives a value that can be used, written and read again, or one sentence.
template <typename T, typename Check>
void checkOutcome(const core::Result<T>& outcome, const Check& check)
{
    const NotReading checking;
    if (outcome)
        check(*outcome);
    else
        checkError(outcome.error());
}

} // namespace outlay::fuzz
