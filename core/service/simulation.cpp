// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/service/simulation.h"

#include "core/base/log_normal.h"
#include "core/base/units.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <queue>
#include <random>
#include <utility>

namespace outlay::core {
namespace {

constexpr std::size_t Slices = 96;
constexpr double EnoughNearPeak = 30'000; // requests, to tell 95 of 100
constexpr double MostRequests = 1e6;      // in all
constexpr double MostDays = 1e5;
constexpr std::uint64_t Seed = 20261126;

/// When a request came, had its first token, and was answered.
struct Answered {
    double cameS = 0;
    double firstS = 0;
    double doneS = 0;
    double laterTokens = 0; // of its answer; 0: they don't come one by one
};

/// What is seen of a machine, as it happens.
class Record {
public:
    /// Days of so many seconds.
    Record(const Day& day, double dayS, double days)
        : m_dayS(dayS), m_days(days), m_peakFrom(day.peakBegins()), m_slices(Slices)
    {
    }

    void add(const Answered& request)
    {
        const double place = placeOf(request.cameS);
        Slice& slice = sliceAt(place);
        const auto answerS = static_cast<float>(request.doneS - request.cameS);
        const auto firstTokenS = static_cast<float>(request.firstS - request.cameS);
        slice.answerS.push_back(answerS);
        slice.firstTokenS.push_back(firstTokenS);
        if (!isNearPeak(place))
            return;
        m_answerS.push_back(answerS);
        m_firstTokenS.push_back(firstTokenS);
        if (request.laterTokens > 0)
            m_tokenS.push_back(
                static_cast<float>((request.doneS - request.firstS) / request.laterTokens));
    }

    /// So many are there from then on, for so long.
    void stay(double fromS, double seconds, double inFlight, double waiting)
    {
        const double sliceS = m_dayS / Slices;
        seconds = std::min(seconds, m_days * m_dayS - fromS); // then no more come
        while (seconds > 0) {
            const double place = placeOf(fromS);
            const double within = place * Slices - std::floor(place * Slices);
            // At a border what is left may round to nothing.
            const double partS = std::min(seconds, std::max((1 - within) * sliceS, Least * sliceS));
            Slice& slice = sliceAt(place);
            slice.inFlightS += inFlight * partS;
            slice.waitingS += waiting * partS;
            if (isNearPeak(place))
                m_peakInFlightS += inFlight * partS;
            fromS += partS;
            seconds -= partS;
        }
    }
    void beBusy(double seconds) { m_busyS += seconds; }
    void wait(std::size_t count) { m_mostWaiting = std::max(m_mostWaiting, count); }

    [[nodiscard]] ServiceDay over(double machines)
    {
        ServiceDay day;
        const double sliceS = m_days * m_dayS / Slices;
        for (std::size_t i = 0; i < Slices; ++i) {
            Slice& slice = m_slices[i];
            const double place = (static_cast<double>(i) + 0.5) / Slices;
            const double count = static_cast<double>(slice.answerS.size());
            day.requests += slice.answerS.size();
            day.slices.push_back({.hour = place,
                                  .perS = machines * count / sliceS,
                                  .inFlight = slice.inFlightS / sliceS,
                                  .waiting = slice.waitingS / sliceS,
                                  .answerP95S = p95Of(slice.answerS),
                                  .firstTokenP95S = p95Of(slice.firstTokenS),
                                  .requests = slice.answerS.size()});
        }
        day.answerP95S = p95Of(m_answerS);
        day.firstTokenP95S = p95Of(m_firstTokenS);
        day.tokenP95S = p95Of(m_tokenS);
        day.inFlight = m_peakInFlightS / (m_days * m_dayS * (1 - 2 * m_peakFrom));
        day.busyShare = std::min(m_busyS / (m_days * m_dayS), 1.0);
        day.mostWaiting = m_mostWaiting;
        return day;
    }

private:
    struct Slice {
        std::vector<float> answerS;
        std::vector<float> firstTokenS;
        double inFlightS = 0;
        double waitingS = 0;
    };

    static constexpr double Least = 1e-6;

    [[nodiscard]] bool isNearPeak(double place) const
    {
        return place >= m_peakFrom && place <= 1 - m_peakFrom;
    }
    [[nodiscard]] double placeOf(double seconds) const
    {
        const double days = seconds / m_dayS;
        return days - std::floor(days);
    }
    [[nodiscard]] Slice& sliceAt(double place)
    {
        return m_slices[std::min(static_cast<std::size_t>(place * Slices), Slices - 1)];
    }
    [[nodiscard]] static std::optional<double> p95Of(std::vector<float>& values)
    {
        constexpr std::size_t Enough = 40; // that two are beyond
        if (values.size() < Enough)
            return std::nullopt;
        const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() * 95 / 100);
        std::nth_element(values.begin(), at, values.end());
        return static_cast<double>(*at);
    }

