// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/serving_forecast.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/hardware/engine_support.h"
#include "core/hardware/forecast_parts.h"
#include "core/hardware/rates.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace outlay::core {

OUTLAY_VALUE_DEFAULTED(ServingForecast);
namespace {

constexpr Formula BatchFormula{"forecast.batch_rate", "{0} requests at once / {1} ms"};
constexpr Formula CopiesFormula{"forecast.copies", "{0} x {1} copies beside each other"};
constexpr Formula LatencyFormula{"forecast.latency", "prompt {0} ms + {1} tokens x {2} ms"};
constexpr Formula PassFormula{
    "forecast.pass",
    "products {0} ms + bytes {1} ms + recurrent steps {2} ms + launches and engine {3} ms + "
    "exchange {4} ms"};
constexpr Formula ShareFormula{"forecast.memory_share", "{0} B shared by {1} devices"};
constexpr Formula WholeShareFormula{
    "forecast.memory_share.whole",
    "{0} B shared by {1} devices, each with the {2} B of attention over a latent"};

Quantity memoryShare(const ServingDemand& demand, std::int64_t devices)
{
    const Quantity& all = demand.memory;
    const double count = real(devices);
    if (devices < 2)
        return all;
    if (demand.wholeBytes <= 0 || !all.isAvailable())
        return (all * (1 / count)).because(how(ShareFormula, {all.value(), count}));
    const double more = (all.value() + (count - 1) * demand.wholeBytes) / all.value();
    return (all * (more / count))
        .because(how(WholeShareFormula, {all.value(), count, demand.wholeBytes}));
}

struct ServingTimes {
    PassTime prompt;
    PassTime token;
    double promptExchangeS = 0;
    double tokenExchangeS = 0;
};

/// With what the engine takes beside the kernels, as the processor's part.
PassTime passTime(const std::vector<KernelGroup>& groups, const Attainable& on, double devices)
{
    PassTime time = forwardTime(groups, on, {.layers = devices}).withHost();
    time.launchS += on.overheadS;
    return time;
}

/// Of each later token.
PassTime tokenTime(const ServingDemand& demand, const Attainable& on, double devices,
                   const Calibration& c)
{
    if (!demand.checked)
        return passTime(demand.token, on, devices);
    const CheckedTokens& checked = *demand.checked;
    PassTime time = passTime(checked.pass, on, devices);
    time += forwardTime(demand.token, on, {.layers = devices})
                .withHost()
                .times(checked.guesses * checked.draftShare);
    time.launchS +=
        (c.checkMs + (checked.draftShare > 0 ? checked.guesses * c.guessMs : 0)) / MillisPerS;
    return time.times(1 / checked.made);
}

/// Of a pass over so many tokens of each request: every block sums its result over the devices twice, or each device
/// hands it to the next.
double servingExchangeS(const ServingDemand& demand, const Devices& on, double tokens)
{
    if (on.count < 2)
        return 0;
    const double latencyS = on.calibration.ratesNear(demand.engine, on.device).exchangeUs * Micro;
    const double bytes = real(batchOf(demand.serving)) * tokens * demand.width * 2;
    return worksInTurn(demand.engine) ? real(on.count - 1) * (latencyS + sendSeconds(bytes, on))
                                      : 2 * demand.blocks * (latencyS + exchangeSeconds(bytes, on));
}

double tokenExchangeS(const ServingDemand& demand, const Devices& on)
{
    if (!demand.checked)
        return servingExchangeS(demand, on, 1);
    const CheckedTokens& checked = *demand.checked;
    const double alone = checked.guesses * checked.draftShare * servingExchangeS(demand, on, 1);
    return (servingExchangeS(demand, on, checked.guesses + 1) + alone) / checked.made;
}

/// Those that share a pass.
double passSharers(const ServingDemand& demand, const Devices& on)
{
    return worksInTurn(demand.engine) ? 1 : real(on.count);
}

/// Times as long as the model alone takes to read a prompt, which a draft reads, too.
double readersOf(const ServingDemand& demand)
{
    return demand.checked ? 1 + demand.checked->draftShare : 1;
}

ServingTimes servingTimes(const ServingDemand& demand, const Devices& on)
{
    const double sharers = passSharers(demand, on);
    const RequestRates rates = requestRatesOf(on.device, demand, on.calibration);
    ServingTimes times;
    const double readers = readersOf(demand);
    times.prompt = passTime(demand.prompt, rates.prompt, sharers).times(readers);
    times.promptExchangeS = readers * servingExchangeS(demand, on, demand.ownTokens);
    if (demand.laterTokens > 0) {
        times.token = tokenTime(demand, rates.token, sharers, on.calibration);
        times.tokenExchangeS = tokenExchangeS(demand, on);
    }
    return times;
}

/// Published passes in 32 bits of transformers on processors of that maker, by that engine.
bool isSeenOnProcessor(const ServingDemand& demand, const Devices& on)
{
    return on.device.kind == DeviceKind::Cpu && demand.heads > 0 &&
           demand.serving.precision == ServingPrecision::Fp32 &&
           on.calibration.spreads.passOnProcessors.hasSeen(on.device.vendor, demand.engine);
}

/// What was seen of the engine that a person names.
const char* engineDoubt(const ServingDemand& demand, const Devices& on)
{
    if (!demand.isEngineKnown)
        return ", which is assumed";
    const Spreads& spreads = on.calibration.spreads;
    const KindSpread& kind = demand.laterTokens > 0 ? spreads.token : spreads.pass;
    const bool isSeen = Spreads::isSeen(kind, seenAs(demand.engine, on.device.name)) ||
                        (demand.laterTokens <= 0 && isSeenOnProcessor(demand, on));
    return isSeen ? "" : ", of which no run on this device was seen";
}

/// Whose way of serving it is; a processor was timed with PyTorch, which needs no word.
Note engineNote(const ServingDemand& demand, const Devices& on)
{
    if (on.device.kind == DeviceKind::Cpu && demand.engine == Engine::LibTorch)
        return nameOf(on);
    return nameOf(on) + ", as " + titleOf(demand.engine) + " serves" +
           (on.count > 1 && worksInTurn(demand.engine) ? ", one device after the other" : "") +
           engineDoubt(demand, on) +
           (demand.hasLatents ? ", attention over a latent by its own formulas alone" : "");
}

Quantity passFigure(const PassTime& time, double exchangeS, double otherSpread, const Note& engine,
                    const Devices& on)
{
    const double seconds = time.total() + exchangeS;
    const double factor = spreadOf(time, seconds, otherSpread, on);
    return spread(
        seconds * MillisPerS, factor, Unit::Milliseconds,
        how(PassFormula,
            {time.productS * MillisPerS, time.movingS * MillisPerS, time.recurrenceS * MillisPerS,
             time.launchS * MillisPerS, exchangeS * MillisPerS},
            engine));
}

/// What follows from the latency of a request.
void fillRates(ServingForecast& f, const ServingDemand& demand)
{
    const Serving& s = demand.serving;
    const Quantity answered = Quantity::exact(real(batchOf(s)) * MillisPerS, Unit::One, {});
    f.requestsPerS = quotient(answered, f.latencyMs, Unit::SamplesPerSecond)
                         .because(how(BatchFormula, {real(batchOf(s)), f.latencyMs.value()}));
    f.tokensPerS =
        demand.laterTokens > 0
            ? product(f.requestsPerS, Quantity::exact(real(s.outputTokens), Unit::One, {}),
                      Unit::TokensPerSecond)
            : Quantity::unavailable(Unit::TokensPerSecond, "no tokens are generated");
    const double secondsPerRequest = 1 / MillisPerS / real(batchOf(s));
    f.kwhPerRequest =
        energyOf(f.watts, product(f.latencyMs, Quantity::exact(secondsPerRequest, Unit::One, {}),
                                  Unit::Seconds));
}

/// Of what answers in one pass. An engine that one source alone has run may be as far from that elsewhere as both.
double passSpread(const ServingDemand& demand, const EngineRates& rates, const Devices& on)
{
    const Spreads& spreads = on.calibration.spreads;
    if (isSeenOnProcessor(demand, on))
        return spreads.passOnProcessors.factor;
    const std::string served = seenAs(demand.engine, on.device.name);
    const double any = std::max(spreadOf(spreads.pass, served, on),
                                on.calibration.ratesOf(on.device.generation).passSpread);
    const double own = rates.device.empty() ? std::max(1.0, rates.spread) : 1;
    return Spreads::isSeen(spreads.pass, served) ? std::max(any, own) : any * own;
}

/// Of tokens by passes that check guesses, whose share of those that hold is assumed.
double tokenSpread(const ServingDemand& demand, double ofPass, const Spreads& spreads)
{
    if (!demand.checked)
        return ofPass;
    const double ofGuesses = demand.checked->made / demand.checked->madeAtLeast;
    return std::exp(
        std::hypot(std::log(ofPass), std::log(ofGuesses), std::log(spreads.guessedTokens)));
}

Note guessNote(const ServingDemand& demand, const Note& engine)
{
    if (!demand.checked)
        return engine;
    return engine.text() + "; each pass checks " + plainNumber(demand.checked->guesses) +
           " guessed tokens and makes " + plainNumber(demand.checked->made);
}

ServingForecast knownServing(const ServingDemand& demand, const Devices& on,
                             const ServingTimes& times)
{
    const Spreads& spreads = on.calibration.spreads;
    const double later = demand.laterTokens;
    const Note engine = engineNote(demand, on);
    ServingForecast f;
    const std::string served = seenAs(demand.engine, on.device.name);
    const double ofTokens = spreadOf(spreads.token, served, on);
    // Of tokens where an engine was measured on the device; else of its passes, where one source alone has run it.
    const EngineRates& rates = on.calibration.ratesOf(demand.engine, on.device.name);
    const bool isMeasured = !rates.device.empty();
    const double known = isMeasured && rates.spread > 0 ? rates.spread : ofTokens;
    const double unknown = demand.isEngineKnown ? 1 : spreads.engineUnknown;
    // Few rows with a latent are in a fit, of one device, whatever was seen of the engine.
    const auto atLeast = [&](const KindSpread& kind) {
        return demand.hasLatents ? kind.unseen : 1;
    };
    const double token = std::max({known, unknown, atLeast(spreads.token)});
    // Whole requests that were measured have their prompts in them: those aren't further off than on an unseen device.
    const double alone = spreadOf(spreads.prompt, served, on);
    const double ofPrompts =
        isMeasured ? std::max(std::min(alone, spreads.prompt.unseen), known) : alone;
    const double pass = later > 0 ? std::max({ofPrompts, unknown, atLeast(spreads.prompt)})
                                  : std::max(passSpread(demand, rates, on), atLeast(spreads.pass));
    f.firstTokenMs = passFigure(times.prompt, times.promptExchangeS, pass, engine, on);
    f.tokenMs = Quantity::unavailable(Unit::Milliseconds, "no further tokens are generated");
    f.latencyMs = f.firstTokenMs;
    if (later > 0) {
        f.tokenMs = passFigure(times.token, times.tokenExchangeS,
                               tokenSpread(demand, token, spreads), guessNote(demand, engine), on);
        f.latencyMs =
            (f.firstTokenMs + f.tokenMs * later)
                .because(how(LatencyFormula, {f.firstTokenMs.value(), later, f.tokenMs.value()}));
    }
    PassTime all = times.prompt;
    all += times.token.times(later);
    const double exchangeS = times.promptExchangeS + later * times.tokenExchangeS;
    f.bound = boundOf(all, exchangeS);
    f.watts = powerOf(all, all.total() + exchangeS, passSharers(demand, on), on);
    fillRates(f, demand);
    return f;
}

} // namespace

