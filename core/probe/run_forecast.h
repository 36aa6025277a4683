// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The forecast of a whole run, renewed while its steps come in.
#pragma once

#include <optional>
#include <vector>

namespace outlay::core {

class RunForecast {
public:
    RunForecast() = default;
    /// Of so many steps.
    explicit RunForecast(double steps) : m_steps(steps) {}

    void add(const std::vector<double>& stepSeconds);

    [[nodiscard]] const std::vector<double>& done() const { return m_done; }
    /// Nothing before four steps; computed again when a fiftieth more are there, or one would watch it
    /// being sorted.
    [[nodiscard]] std::optional<double> seconds() const { return m_seconds; }

private:
    double m_steps = 0;
    std::vector<double> m_done;
    std::size_t m_renewedAt = 0;
    std::optional<double> m_seconds;
};

} // namespace outlay::core
