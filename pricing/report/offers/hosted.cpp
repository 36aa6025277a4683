// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/hosted.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/workload/parameters.h"
#include "pricing/report/offers/serving_ways.h"
#include "pricing/report/plan_hours.h"
#include "pricing/report/run_hours.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula HostedRequestFormula{
    "serving.hosted.request",
    "({0} tokens read x {1} USD + {2} tokens generated x {3} USD) / 1,000,000"};
constexpr Formula HostedCachedFormula{
    "serving.hosted.request.cached",
    "({0} tokens read x {1} USD + {2} read before by others x {3} USD + {4} tokens generated x {5} "
    "USD) / 1,000,000"};
constexpr Formula HostedMonthFormula{"serving.hosted.month", "{0} requests x {1} USD"};
constexpr Formula HostedCrossingFormula{
    "serving.hosted.crossing",
    "{0} USD an hour x {1} h of a machine / {2} USD a request by the token / {3} days"};
constexpr Formula HostedShareFormula{
    "serving.hosted.share",
    "100 x {0} requests a day / ({1} requests a second x {2} s a day / {3} at the peak)"};

/// What is sold by the token reads and writes text.
bool isSoldByToken(const Subject& subject)
{
    return std::holds_alternative<TransformerDesign>(subject.experiment.model.design) &&
           generates(subject.experiment.model);
}

std::string sourceOf(const TokenPrice& price, const TokenPrices& prices)
{
    if (price.isImported)
        return price.provider + " " + price.model + ", of a list that was imported" +
               (price.checked.empty() ? std::string() : ", as of " + price.checked);
    return price.provider + " " + price.model + ", " +
           (price.checked.empty() ? std::string("compared by nobody")
                                  : "compared on " + price.checked) +
           "; " + prices.source();
}

HostedRow rowOf(const Subject& subject, const TokenPrice& price)
{
    const Serving& s = subject.experiment.serving;
    const double out = real(s.outputTokens);
    // What requests have in common costs less only where the provider says so.
    const double cached = price.cachedInput ? real(std::min(s.sharedTokens, s.inputTokens - 1)) : 0;
    const double in = real(s.inputTokens) - cached;
    const double cachedUsd = price.cachedInput.value_or(0);
    const double usd = (in * price.input + cached * cachedUsd + out * price.output) / Mega;
    const double requests = s.requestsPerDay * daysPerMonth(subject.experiment.plan);
    const auto listed = [](double value, How how) {
        return Quantity::within(value, value, value, Unit::Usd, Basis::Listed, std::move(how));
    };
    const std::string source = sourceOf(price, subject.catalogs.tokenPrices());
    return {
        .provider = price.provider,
        .model = price.model,
        .weights = price.weights,
        .checked = price.checked,
        .trust = trustOf(price, subject.catalogs.today()),
        .usdPerMonth = listed(requests * usd, how(HostedMonthFormula, {requests, usd}, source)),
        .usdPerRequest = listed(
            usd, cached > 0
                     ? how(HostedCachedFormula,
                           {in, price.input, cached, cachedUsd, out, price.output}, source)
                     : how(HostedRequestFormula, {in, price.input, out, price.output}, source))};
}

/// Where a month of one machine, busy or not, costs as much as its tokens.
void addCrossing(const Subject& subject, const ServingReport& serving, HostedReport& hosted)
{
    const HostedRow* best = hosted.best();
    const Recommendation& machines = serving.recommended;
    const Plan& plan = subject.experiment.plan;
    const bool isAlways =
        !machines.option || runningOf(plan, machines.option->offer.purchase) == Running::Always;
    const std::string why = hosted.rows.empty() ? hosted.why
                            : !isAlways ? "machines run only while requests ask for them: what a "
                                          "month costs says which is cheaper"
                            : best == nullptr ? "nobody has compared any of the prices by the token"
                                              : "no machine to serve on is recommended";
    hosted.crossingPerDay = Quantity::unavailable(Unit::One, why);
    hosted.crossingShare = Quantity::unavailable(Unit::Percent, why);
    if (!isAlways || best == nullptr || !machines.chosen || best->usdPerRequest.value() <= 0)
        return;
    const Quantity price = subject.catalogs.prices().price(machines.chosen->row);
    if (!price.isAvailable() || plan.hoursPerDay <= 0)
        return;
    const double hours = serving.hoursPerMonth;
    const double days = daysPerMonth(plan);
    const double perUsd = hours / best->usdPerRequest.value() / days;
    hosted.crossingPerDay = Quantity::within(
        price.value() * perUsd, price.low() * perUsd, price.high() * perUsd, Unit::One,
        price.basis(),
        how(HostedCrossingFormula, {price.value(), hours, best->usdPerRequest.value(), days},
            best->usdPerRequest.how().note));
    const Quantity& most = serving.forecasts[machines.chosen->forecast].requestsPerS;
    if (!most.isAvailable() || most.low() <= 0) {
        hosted.crossingShare = Quantity::unavailable(Unit::Percent, most.how().note);
        return;
    }
    const double onS = plan.hoursPerDay * SecondsPerHour;
    const double peak = subject.experiment.serving.peakFactor;
    const auto share = [&](double perDay, double perS) {
        return 100 * perDay / (perS * onS / peak);
    };
    const Quantity& at = hosted.crossingPerDay;
    hosted.crossingShare =
        Quantity::within(share(at.value(), most.value()), share(at.low(), most.high()),
                         share(at.high(), most.low()), Unit::Percent, Basis::Forecast,
                         how(HostedShareFormula, {at.value(), most.value(), onS, peak}));
}

