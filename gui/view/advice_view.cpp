// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/advice_view.h"

#include "gui/view/figure_view.h"
#include "gui/view/format.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace outlay::gui {
namespace {

using core::Unit;
using pricing::AdviceRow;
using pricing::Level;

constexpr std::array CategoryTitles{u"Training", u"Model", u"Inference", u"Deployment"};

/// 1, 2, 3: a level's place on an axis.
double placeOf(Level level)
{
    return static_cast<double>(level) + 1;
}

/// One thing that a change saves, or costs.
struct Part {
    QString amount;
    bool isLoss = false;
    pricing::SavedThing thing{};
};

/// "44 times as fast", from where that says more than a share.
QString timesAsFast(double savedPercent, const DisplayLocale& locale)
{
    constexpr double Half = 50;
    if (savedPercent < Half || savedPercent >= 100)
        return {};
    const double times = 100 / (100 - savedPercent);
    constexpr double Whole = 10; // from there on no part of one says anything
    return QStringLiteral("%1 times as fast")
        .arg(numberText(times >= Whole ? std::round(times) : times, locale));
}

std::optional<Part> moneyPart(const AdviceRow& row, const DisplayLocale& locale)
{
    // "$0.00" says nothing.
    constexpr double HalfACent = 0.005;
    if (!row.savingUsd.isAvailable() || std::abs(row.savingUsd.value()) < HalfACent)
        return std::nullopt;
    const double usd = row.savingUsd.value();
    Part part{.amount = headlineText(std::abs(usd), Unit::Usd, locale) + QStringLiteral(" a month"),
              .isLoss = usd < 0,
              .thing = pricing::SavedThing::Money};
    if (row.savingPercent.isAvailable()) {
        if (row.savingPercent.value() >= 1)
            part.amount += QStringLiteral(", ") +
                           locale.toString(row.savingPercent.value(), 'f', 0) +
                           QStringLiteral(" %");
    }
    return part;
}

std::optional<Part> timePart(const AdviceRow& row, const DisplayLocale& locale)
{
    if (!row.savingTimePercent.isAvailable() || std::abs(row.savingTimePercent.value()) < 1)
        return std::nullopt;
    const double percent = row.savingTimePercent.value();
    const QString of =
        row.isTimeOfRequest ? QStringLiteral("a request here") : QStringLiteral("a run here");
    const QString amount =
        row.savingTimeS.isAvailable()
            ? headlineText(std::abs(row.savingTimeS.value()), Unit::Seconds, locale)
            : locale.toString(std::abs(percent), 'f', 0) + QStringLiteral(" %");
    // Beside a share of less than that it says nothing new.
    constexpr double NearlyAll = 90;
    const bool saysMore = row.savingTimeS.isAvailable() || percent >= NearlyAll;
    const QString times = saysMore ? timesAsFast(percent, locale) : QString();
    return Part{.amount = QStringLiteral("%1 of %2").arg(amount, of) +
                          (times.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(times)),
                .isLoss = percent < 0,
                .thing = pricing::SavedThing::Time};
}

std::optional<Part> carbonPart(const AdviceRow& row, const DisplayLocale& locale)
{
    if (!row.savingKgCo2e.isAvailable() || row.savingKgCo2e.value() == 0)
        return std::nullopt;
    const double kg = row.savingKgCo2e.value();
    return Part{.amount = headlineText(std::abs(kg), Unit::KilogramsCo2e, locale) +
                          QStringLiteral(" a month"),
                .isLoss = kg < 0,
                .thing = pricing::SavedThing::Carbon};
}

QString lossText(const Part& part)
{
    switch (part.thing) {
    case pricing::SavedThing::Money: return QStringLiteral("costs %1 more").arg(part.amount);
    case pricing::SavedThing::Time: return QStringLiteral("takes longer, %1").arg(part.amount);
    case pricing::SavedThing::Carbon: break;
    }
    return QStringLiteral("emits %1 more").arg(part.amount);
}

/// First what holds with it alone, then what it saves the largest part of; what costs less may emit more, and the
/// other way round.
QString savingText(const AdviceRow& row, const DisplayLocale& locale)
{
    QStringList saved;
    QStringList lost;
    for (const auto& part :
         {moneyPart(row, locale), timePart(row, locale), carbonPart(row, locale)}) {
        if (!part)
            continue;
        if (part->isLoss)
            lost.append(lossText(*part));
        else if (part->thing == row.most)
            saved.prepend(part->amount);
        else
            saved.append(part->amount);
    }
    if (!saved.isEmpty())
        lost.prepend(QStringLiteral("saves ") + saved.join(QStringLiteral(" · ")));
    if (row.enables != pricing::Enables::Nothing)
        lost.prepend(toQString(pricing::textOf(row.enables)));
    if (!lost.isEmpty())
        return lost.join(QStringLiteral(" · "));
    return row.share > 0 ? QStringLiteral("saves less than a cent, or 1 % of the time")
                         : QStringLiteral("saving unavailable: ") + reasonText(row.savingUsd);
}

/// Of what is said first, in two words or the same figure as in the sentence.
QString shareText(const AdviceRow& row, const DisplayLocale& locale)
{
    constexpr std::array<const char16_t*, 5> Enabled{u"", u"in budget", u"in time", u"in time",
                                                     u"fits"};
    if (row.enables != pricing::Enables::Nothing)
        return QString::fromUtf16(Enabled.at(static_cast<std::size_t>(row.enables)));
    struct Share {
        const core::Quantity& percent;
        const char16_t* text;
    };
    const core::Quantity largest = core::Quantity::exact(100 * row.share, Unit::Percent, {});
    const auto share = [&]() -> Share {
        switch (row.most) {
        case pricing::SavedThing::Money: return {row.savingPercent, u"%1 % cost"};
        case pricing::SavedThing::Time: return {row.savingTimePercent, u"%1 % time"};
        case pricing::SavedThing::Carbon: break;
        }
        return {largest, u"%1 % CO₂e"};
    }();
    if (!share.percent.isAvailable() || share.percent.value() < 1)
        return {};
    return QString::fromUtf16(share.text)
        .arg(locale.toString(std::min(share.percent.value(), 100.0), 'f', 0));
}

QString codeOf(const AdviceRow& row)
{
    QStringList parts;
    if (!row.codeCpp.empty())
        parts.append(QStringLiteral("C++:\n") + toQString(row.codeCpp));
    if (!row.codePython.empty())
        parts.append(QStringLiteral("Python:\n") + toQString(row.codePython));
    return parts.join(QStringLiteral("\n\n"));
}

/// "Train on spot: X" -> "Train on spot · X", "Try less (a -> b)" -> "Try less · a -> b".
QString partsOf(QString title)
{
    const qsizetype bracket = title.indexOf(QStringLiteral(" ("));
    if (bracket > 0 && title.endsWith(QLatin1Char(')'))) {
        title.chop(1);
        title.replace(bracket, 2, QStringLiteral(" · "));
    }
    const qsizetype colon = title.indexOf(QStringLiteral(": "));
    if (colon > 0)
        title.replace(colon, 2, QStringLiteral(" · "));
    return title;
}

/// ", $31 to $52 a month": of what is said first, as far as that is uncertain.
QString savedRange(const AdviceRow& row, const DisplayLocale& locale)
{
    const auto of = [&](const core::Quantity& saved, QLatin1String what) {
        return !saved.isAvailable() || saved.low() == saved.high()
                   ? QString()
                   : QStringLiteral(", %1 to %2%3")
                         .arg(headlineText(saved.low(), saved.unit(), locale),
                              headlineText(saved.high(), saved.unit(), locale), what);
    };
    switch (row.most) {
    case pricing::SavedThing::Money: return of(row.savingUsd, QLatin1String(" a month"));
    case pricing::SavedThing::Carbon: return of(row.savingKgCo2e, QLatin1String(" a month"));
    case pricing::SavedThing::Time: break;
    }
    return of(row.savingTimePercent, QLatin1String(" of the time"));
}

AdviceItem itemOf(const AdviceRow& row, std::size_t number, const DisplayLocale& locale)
{
    return {
        .number = QString::number(number),
        .title = toQString(row.title),
        .parts = partsOf(toQString(row.title)),
        .category = QString::fromUtf16(CategoryTitles.at(static_cast<std::size_t>(row.category))),
        .saving = savingText(row, locale),
        .share = shareText(row, locale),
        .why = QStringLiteral("%1 priority, %2 effort%3: %4")
                   .arg(toQString(pricing::LevelNames.at(static_cast<std::size_t>(row.priority))),
                        toQString(pricing::LevelNames.at(static_cast<std::size_t>(row.effort))),
                        savedRange(row, locale), toQString(row.why)),
        .copied = toQString(row.codePython.empty() ? row.codeCpp : row.codePython),
        .code = codeOf(row),
        .patch = row.patch,
        .matters = row.priority != Level::Low,
        .changesTraining = row.category == pricing::AdviceCategory::Training};
}

/// Bubbles of one field stand side by side, so that none hides another: fields are wider than high.
class Places {
public:
    explicit Places(const std::vector<AdviceRow>& rows)
    {
        for (const AdviceRow& row : rows)
            ++m_count[{row.effort, row.priority}];
    }

