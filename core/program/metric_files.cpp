// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/metric_files.h"

#include "core/base/json.h"
#include "core/base/text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace outlay::core {
namespace {

// Of a frame: the length with its checksum before, a checksum behind.
constexpr std::size_t Before = 12;
constexpr std::size_t Behind = 4;
/// Pictures and graphs are large; what claims more is no event.
constexpr std::uint64_t LargestEvent = 256U << 20U;

std::uint64_t littleEndian(std::string_view bytes)
{
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i > 0; --i)
        value = value << 8U | static_cast<unsigned char>(bytes[i - 1]);
    return value;
}

/// Of a protobuf message, from its front.
class Message {
public:
    explicit Message(std::string_view bytes) : m_bytes(bytes) {}

    [[nodiscard]] bool isAtEnd() const { return m_bytes.empty() || m_isBroken; }
    [[nodiscard]] bool isBroken() const { return m_isBroken; }

    std::uint64_t varint()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const std::string_view byte = take(1);
            if (byte.empty())
                return 0;
            const auto bits = static_cast<unsigned char>(byte.front());
            value |= static_cast<std::uint64_t>(bits & 0x7FU) << shift;
            if ((bits & 0x80U) == 0)
                return value;
        }
        m_isBroken = true;
        return 0;
    }

    std::string_view take(std::uint64_t count)
    {
        if (count > m_bytes.size()) {
            m_isBroken = true;
            return {};
        }
        const std::string_view taken = m_bytes.substr(0, count);
        m_bytes.remove_prefix(count);
        return taken;
    }

    /// A field that isn't wanted, by its wire type.
    void skip(std::uint64_t type)
    {
        switch (type) {
        case 0: varint(); return;
        case 1: take(8); return;
        case 2: take(varint()); return;
        case 5: take(4); return;
        default: m_isBroken = true;
        }
    }

private:
    std::string_view m_bytes;
    bool m_isBroken = false;
};

/// Wall time is field 1, step field 2, what it is about field 5; nothing of those that are about no value.
std::optional<TimedStep> stepOf(std::string_view event)
{
    Message message(event);
    TimedStep found;
    bool hasValue = false;
    while (!message.isAtEnd()) {
        const std::uint64_t tag = message.varint();
        const std::uint64_t field = tag >> 3U;
        const std::uint64_t type = tag & 7U;
        if (field == 1 && type == 1) {
            const std::string_view bytes = message.take(8);
            if (bytes.size() == 8)
                found.atUnixS = std::bit_cast<double>(littleEndian(bytes));
        } else if (field == 2 && type == 0) {
            found.step = static_cast<double>(static_cast<std::int64_t>(message.varint()));
        } else {
            hasValue = hasValue || field == 5;
            message.skip(type);
        }
    }
    const bool isGood = !message.isBroken() && hasValue && std::isfinite(found.atUnixS);
    return isGood && found.atUnixS > 0 && found.step >= 0 ? std::optional(found) : std::nullopt;
}

} // namespace

void EventFile::feed(std::string_view bytes)
{
    if (m_isBroken)
        return;
    m_rest.append(bytes);
    std::size_t at = 0;
    while (m_rest.size() - at >= Before) {
        const std::uint64_t length = littleEndian(std::string_view(m_rest).substr(at, 8));
        if (length > LargestEvent) {
            m_isBroken = true;
            break;
        }
        if (m_rest.size() - at < Before + length + Behind)
            break;
        if (const auto step = stepOf(std::string_view(m_rest).substr(at + Before, length)))
            m_steps.push_back(*step);
        at += Before + length + Behind;
    }
    m_rest.erase(0, at);
}

std::vector<TimedStep> metricSteps(std::string_view lines)
{
    constexpr double MillisPerS = 1000;
    std::vector<TimedStep> steps;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        const std::string_view line = lines.substr(0, end);
        lines.remove_prefix(std::min(end + 1, lines.size()));
        const std::size_t first = line.find(' ');
        const std::size_t last = line.rfind(' ');
        if (first == std::string_view::npos || last == first)
            continue;
        const auto at = numberIn(line.substr(0, first));
        const auto step = numberIn(line.substr(last + 1));
        if (at && step && *at > 0 && *step >= 0 && *step <= MostSteps)
            steps.push_back({*at / MillisPerS, *step});
    }
    return steps;
}

std::optional<TrainerState> trainerState(std::string_view json)
{
    const auto state = readJson(json);
    const auto number = [&](std::string_view key) -> std::optional<double> {
        const Json* value = state ? state->find(key) : nullptr;
        const bool isCount = value != nullptr && value->isNumber() && value->number() > 0 &&
                             value->number() <= MostSteps;
        return isCount ? std::optional(value->number()) : std::nullopt;
    };
    const auto step = number("global_step");
    return step ? std::optional(TrainerState{*step, number("max_steps")}) : std::nullopt;
}

std::vector<StepMark> marksOf(const std::vector<TimedStep>& steps, double beginUnixS)
{
    std::vector<TimedStep> sorted;
    std::copy_if(steps.begin(), steps.end(), std::back_inserter(sorted),
                 [&](const TimedStep& s) { return s.atUnixS >= beginUnixS; });
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const TimedStep& a, const TimedStep& b) { return a.atUnixS < b.atUnixS; });
    std::vector<StepMark> marks;
    for (const TimedStep& step : sorted) {
        if (marks.empty() || step.step > marks.back().steps)
            marks.push_back({step.atUnixS - beginUnixS, step.step, std::nullopt});
    }
    return marks;
}

} // namespace outlay::core