/// "A recommended machine costs as much as 94,092 requests a day, 63 % of what it answers, and less ..."
std::string crossingText(const HostedReport& hosted)
{
    constexpr double All = 100;
    const Quantity& at = hosted.crossingPerDay;
    const Quantity& share = hosted.crossingShare;
    if (!at.isAvailable())
        return {};
    const std::string count = grouped(static_cast<std::int64_t>(at.value()));
    if (!share.isAvailable())
        return " A machine costs as much as " + count + " requests a day.";
    const std::string percent = plainNumber(std::round(share.value())) + " % of what it answers";
    // Never is said where it is so for the whole interval.
    return share.low() > All ? " The recommended machine is never cheaper: it costs as much as " +
                                   count + " requests a day, " + percent + "."
                             : " A recommended machine costs as much as " + count +
                                   " requests a day, " + percent + ", and less the fuller it is.";
}

} // namespace

void addHosted(const Subject& subject, Report& report)
{
    HostedReport& hosted = report.serving.hosted;
    hosted = {};
    const std::int64_t parameters = parametersOf(subject.kinds);
    if (isSoldByToken(subject)) {
        const Serving& s = subject.experiment.serving;
        for (const TokenPrice* price : subject.catalogs.tokenPrices().of(parameters)) {
            if (!price->context || s.inputTokens + s.outputTokens <= *price->context)
                hosted.rows.push_back(rowOf(subject, *price));
        }
    }
    if (hosted.rows.empty())
        hosted.why = "no list has the price of a hosted model with just these " +
                     grouped(parameters) + " parameters";
    const auto place = [](const HostedRow& row) {
        return std::pair(row.trust, row.usdPerRequest.value());
    };
    std::stable_sort(hosted.rows.begin(), hosted.rows.end(),
                     [&](const auto& a, const auto& b) { return place(a) < place(b); });
    addCrossing(subject, report.serving, hosted);
}

std::optional<ServingWay> hostedWay(const Subject& subject, const Report& report)
{
    if (!isSoldByToken(subject))
        return std::nullopt;
    const HostedReport& hosted = report.serving.hosted;
    const double requests = report.serving.requestsPerMonth;
    const HostedRow* best = hosted.best();
    ServingWay way{.name = "api"};
    if (best == nullptr) {
        const Note why = hosted.rows.empty()
                             ? hosted.why
                             : std::string("nobody has compared any of its prices by the token");
        way.usdPerMonth = Quantity::unavailable(Unit::Usd, why);
        way.why = why.text() + ".";
        way.why[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(way.why[0])));
    } else {
        way.usdPerMonth = best->usdPerMonth;
        way.why = hostTitle(best->provider) + " sells " + best->weights + " by the token (" +
                  best->model + ", compared on " + best->checked +
                  "): weights as they were published, none that you train." + crossingText(hosted);
    }
    way.usdPerMillion = usdPerMillion(way.usdPerMonth, requests);
    const Note unknown = "no list says how soon a hosted API answers";
    way.latencyMs = Quantity::unavailable(Unit::Milliseconds, unknown);
    way.p95Ms = way.latencyMs;
    way.holdsLatency = false; // what nobody says isn't kept
    return way;
}

} // namespace outlay::pricing