    double m_dayS;
    double m_days;
    double m_peakFrom;
    std::vector<Slice> m_slices;
    std::vector<float> m_answerS; // near the peak
    std::vector<float> m_firstTokenS;
    std::vector<float> m_tokenS;
    double m_peakInFlightS = 0;
    double m_busyS = 0;
    std::size_t m_mostWaiting = 0;
};

/// Lengths of requests, as they come.
class Lengths {
public:
    Lengths(double mean, double spread) : m_of(mean, spread), m_isOne(spread <= 0) {}

    [[nodiscard]] double next(std::mt19937_64& random)
    {
        return m_isOne ? m_of.mean() : std::max(1.0, std::round(m_of.at(m_deviations(random))));
    }

private:
    LogNormal m_of;
    bool m_isOne;
    std::normal_distribution<double> m_deviations;
};

/// Takes in who waits whenever a step begins, as far as there are places and room for caches.
class EngineMachine {
public:
    EngineMachine(const EnginePace& pace, Record& record, std::mt19937_64& random)
        : m_pace(pace), m_record(record), m_random(random),
          m_inputs(pace.lengths.input, pace.lengths.inputSpread),
          m_laters(pace.lengths.later, pace.lengths.outputSpread), m_usual(pace.lengths.inFlight())
    {
    }

    void take(double cameS)
    {
        runUntil(cameS);
        if (m_running.empty() && m_waiting.empty())
            m_nowS = std::max(m_nowS, cameS);       // the last step may have gone beyond
        m_record.stay(cameS, m_nowS - cameS, 0, 1); // until the next one begins
        const double input = m_inputs.next(m_random);
        const double later = m_laters.next(m_random);
        m_waiting.push_back({.cameS = cameS, .laterTokens = later, .read = input, .left = later});
    }
    void finish(const std::stop_token& stop)
    {
        while (!(m_running.empty() && m_waiting.empty()) && !stop.stop_requested())
            runUntil(m_nowS + SecondsPerHour);
    }

private:
    struct Request {
        double cameS = 0;
        double firstS = 0;      // 0: it has no token yet
        double laterTokens = 0; // of its answer
        double read = 0;        // its own, with those that were made before it was put back
        double lead = 1;        // the step that makes its first token; none when it was put back
        double left = 0;        // later tokens to be made when it is taken in
        double takenIn = 0;     // after so many steps

        [[nodiscard]] double leaves() const { return takenIn + lead + left; }
    };
    /// For a heap with the one in front that leaves next.
    static constexpr auto LeavesLater = [](const Request& a, const Request& b) {
        return a.leaves() > b.leaves();
    };

    void runUntil(double untilS)
    {
        while (m_nowS < untilS && !(m_running.empty() && m_waiting.empty())) {
            putBack();
            const double promptsS = takeIn();
            // Where nobody comes or goes one step is like the next.
            double alike = 1;
            if (m_entering.empty()) {
                const double until = stepsUntil(untilS - m_nowS);
                const double room = std::floor((m_pace.cacheTokens - m_held) / count());
                alike =
                    std::max(1.0, std::min({m_running.front().leaves() - m_steps, until, room}));
            }
            pass(promptsS + stepsS(alike));
            m_held += count() * alike;
            m_steps += alike;
            enter();
            leave();
        }
    }

    /// Who came last goes back and waits where their caches don't fit, and is read again later.
    void putBack()
    {
        const auto cameBefore = [](const Request& a, const Request& b) {
            return std::pair(a.takenIn, a.cameS) < std::pair(b.takenIn, b.cameS);
        };
        if (m_running.size() < 2 || m_held + count() <= m_pace.cacheTokens)
            return;
        while (m_running.size() > 1 && m_held + count() > m_pace.cacheTokens) {
            const auto at = std::max_element(m_running.begin(), m_running.end(), cameBefore);
            Request last = std::exchange(*at, m_running.back());
            m_running.pop_back();
            m_held -= heldBy(last);
            const double made = m_steps - last.takenIn;
            last.read += made;
            last.left -= made - std::exchange(last.lead, 0);
            m_waiting.push_front(last);
        }
        std::make_heap(m_running.begin(), m_running.end(), LeavesLater);
    }

