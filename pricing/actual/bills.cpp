// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Bills of clouds: FOCUS 1.0 to 1.2 and AWS' Cost and Usage Report, of which rows come in any number.
#include "core/base/json.h"
#include "core/base/text.h"
#include "pricing/actual/readers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

/// What each kind calls its columns.
struct BillColumns {
    std::string_view kind;
    std::string_view cost;
    std::string_view currency;
    std::string_view begin;
    std::string_view resource;
    std::string_view tags;   // all of them as JSON; empty where each has a column
    std::string_view prefix; // of these columns
};

constexpr std::array Kinds{BillColumns{"FOCUS bill",
                                       "BilledCost",
                                       "BillingCurrency",
                                       "ChargePeriodStart",
                                       "ResourceId",
                                       "Tags",
                                       {}},
                           BillColumns{"AWS Cost and Usage Report",
                                       "lineItem/UnblendedCost",
                                       "lineItem/CurrencyCode",
                                       "lineItem/UsageStartDate",
                                       "lineItem/ResourceId",
                                       {},
                                       "resourceTags/user:"},
                           BillColumns{"AWS Cost and Usage Report 2.0",
                                       "line_item_unblended_cost",
                                       "line_item_currency_code",
                                       "line_item_usage_start_date",
                                       "line_item_resource_id",
                                       "resource_tags",
                                       {}}};

const BillColumns* kindOf(const CsvReader& table)
{
    const auto kind = std::find_if(Kinds.begin(), Kinds.end(), [&](const BillColumns& k) {
        return table.hasColumn(k.cost) && table.hasColumn(k.begin);
    });
    return kind == Kinds.end() ? nullptr : &*kind;
}

/// "key=value".
struct Tag {
    std::string key;
    std::string value;
};

Result<std::optional<Tag>> tagOf(const RecordFilter& filter)
{
    if (filter.tag.empty())
        return std::optional<Tag>();
    const std::size_t equals = filter.tag.find('=');
    if (equals == std::string::npos || equals == 0)
        return usageError(inQuotes(filter.tag) + " is no tag", "give --tag KEY=VALUE");
    return std::optional(Tag{filter.tag.substr(0, equals), filter.tag.substr(equals + 1)});
}

bool hasTag(std::string_view tags, const Tag& tag)
{
    const auto json = readJson(tags);
    if (!json)
        return false;
    for (const std::string& key : {tag.key, "user:" + tag.key, "user_" + tag.key}) {
        const Json* value = json->find(key);
        if (value != nullptr && value->asString() != nullptr && *value->asString() == tag.value)
            return true;
    }
    return false;
}

bool isInDays(std::string_view begin, const RecordFilter& filter)
{
    constexpr std::size_t Day = 10; // "2026-11-20"
    const std::string_view day = begin.substr(0, std::min(Day, begin.size()));
    return (filter.from.empty() || day >= filter.from) && (filter.to.empty() || day <= filter.to);
}

/// The rows that count, summed.
class Bill {
public:
    Bill(CsvReader& table, const BillColumns& columns, const RecordFilter& filter,
         std::optional<Tag> tag)
        : m_table(table), m_columns(columns), m_filter(filter), m_tag(std::move(tag)),
          m_cost(table.column(columns.cost)), m_currency(table.column(columns.currency)),
          m_begin(table.column(columns.begin)), m_resource(table.column(columns.resource)),
          m_tags(table.column(m_columns.tags.empty() && m_tag
                                  ? std::string(columns.prefix) + m_tag->key
                                  : std::string(columns.tags)))
    {
    }

    Result<Record> sum()
    {
        Record record{.kind = std::string(m_columns.kind)};
        double usd = 0;
        std::size_t all = 0;
        while (m_table.next()) {
            ++all;
            if (!counts())
                continue;
            if (m_table.field("BillingAccountId") == "outlay-estimate")
                return inputError("line " + std::to_string(m_table.line()) +
                                      " is an estimate that Outlay made",
                                  "give what was billed");
            if (m_table.at(m_cost).empty())
                continue;
            const auto cost = numberIn(m_table.at(m_cost));
            if (!cost || !std::isfinite(*cost))
                return inputError("the cost in line " + std::to_string(m_table.line()) + " is " +
                                      inQuotes(printable(m_table.at(m_cost), 20)) + ", no number",
                                  "mend it, or take the line out");
            const std::string_view currency = m_table.at(m_currency);
            if (!currency.empty() && currency != "USD")
                return inputError("line " + std::to_string(m_table.line()) + " is in " +
                                      printable(currency, 10),
                                  "give a bill in USD");
            usd += *cost;
            ++record.rows;
            const std::string_view begin = m_table.at(m_begin);
            if (record.began.empty() || begin < record.began)
                record.began = std::string(begin);
        }
        if (const auto whole = m_table.outcome(); !whole)
            return failureOf(whole);
        if (record.rows == 0)
            return inputError("none of its " + grouped(static_cast<std::int64_t>(all)) +
                                  " rows is of what was asked for",
                              "check --resource, --tag, --from-day and --to-day");
        record.usd = usd;
        return record;
    }

private:
    [[nodiscard]] bool counts() const
    {
        if (!m_filter.resource.empty() &&
            m_table.at(m_resource).find(m_filter.resource) == std::string_view::npos)
            return false;
        if (!isInDays(m_table.at(m_begin), m_filter))
            return false;
        if (!m_tag)
            return true;
        const std::string_view tags = m_table.at(m_tags);
        return m_columns.tags.empty() ? tags == m_tag->value : hasTag(tags, *m_tag);
    }

    CsvReader& m_table;
    const BillColumns& m_columns;
    const RecordFilter& m_filter;
    std::optional<Tag> m_tag;
    std::size_t m_cost;
    std::size_t m_currency;
    std::size_t m_begin;
    std::size_t m_resource;
    std::size_t m_tags;
};

} // namespace

bool isBill(const CsvReader& table)
{
    return kindOf(table) != nullptr;
}

Result<Record> readBill(CsvReader& table, const RecordFilter& filter)
{
    if (filter.resource.empty() && filter.tag.empty() && filter.from.empty() && filter.to.empty())
        return usageError("a bill holds all that was bought",
                          "say which part was the run's with --resource, --tag, or --from-day and "
                          "--to-day");
    auto tag = tagOf(filter);
    if (!tag)
        return failureOf(tag);
    return Bill(table, *kindOf(table), filter, std::move(*tag)).sum();
}

} // namespace outlay::pricing
