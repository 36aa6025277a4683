// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of a provider beside its prices. One that has no row is compared and ranked all the same,
// under its plain name; a new row is all that the rest takes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace outlay::pricing {

/// A class of storage for what is read once a month.
struct RareStorage {
    std::string_view name; // as the tariffs have it
    std::string_view codePython;
};

/// Code that runs for each request, on a part of a processor.
struct FunctionService {
    std::string_view title;
    std::string_view secondsTariff; // of a GB
    std::string_view requestsTariff;
    std::string_view home; // the region whose prices are taken
    double gbPerVcpu = 1;
    double leastGb = 0;
    double mostGb = 0;
    double mostSeconds = 0;
};

/// The same machines under its care.
struct ManagedService {
    std::string_view title;
    std::string_view prefix; // of the instances' names
};

struct Provider {
    std::string_view id; // "aws", as offers and experiments have it
    std::string_view title;
    std::string_view billed;                        // as it calls itself on its bills
    std::span<const std::string_view> aliases = {}; // in other people's catalogs
    bool (*isRegion)(std::string_view) = {};        // whether a name looks like one of its regions
    bool (*isInstance)(std::string_view) = {};
    std::string_view shownWithout = {};       // starts the names of its instances, and says nothing
    bool (*isArm)(std::string_view) = {};     // whether an instance's processors are of that kind
    std::string_view storage = "hot storage"; // the usual class
    std::optional<RareStorage> rareStorage = {};
    std::string_view insideTransfer = {}; // the tariff for callers beside the service
    std::optional<ManagedService> managed = {};
    std::optional<FunctionService> functions = {};
};

[[nodiscard]] std::span<const Provider> providers();
/// A row without anything for one that isn't known.
[[nodiscard]] const Provider& provider(std::string_view id);
/// "aws" -> "AWS"; the plain name of one that isn't known.
[[nodiscard]] std::string_view providerTitle(std::string_view id);

/// The id of a provider that a catalog or a person calls so: "lambdalabs" -> "lambda", "AWS" -> "aws". The name itself
/// where none is known by it.
[[nodiscard]] std::string_view providerNamed(std::string_view name);

/// Whether one of the names is that provider's.
[[nodiscard]] bool isAmong(const std::vector<std::string>& names, std::string_view id);

/// Where a catalog doesn't name the provider: its id where both names show it, empty otherwise.
[[nodiscard]] std::string_view providerOf(std::string_view instance, std::string_view region);

/// The one whose functions are compared with instances.
[[nodiscard]] const Provider& functionProvider();

} // namespace outlay::pricing