    ChartPoint next(const AdviceRow& row)
    {
        const std::pair field{row.effort, row.priority};
        const int index = m_next[field]++;
        const int count = m_count[field];
        constexpr int Beside = 4;
        const int columns =
            std::max(std::min(count, Beside), static_cast<int>(std::ceil(std::sqrt(count))));
        const int lines = (count + columns - 1) / columns;
        const auto offset = [](int i, int n) { return (i + 0.5) / n - 0.5; };
        return {.x = placeOf(row.effort) + 0.9 * offset(index % columns, columns),
                .y = placeOf(row.priority) - 0.9 * offset(index / columns, lines)};
    }

private:
    std::map<std::pair<Level, Level>, int> m_count;
    std::map<std::pair<Level, Level>, int> m_next;
};

ChartAxis levelAxis(const QString& title)
{
    ChartAxis axis{.title = title, .low = 0.5, .high = 3.5};
    for (const std::string_view level : pricing::LevelNames)
        axis.words.push_back(toQString(level));
    return axis;
}

/// What the first row brings.
QString headlineOf(const AdviceRow& row, const DisplayLocale& locale)
{
    if (row.enables != pricing::Enables::Nothing)
        return toQString(pricing::textOf(row.enables));
    const bool isTime = row.most == pricing::SavedThing::Time;
    const QString times = isTime ? timesAsFast(row.savingTimePercent.value(), locale) : QString();
    if (times.isEmpty()) {
        const auto part = row.most == pricing::SavedThing::Money  ? moneyPart(row, locale)
                          : row.most == pricing::SavedThing::Time ? timePart(row, locale)
                                                                  : carbonPart(row, locale);
        return part && !part->isLoss ? QStringLiteral("saves ") + part->amount
                                     : savingText(row, locale);
    }
    const bool isMeasured = row.savingTimePercent.basis() == core::Basis::Measured;
    return QStringLiteral("makes a %1 here %2%3")
        .arg(row.isTimeOfRequest ? QStringLiteral("request") : QStringLiteral("run"), times,
             isMeasured ? QStringLiteral(", measured") : QString());
}

QString verdictOf(const std::vector<AdviceRow>& rows, const DisplayLocale& locale)
{
    if (rows.empty())
        return QStringLiteral("Nothing was found that saves anything for this design");
    const QString first = headlineOf(rows.front(), locale);
    return rows.size() == 1 ? QStringLiteral("One way; it ") + first
                            : QStringLiteral("%1 ways; the first %2")
                                  .arg(locale.toString(qlonglong(rows.size())), first);
}

ChartModel chartOf(const std::vector<AdviceRow>& rows, const DisplayLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::Scatter;
    chart.title = QStringLiteral("Priority against effort");
    chart.subtitle = QStringLiteral("Area: the share that it saves of money, time or carbon");
    chart.description = verdictOf(rows, locale);
    chart.empty = chart.description;
    chart.x = levelAxis(QStringLiteral("Effort"));
    chart.y = levelAxis(QStringLiteral("Priority"));
    Places places(rows);
    std::map<std::size_t, ChartSeries> series;
    std::size_t number = 0;
    for (const AdviceRow& row : rows) {
        const auto category = static_cast<std::size_t>(row.category);
        ChartPoint point = places.next(row);
        // What saves little is drawn small, not left out.
        constexpr double Least = 0.01;
        point.weight = std::clamp(row.share, Least, 1.0);
        point.key = number;
        point.label = QString::number(++number);
        ChartSeries& own = series[category];
        own.name = QString::fromUtf16(CategoryTitles.at(category));
        own.colour = category;
        own.points.push_back(std::move(point));
    }
    for (auto& [category, own] : series)
        chart.series.push_back(std::move(own));
    return chart;
}

} // namespace

std::optional<AdviceItem> firstAdvice(const pricing::Report& report, const DisplayLocale& locale)
{
    if (report.isAdviceOld)
        return std::nullopt;
    const auto& rows = report.advice;
    const auto first = std::find_if(rows.begin(), rows.end(), [](const AdviceRow& row) {
        return row.category != pricing::AdviceCategory::Model && !row.isReluctant;
    });
    return first == rows.end() ? std::nullopt : std::optional(itemOf(*first, 1, locale));
}

AdviceView makeAdviceView(const pricing::Report& report, const DisplayLocale& locale)
{
    AdviceView view;
    view.isOld = report.isAdviceOld;
    view.verdict = view.isOld ? QStringLiteral("As before the change; new in a moment")
                              : verdictOf(report.advice, locale);
    view.chart = chartOf(report.advice, locale);
    for (const AdviceRow& row : report.advice)
        view.items.push_back(itemOf(row, view.items.size() + 1, locale));
    return view;
}

} // namespace outlay::gui
