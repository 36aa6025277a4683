// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/carbon_view.h"

#include "core/base/units.h"
#include "gui/view/format.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace outlay::gui {
namespace {

using core::Quantity;
using core::Unit;
using pricing::CarbonReport;

constexpr std::size_t HereColour = 0;
constexpr std::size_t CleanerColour = 2;
constexpr std::size_t DirtierColour = 1;

struct Place {
    QString name;
    Quantity kg;
    std::size_t colour = HereColour;
};

const std::string& placeName(const core::RegionCarbon& region)
{
    return region.location.empty() ? region.region : region.location;
}

/// The cleanest, the one in the middle and the last of those that are known, with the experiment's
/// own place where it belongs among them. Places with one name are one.
std::vector<Place> placesOf(const CarbonReport& carbon)
{
    std::vector<const core::RegionCarbon*> known;
    std::unordered_set<std::string_view> names;
    for (const core::RegionCarbon& region : carbon.elsewhere) {
        if (region.kg.isAvailable() && names.insert(placeName(region)).second)
            known.push_back(&region);
    }
    std::vector<Place> places;
    constexpr std::size_t Cleanest = 1; // more rows lose their names in a low card
    for (std::size_t i = 0; i < known.size(); ++i) {
        const bool isShown = i < Cleanest || i == known.size() / 2 || i + 1 == known.size();
        const bool isCleaner = known[i]->kg.value() < carbon.kgCo2e.value();
        if (isShown)
            places.push_back({toQString(placeName(*known[i])), known[i]->kg,
                              isCleaner ? CleanerColour : DirtierColour});
    }
    if (!carbon.kgCo2e.isAvailable())
        return places;
    const auto place = std::find_if(places.begin(), places.end(), [&](const Place& other) {
        return other.kg.value() > carbon.kgCo2e.value();
    });
    places.insert(place, {QStringLiteral("As planned"), carbon.kgCo2e, HereColour});
    return places;
}

const core::HourCarbon* cleanestHour(const CarbonReport& carbon)
{
    const core::HourCarbon* cleanest = nullptr;
    for (const core::HourCarbon& hour : carbon.hours) {
        const bool isCleaner = cleanest == nullptr || hour.kg.value() < cleanest->kg.value();
        if (hour.kg.isAvailable() && isCleaner)
            cleanest = &hour;
    }
    return cleanest;
}

QString verdictOf(const CarbonReport& carbon, const std::vector<Place>& places,
                  const DisplayLocale& locale)
{
    if (!carbon.kgCo2e.isAvailable())
        return QStringLiteral("Unavailable: ") + reasonText(carbon.kgCo2e);
    QString text =
        headlineText(carbon.kgCo2e.value(), Unit::KilogramsCo2e, locale) + QStringLiteral(" a run");
    const auto less = [&](const Quantity& kg) {
        return locale.toString(core::PerCent * (1 - kg.value() / carbon.kgCo2e.value()), 'f', 0);
    };
    if (!places.empty() && places.front().kg.value() < carbon.kgCo2e.value())
        text +=
            QStringLiteral("; %1 % less in %2").arg(less(places.front().kg), places.front().name);
    const core::HourCarbon* hour = cleanestHour(carbon);
    if (hour != nullptr && hour->kg.value() < carbon.kgCo2e.value())
        text += QStringLiteral("; %1 % less at %2:00").arg(less(hour->kg)).arg(hour->hour);
    return text;
}

ChartModel chartOf(const std::vector<Place>& places, const CarbonReport& carbon,
                   const DisplayLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::HorizontalBars;
    chart.title = QStringLiteral("The same run elsewhere");
    chart.subtitle = toQString(carbon.gridBasis) + QStringLiteral("-based; lower is better");
    chart.description = verdictOf(carbon, places, locale);
    chart.empty = QStringLiteral("The emissions are unavailable: ") + reasonText(carbon.kgCo2e);
    double highest = 0;
    for (const Place& place : places)
        highest = std::max(highest, place.kg.high());
    constexpr double Grams = 1000;
    const ScaledAxis scaled =
        scaledAxis(highest * Grams, QStringLiteral("CO₂e a run"), QStringLiteral("g"));
    chart.y = scaled.axis;
    ChartSeries series{QStringLiteral("CO₂e a run"), HereColour, {}};
    for (const Place& place : places) {
        const auto at = [&](double kg) { return kg * Grams / scaled.factor; };
        chart.categories.push_back(place.name);
        series.points.push_back({.y = at(place.kg.value()),
                                 .low = at(place.kg.low()),
                                 .high = at(place.kg.high()),
                                 .label = scaledText(place.kg.value() * Grams, u"g", locale),
                                 .colour = place.colour,
                                 .isStrong = place.colour == HereColour});
    }
    if (!series.points.empty())
        chart.series.push_back(std::move(series));
    return chart;
}

/// "0.062 miles driven": in the smaller unit where there is one, for that is told only when it fits.
QString equivalentText(const core::Equivalent& equivalent, const DisplayLocale& locale)
{
    const bool isSmall = equivalent.smallAmount && equivalent.smallAmount->isAvailable();
    const Quantity& amount = isSmall ? *equivalent.smallAmount : equivalent.amount;
    const std::string& name =
        isSmall ? equivalent.smallName.value_or(equivalent.name) : equivalent.name;
    return numberText(amount.value(), locale) + QLatin1Char(' ') + toQString(name);
}

QString equivalentsOf(const CarbonReport& carbon, const DisplayLocale& locale)
{
    constexpr qsizetype MostNamed = 3;
    const bool isKm = locale.distance == DistanceUnit::Kilometres;
    const std::string_view chosenUnit = isKm ? "car_km" : "car_mile";
    const std::string_view otherUnit = isKm ? "car_mile" : "car_km";
    QStringList parts;
    for (const bool isRecommended : {true, false}) {
        for (const core::Equivalent& equivalent : carbon.equivalents) {
            const bool isOtherUnit = equivalent.id == otherUnit;
            const bool isFirst = equivalent.isRecommended || equivalent.id == chosenUnit;
            const bool isNext = isFirst == isRecommended && !isOtherUnit;
            if (isNext && equivalent.amount.isAvailable() && parts.size() < MostNamed)
                parts.append(equivalentText(equivalent, locale));
        }
    }
    return parts.isEmpty() ? QString()
                           : QStringLiteral("As much as ") + parts.join(QStringLiteral(" · "));
}

struct FigureRow {
    const char16_t* label;
    Quantity CarbonReport::*figure;
};
constexpr std::array Figures{FigureRow{u"Energy of a run", &CarbonReport::kwh},
                             FigureRow{u"CO₂e of a run", &CarbonReport::kgCo2e},
                             FigureRow{u"CO₂e of a month", &CarbonReport::monthKgCo2e},
                             FigureRow{u"Offset of a run", &CarbonReport::offsetUsd}};

} // namespace

CarbonView makeCarbonView(const pricing::Report& report, const pricing::Report* baseline,
                          const DisplayLocale& locale)
{
    const std::vector<Place> places = placesOf(report.carbon);
    CarbonView view;
    view.verdict = verdictOf(report.carbon, places, locale);
    view.chart = chartOf(places, report.carbon, locale);
    view.equivalents = equivalentsOf(report.carbon, locale);
    for (const FigureRow& row : Figures) {
        QString label = QString::fromUtf16(row.label);
        if (row.figure == &CarbonReport::monthKgCo2e) {
            for (const std::string& item : report.carbon.monthLacks)
                label += QStringLiteral(" without ") + toQString(item);
        }
        view.figures.push_back(makeFigureView(
            label, report.carbon.*row.figure,
            baseline == nullptr ? nullptr : &(baseline->carbon.*row.figure), locale));
    }
    return view;
}

} // namespace outlay::gui