    /// Seconds of their prompts.
    double takeIn()
    {
        double seconds = 0;
        while (!m_waiting.empty() && m_running.size() + m_entering.size() < m_pace.tokenS.size()) {
            Request& next = m_waiting.front();
            next.takenIn = m_steps;
            const double held = m_held + heldBy(next) + count() + 1;
            if (count() > 0 && held > m_pace.cacheTokens)
                break;
            seconds += m_pace.prompt.seconds(next.read);
            m_held += heldBy(next);
            m_entering.push_back(next);
            m_waiting.pop_front();
        }
        if (!m_waiting.empty())
            m_record.wait(m_waiting.size());
        return seconds;
    }

    /// Those that were taken in have a token now.
    void enter()
    {
        for (Request& request : m_entering) {
            if (request.firstS <= 0)
                request.firstS = m_nowS;
            m_running.push_back(request);
            std::push_heap(m_running.begin(), m_running.end(), LeavesLater);
        }
        m_entering.clear();
    }
    void leave()
    {
        while (!m_running.empty() && m_running.front().leaves() <= m_steps) {
            std::pop_heap(m_running.begin(), m_running.end(), LeavesLater);
            const Request& request = m_running.back();
            m_record.add({request.cameS, request.firstS, m_nowS, request.laterTokens});
            m_held -= heldBy(request);
            m_running.pop_back();
        }
    }

    /// In flight.
    [[nodiscard]] double count() const
    {
        return static_cast<double>(m_running.size() + m_entering.size());
    }
    [[nodiscard]] double heldBy(const Request& request) const
    {
        return request.read + m_steps - request.takenIn + m_pace.keptTokens;
    }
    /// So many steps one after the other, in each of which every context becomes longer by one.
    [[nodiscard]] double stepsS(double steps) const
    {
        constexpr double Least = 0.1; // of a usual step: there are weights to read
        const double usual = steps * m_pace.tokenS[m_running.size() + m_entering.size() - 1];
        const double above = m_held - count() * (m_pace.keptTokens + m_usual);
        const double contexts = above * steps + count() * steps * (steps - 1) / 2;
        return std::max(Least * usual, usual + m_pace.contextS * contexts);
    }

    /// The fewest that take so long; each is a little longer than the one before.
    [[nodiscard]] double stepsUntil(double seconds) const
    {
        const double growth = m_pace.contextS * count() / 2;
        const double first = stepsS(1) - growth;
        const double root = std::sqrt(first * first + 4 * growth * seconds);
        double steps = std::ceil(2 * seconds / (first + root));
        while (stepsS(steps) < seconds)
            ++steps;
        return steps;
    }

    void pass(double seconds)
    {
        m_record.stay(m_nowS, seconds, count(), static_cast<double>(m_waiting.size()));
        m_record.beBusy(seconds);
        m_nowS += seconds;
    }

    const EnginePace& m_pace;
    Record& m_record;
    std::mt19937_64& m_random;
    Lengths m_inputs;
    Lengths m_laters;
    double m_usual; // tokens of a context
    std::deque<Request> m_waiting;
    std::vector<Request> m_entering; // taken in for the next step
    std::vector<Request> m_running;  // a heap
    double m_steps = 0;              // that were made
    double m_held = 0;               // tokens in caches
    double m_nowS = 0;               // where the next step begins
};

/// Each has a place to itself, for a time that scatters as it was measured.
class PlainMachine {
public:
    PlainMachine(const PlainPace& pace, Record& record, std::mt19937_64& random)
        : m_pace(pace), m_record(record), m_random(random),
          m_scatter(std::log(std::max(pace.tails.pass, 1.0)) / At95),
          m_laterScatter(std::log(pace.tails.ofTokens()) / At95),
          m_first(pace.firstTokenS > 0 ? pace.firstTokenS : pace.answerS, pace.inputSpread),
          m_later(std::max(0.0, pace.answerS - m_first.mean()), pace.outputSpread)
    {
        for (double place = 0; place < std::max(1.0, std::floor(pace.places)); ++place)
            m_freeS.push(0);
    }