ServingForecast unavailableServing(const Note& why)
{
    ServingForecast f;
    f.firstTokenMs = f.tokenMs = f.latencyMs = Quantity::unavailable(Unit::Milliseconds, why);
    f.requestsPerS = Quantity::unavailable(Unit::SamplesPerSecond, why);
    f.tokensPerS = Quantity::unavailable(Unit::TokensPerSecond, why);
    f.watts = Quantity::unavailable(Unit::Watts, why);
    f.kwhPerRequest = Quantity::unavailable(Unit::KilowattHours, why);
    f.note = why;
    return f;
}

RequestSeconds requestSecondsOn(const ServingDemand& demand, const Devices& on)
{
    const ServingTimes times = servingTimes(demand, on);
    return {times.prompt.total() + times.promptExchangeS,
            times.token.total() + times.tokenExchangeS};
}

double besideSecondsOn(const ServingDemand& demand, const ServingDemand& step, const Devices& on)
{
    const double sharers = passSharers(demand, on);
    Attainable rates = requestRatesOf(on.device, demand, on.calibration).prompt;
    rates.launchS = rates.hostS = rates.overheadS = 0;
    if (rates.attention)
        rates.attention->callS = 0;
    rates.products.rowsToHalf = 0; // others' rows fill the units, too
    double read = 0;               // more than the step does: experts that none of its rows picked
    std::vector<KernelGroup> groups = demand.prompt;
    for (KernelGroup& group : groups) {
        read += group.count * std::exchange(group.weightBytes, 0);
        group.remadeBytes = 0;
    }
    for (const KernelGroup& group : step.token)
        read -= group.count * group.weightBytes;
    const double kernelsS = forwardTime(groups, rates, {.layers = sharers}).total() +
                            std::max(0.0, read) / (rates.bytesPerS * sharers);
    const double exchangeS =
        servingExchangeS(demand, on, demand.ownTokens) - servingExchangeS(demand, on, 1);
    return readersOf(demand) * (kernelsS + std::max(0.0, exchangeS));
}

