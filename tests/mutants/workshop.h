// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A copy of the tree in which changes are made, built and tested.
#pragma once

#include "tests/mutants/picks.h"

namespace outlay::mutants {

/// What became of a change.
struct Verdict {
    bool isCompiled = true;
    std::string noticedBy; // a program and what it said; empty if no test noticed
};

class Workshop {
public:
    explicit Workshop(std::filesystem::path folder);

    /// Takes over what differs from the tree, builds it and tests it as it is. Throws if that
    /// can't be, or if a test fails.
    void prepare(const std::filesystem::path& tree) const;

    [[nodiscard]] Verdict judge(const Pick& pick) const;

private:
    [[nodiscard]] bool build() const;
    /// What the program said against the copy as it is now; empty if nothing.
    [[nodiscard]] std::string objection(std::string_view program) const;

    std::filesystem::path m_folder;
};

} // namespace outlay::mutants
