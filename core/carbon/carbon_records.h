// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The records of grid.json and equivalents.json, each with year and source.
#pragma once

#include "core/base/fields.h"

namespace outlay::core {

/// The grid of a cloud region; grams of CO2e per kWh used. What isn't published is not set.
struct GridRegion {
    std::string id; // "aws/us-east-1"
    std::string location;
    std::string country; // two letters
    std::string zone;    // of Electricity Maps
    std::optional<double> lifecycleGrams;
    std::optional<double> directGrams;
    std::int64_t year = 0;
    std::optional<double> marketGrams;
    std::optional<std::int64_t> marketYear;
    std::string marketBy;
    std::string scope; // "country" where the zone's own figure is missing
    std::string source;
};

struct GridCountry {
    std::string code; // two letters
    std::string code3;
    std::string name;
    std::optional<double> lifecycleGrams;
    std::optional<double> directGrams;
    std::int64_t year = 0;
    std::string source;
};

/// Power usage effectiveness of a provider's fleet, with the range of what is published.
struct PueRecord {
    std::string provider;
    double value = 1;
    double low = 1;
    double high = 1;
    std::string year;
    std::string source;
};

struct ElectricityPrice {
    std::string place;
    std::string scope; // country, state or region
    std::string code;
    std::optional<double> residentialUsd;
    std::optional<double> commercialUsd;
    std::optional<double> industrialUsd;
    bool isDoubtful = false;
    std::string asOf;
    std::string source;
};

/// Each hour's intensity against the year's mean, in thousandths, in local standard time.
struct DayShape {
    std::string zone;
    std::int64_t year = 0;
    std::int64_t utcOffsetH = 0;
    std::vector<std::int64_t> relative;
    std::vector<std::int64_t> low; // of the years that were looked at
    std::vector<std::int64_t> high;
    std::vector<std::int64_t> direct;
    std::string source;
};

struct EquivalentRecord {
    std::string id;
    std::string name;
    std::string unit;
    std::string what; // the definition
    double kgPerUnit = 1;
    bool isRecommended = false;
    std::optional<std::string> smallName;
    std::optional<double> smallPerUnit;
    std::string asOf;
    std::string source;
};

struct OffsetRecord {
    double usdPerTonne = 0;
    double low = 0;
    double high = 0;
    std::string asOf;
    std::string source;
};

struct EmbodiedRecord {
    double serverKg = 0;
    double acceleratorKg = 0;
    double memoryKgPerGb = 0;
    double lifeHours = 1;
    std::string asOf;
    std::string source;
};

void describe(FieldVisitor& v, GridRegion& r);
void describe(FieldVisitor& v, GridCountry& r);
void describe(FieldVisitor& v, PueRecord& r);
void describe(FieldVisitor& v, ElectricityPrice& r);
void describe(FieldVisitor& v, DayShape& r);
void describe(FieldVisitor& v, EquivalentRecord& r);
void describe(FieldVisitor& v, OffsetRecord& r);
void describe(FieldVisitor& v, EmbodiedRecord& r);

} // namespace outlay::core
