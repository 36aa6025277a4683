// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/advice_view.h"

#include "gui/view/figure_view.h"
#include "gui/view/format.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <map>

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

double savingOf(const AdviceRow& row)
{
    return row.savingUsd.isAvailable() ? std::max(0.0, row.savingUsd.value()) : 0;
}

std::vector<const AdviceRow*> sortedRows(const std::vector<AdviceRow>& advice)
{
    std::vector<const AdviceRow*> rows;
    for (const AdviceRow& row : advice)
        rows.push_back(&row);
    std::stable_sort(rows.begin(), rows.end(), [](const AdviceRow* a, const AdviceRow* b) {
        if (a->priority != b->priority)
            return a->priority > b->priority;
        if (a->effort != b->effort)
            return a->effort < b->effort;
        return savingOf(*a) > savingOf(*b);
    });
    return rows;
}

/// What costs less may emit more, and the other way round.
QString savingText(const AdviceRow& row, const DisplayLocale& locale)
{
    QStringList saved;
    QStringList lost;
    const bool isCarbon = row.savingKgCo2e.isAvailable() && row.savingKgCo2e.value() != 0;
    // "$0.00" says nothing where something else is saved.
    constexpr double HalfACent = 0.005;
    const bool isMoney =
        row.savingUsd.isAvailable() && (!isCarbon || std::abs(row.savingUsd.value()) >= HalfACent);
    if (isMoney) {
        const double usd = row.savingUsd.value();
        const QString money =
            headlineText(std::abs(usd), Unit::Usd, locale) + QStringLiteral(" a month");
        if (usd < 0)
            lost.append(QStringLiteral("costs %1 more").arg(money));
        else
            saved.append(money);
    }
    // Where no price is known, a measured share is.
    const bool isShare = isMoney ? row.savingUsd.value() >= 0 : !row.savingUsd.isAvailable();
    if (isShare && row.savingPercent.isAvailable())
        saved.append(locale.toString(row.savingPercent.value(), 'f', 0) + QStringLiteral(" %"));
    if (isCarbon) {
        const double kg = row.savingKgCo2e.value();
        const QString carbon = headlineText(std::abs(kg), Unit::KilogramsCo2e, locale);
        if (kg < 0)
            lost.append(QStringLiteral("emits %1 more").arg(carbon));
        else
            saved.append(carbon);
    }
    if (!saved.isEmpty())
        lost.prepend(QStringLiteral("saves ") + saved.join(QStringLiteral(", ")));
    return lost.isEmpty() ? QStringLiteral("saving unavailable: ") + reasonText(row.savingUsd)
                          : lost.join(QStringLiteral("; "));
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

AdviceItem itemOf(const AdviceRow& row, std::size_t number, const DisplayLocale& locale)
{
    return {.number = QString::number(number),
            .title = toQString(row.title),
            .saving = savingText(row, locale),
            .why =
                QStringLiteral("%1 priority, %2 effort: %3")
                    .arg(toQString(pricing::LevelNames.at(static_cast<std::size_t>(row.priority))),
                         toQString(pricing::LevelNames.at(static_cast<std::size_t>(row.effort))),
                         toQString(row.why)),
            .code = codeOf(row),
            .patch = row.patch};
}

/// Bubbles of one field stand in a row of their own, so that none hides another.
class Places {
public:
    explicit Places(const std::vector<const AdviceRow*>& rows)
    {
        for (const AdviceRow* row : rows)
            ++m_count[{row->effort, row->priority}];
    }

    ChartPoint next(const AdviceRow& row)
    {
        const std::pair field{row.effort, row.priority};
        const int index = m_next[field]++;
        const int count = m_count[field];
        const int columns = static_cast<int>(std::ceil(std::sqrt(count)));
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
    return {.title = title,
            .low = 0.5,
            .high = 3.5,
            .words = {QStringLiteral("low"), QStringLiteral("medium"), QStringLiteral("high")}};
}

QString verdictOf(const std::vector<const AdviceRow*>& rows, const DisplayLocale& locale)
{
    if (rows.empty())
        return QStringLiteral("Nothing was found that saves anything for this design");
    // What lets a design fit, or gives it a price, has nothing to be a saving of.
    const bool isSaving = rows.front()->savingUsd.isAvailable() ||
                          rows.front()->savingPercent.isAvailable() ||
                          rows.front()->savingKgCo2e.isAvailable();
    const QString first =
        isSaving ? savingText(*rows.front(), locale) : QStringLiteral("makes it possible at all");
    return rows.size() == 1 ? QStringLiteral("One way was found; it ") + first
                            : QStringLiteral("%1 ways were found; the first %2")
                                  .arg(locale.toString(qlonglong(rows.size())), first);
}

ChartModel chartOf(const std::vector<const AdviceRow*>& rows, const DisplayLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::Scatter;
    chart.title = QStringLiteral("Priority against effort");
    chart.subtitle = QStringLiteral("Area: what it saves in a month; top left first");
    chart.description = verdictOf(rows, locale);
    chart.empty = chart.description;
    chart.x = levelAxis(QStringLiteral("Effort"));
    chart.y = levelAxis(QStringLiteral("Priority"));
    double most = 0;
    for (const AdviceRow* row : rows)
        most = std::max(most, savingOf(*row));
    Places places(rows);
    std::map<std::size_t, ChartSeries> series;
    std::size_t number = 0;
    for (const AdviceRow* row : rows) {
        const auto category = static_cast<std::size_t>(row->category);
        ChartPoint point = places.next(*row);
        // What saves no money is drawn small, not left out.
        constexpr double Least = 0.01;
        point.weight = most > 0 ? std::max(Least, savingOf(*row) / most) : Least;
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

AdviceView makeAdviceView(const pricing::Report& report, const DisplayLocale& locale)
{
    const std::vector<const AdviceRow*> rows = sortedRows(report.advice);
    AdviceView view;
    view.verdict = verdictOf(rows, locale);
    view.chart = chartOf(rows, locale);
    for (const AdviceRow* row : rows)
        view.items.push_back(itemOf(*row, view.items.size() + 1, locale));
    return view;
}

} // namespace outlay::gui