double tokenSecondsOn(const ServingDemand& demand, const Devices& on)
{
    const RequestRates rates = requestRatesOf(on.device, demand, on.calibration);
    return tokenTime(demand, rates.token, passSharers(demand, on), on.calibration).total() +
           tokenExchangeS(demand, on);
}

RequestSeconds requestSecondsAt(const ServingDemand& demand, const RequestRates& rates)
{
    RequestSeconds seconds{.prompt = passTime(demand.prompt, rates.prompt, 1).total()};
    if (demand.laterTokens > 0)
        seconds.token = passTime(demand.token, rates.token, 1).total(); // nothing is guessed
    return seconds;
}

namespace {

/// Why it can't be served there; nothing where it can.
std::optional<Note> obstacle(const ServingDemand& demand, const Devices& on, const PeakRate& peak)
{
    if (on.count < 1)
        return Note("no device");
    if (auto why = whyNotServed(demand, on.device))
        return why;
    if (!requestRatesOf(on.device, demand, on.calibration).prompt.isKnown())
        return Note(lacking(on.device, peak));
    return std::nullopt;
}

} // namespace

ServingForecast servingForecast(const ServingDemand& demand, const Devices& on)
{
    const PeakRate peak = peakRate(on.device, demand.serving.precision);
    const auto why = obstacle(demand, on, peak);
    ServingForecast f =
        why ? unavailableServing(*why) : knownServing(demand, on, servingTimes(demand, on));
    f.ofCopy = on.count;
    f.note = peak.note;
    f.memory = memoryShare(demand, on.count);
    f.fits = fitsOn(f.memory, on);
    return f;
}

