// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What runs took beside what was forecast of them, run by run and over all.
#pragma once

#include "pricing/actual/record.h"
#include "pricing/report/own_factor.h"
#include "pricing/report/report.h"

#include <array>
#include <vector>

namespace outlay::pricing {

/// As it was said before the run was compared, and stays.
struct Foretold {
    double value = 0;
    double low = 0;
    double high = 0;

    bool operator==(const Foretold&) const = default;
};

/// A run that is over, attached to its experiment.
struct Actual {
    std::string kind;
    std::string file;     // its name, without folders
    std::string sha256;   // of its bytes
    std::string attached; // UTC
    std::string began;
    bool isHere = false;             // on this machine; else where it was planned
    std::optional<double> ownFactor; // that what was foretold of its time had in it
    std::optional<double> seconds;
    std::optional<double> usd;
    std::optional<double> kwh;
    std::optional<double> kgCo2e;
    std::optional<Foretold> seconds80; // what was foretold of each
    std::optional<Foretold> usd80;
    std::optional<Foretold> kwh80;
    std::optional<Foretold> kgCo2e80;

    bool operator==(const Actual&) const = default;
};
void describe(core::FieldVisitor& v, Foretold& f);
void describe(core::FieldVisitor& v, Actual& a);

/// With what the Report says of such a run now.
[[nodiscard]] Actual actualOf(const Record& record, const core::Experiment& experiment,
                              const Report& report, bool isHere);

[[nodiscard]] core::Json toJson(const Actual& actual);
/// Those that an experiment holds; what can't be read is left out.
[[nodiscard]] std::vector<Actual> actualsOf(const core::Json& list);

enum class TrackedThing { Time, Money, Energy, Carbon };
inline constexpr std::array<std::string_view, 4> TrackedThingNames{"time", "money", "energy",
                                                                   "carbon"};

/// Before it, chance is most of what one would learn.
inline constexpr std::size_t EnoughForFactor = 5;

/// Over all runs of which both are known.
struct Track {
    TrackedThing thing = TrackedThing::Time;
    std::size_t runs = 0;
    std::size_t inside = 0; // of their intervals
    double medianMiss = 0;  // relative, of the forecasts
    /// By which runs took longer, or cost more, than foretold: their geometric mean. From five runs on.
    std::optional<Foretold> factor;
};

[[nodiscard]] std::array<Track, TrackedThingNames.size()> trackOf(
    const std::vector<Actual>& actuals);
/// Of one thing, of runs in one kind of place.
[[nodiscard]] Track trackOf(const std::vector<Actual>& actuals, TrackedThing thing, RunPlace place);
/// What a person may take for forecasts to come; nothing before there are enough runs.
[[nodiscard]] std::optional<OwnFactor> ownFactorFrom(const std::vector<Actual>& actuals,
                                                     RunPlace place);

/// Nothing where what was kept doesn't say it.
[[nodiscard]] std::optional<double> foundOf(const Actual& actual, TrackedThing thing);

/// What was foretold and what was found of one thing; nothing where one of them isn't known.
struct Pair {
    Foretold foretold;
    double found = 0;

    [[nodiscard]] bool isInside() const { return foretold.low <= found && found <= foretold.high; }
};
[[nodiscard]] std::optional<Pair> pairOf(const Actual& actual, TrackedThing thing);

} // namespace outlay::pricing