    void take(double cameS)
    {
        const double startS = std::max(cameS, m_freeS.top());
        m_freeS.pop();
        const double slow = m_usual(m_random);
        const double firstS = m_first.at(m_usual(m_random)) * std::exp(slow * m_scatter);
        const double laterS = m_later.at(m_usual(m_random)) * std::exp(slow * m_laterScatter);
        const double doneS = startS + firstS + laterS;
        m_freeS.push(doneS);
        m_record.stay(cameS, startS - cameS, 0, 1);
        m_record.stay(startS, doneS - startS, 1, 0);
        m_record.beBusy(std::max(0.0, doneS - std::max(startS, m_busyUntilS)));
        m_busyUntilS = std::max(m_busyUntilS, doneS);
        for (; !m_startsS.empty() && m_startsS.front() <= cameS; m_startsS.pop_front()) {
        }
        if (startS > cameS) {
            m_startsS.push_back(startS);
            m_record.wait(m_startsS.size());
        }
        m_record.add({cameS, startS + firstS, doneS});
    }
    void finish(const std::stop_token& /*stop*/) {}

private:
    PlainPace m_pace;
    Record& m_record;
    std::mt19937_64& m_random;
    double m_scatter; // of logarithms
    double m_laterScatter;
    LogNormal m_first; // seconds, as lengths scatter
    LogNormal m_later;
    std::normal_distribution<double> m_usual;
    std::priority_queue<double, std::vector<double>, std::greater<>> m_freeS;
    std::deque<double> m_startsS; // of those who wait
    double m_busyUntilS = 0;
};

/// When one machine of those that take turns gets its requests.
class Arrivals {
public:
    Arrivals(const Day& day, const ServiceTraffic& traffic)
        : m_day(day), m_traffic(traffic), m_turns(real(traffic.machines), 1)
    {
        const double each = traffic.requestsPerDay / real(traffic.machines);
        m_lapse = std::min(1.0, MostRequests / each);
        const double nearPeak = std::max(each * day.shareInPeak(), 1e-9);
        m_days = std::clamp(
            std::min(std::ceil(EnoughNearPeak / nearPeak), std::floor(MostRequests / each)), 1.0,
            MostDays);
    }

    /// Where a day has more requests than are simulated it is as much shorter.
    [[nodiscard]] double dayS() const { return m_day.hours() * SecondsPerHour * m_lapse; }
    [[nodiscard]] double days() const { return m_days; }
    [[nodiscard]] double wholeDays() const { return m_days * m_lapse; }

    /// Seconds; nothing after the last day.
    [[nodiscard]] std::optional<double> next(std::mt19937_64& random)
    {
        const double turns = m_traffic.machines == 1 ? m_ownTurn(random) : m_turns(random);
        m_come += turns / (m_traffic.requestsPerDay * m_lapse); // days
        if (m_come >= m_days)
            return std::nullopt;
        const double whole = std::floor(m_come);
        return (whole + m_day.placeOf(m_come - whole)) * dayS();
    }

private:
    const Day& m_day;
    const ServiceTraffic& m_traffic;
    std::gamma_distribution<double> m_turns;
    std::exponential_distribution<double> m_ownTurn; // the same of one, sooner drawn
    double m_lapse = 1;
    double m_days = 1;
    double m_come = 0;
};

template <typename Machine>
bool run(Machine machine, Arrivals& arrivals, std::mt19937_64& random, const std::stop_token& stop)
{
    constexpr std::size_t Often = 4096;
    std::size_t count = 0;
    while (const auto cameS = arrivals.next(random)) {
        if (++count % Often == 0 && stop.stop_requested())
            return false;
        machine.take(*cameS);
    }
    machine.finish(stop);
    return !stop.stop_requested();
}

} // namespace

std::optional<ServiceDay> simulateDay(const Answering& machine, const ServiceTraffic& traffic,
                                      const std::stop_token& stop)
{
    if (!(traffic.requestsPerDay > 0) || !(traffic.hours > 0) || traffic.machines < 1)
        return std::nullopt;
    const Day day(traffic.hours, traffic.peakFactor);
    std::mt19937_64 random(Seed);
    Arrivals arrivals(day, traffic);
    const auto* engine = std::get_if<EnginePace>(&machine);
    Record record(day, arrivals.dayS(), arrivals.days());
    const bool isDone = engine != nullptr
                            ? run(EngineMachine(*engine, record, random), arrivals, random, stop)
                            : run(PlainMachine(std::get<PlainPace>(machine), record, random),
                                  arrivals, random, stop);
    if (!isDone)
        return std::nullopt;
    ServiceDay found = record.over(real(traffic.machines));
    if (found.requests == 0)
        return std::nullopt;
    found.days = arrivals.wholeDays();
    for (ServiceSlice& slice : found.slices)
        slice.hour *= day.hours();
    return found;
}

} // namespace outlay::core