std::vector<std::int64_t> copySizes(const ServingDemand& demand, const Devices& on)
{
    const bool isInTurn = worksInTurn(demand.engine);
    const std::int64_t asked = isInTurn ? 0 : demand.serving.tensorParallel.value_or(0);
    std::vector<std::int64_t> sizes;
    std::int64_t widest = 0; // that divides machine and heads
    for (std::int64_t count = 1; count <= on.count; ++count) {
        const bool isDivided = on.count % count == 0 && (isInTurn || demand.heads % count == 0);
        if (!isDivided || (asked > 0 && count != asked))
            continue;
        widest = count;
        Devices each = on;
        each.count = count;
        if (asked == 0 && fitsOn(memoryShare(demand, count), each) == Fits::No)
            continue;
        sizes.push_back(count);
        if (isInTurn)
            return sizes;
    }
    if (sizes.empty() && widest > 0)
        sizes.push_back(widest); // which says that it doesn't hold it
    return sizes;
}

ServingForecast beside(ServingForecast one, std::int64_t copies)
{
    one.copies = copies;
    if (copies < 2)
        return one;
    for (Quantity* figure : {&one.requestsPerS, &one.tokensPerS, &one.watts}) {
        if (figure->isAvailable())
            *figure = (*figure * real(copies))
                          .because(how(CopiesFormula, {figure->value(), real(copies)}));
    }
    return one;
}

ServingForecast undividedServing(const ServingDemand& demand, const Devices& on)
{
    const Note why = "its settings ask for " +
                     plainNumber(real(demand.serving.tensorParallel.value_or(1))) +
                     " devices to a layer, into which " + std::to_string(on.count) + " x " +
                     on.device.name + " or the heads can't be divided";
    ServingForecast f = unavailableServing(why);
    f.memory = Quantity::unavailable(Unit::Bytes, why);
    f.fits = Fits::No;
    return f;
}

} // namespace outlay::core
