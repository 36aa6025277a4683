// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What others keep of runs: records, bills, events and metrics of trackers.
#include "core/program/metric_files.h"
#include "pricing/actual/record.h"
#include "tests/fuzz/foreign_file.h"
#include "tests/fuzz/target.h"
#include "tests/support/packed.h"

#include <cmath>
#include <cstdint>
#include <optional>

namespace outlay::fuzz {
namespace {

using namespace outlay::core;

void checkRecord(const pricing::Record& record)
{
    for (const std::optional<double>& figure :
         {record.seconds, record.usd, record.kwh, record.kgCo2e}) {
        if (figure && !std::isfinite(*figure))
            fail("a figure of a record is not finite");
    }
}

void feedRecord(const std::string& input)
{
    static const ForeignFile File;
    const std::string path = File.with(input);
    for (const pricing::RecordFilter& filter :
         {pricing::RecordFilter{}, pricing::RecordFilter{.run = "101", .resource = "i"},
          pricing::RecordFilter{.tag = "run=x1", .from = "2026-11-01"}})
        checkOutcome(pricing::readRecord(path, filter), checkRecord);
}

/// Packed it is the same, where it is read at all; and a damaged one is no other bill.
void feedPacked(const std::string& input)
{
    static const ForeignFile Plain;
    static const ForeignFile Packed;
    const pricing::RecordFilter filter{.resource = "i"};
    const std::string bytes = tests::packed(input);
    const auto record = pricing::readRecord(Packed.with(bytes), filter);
    checkOutcome(record, checkRecord);
    const auto same = pricing::readRecord(Plain.with(input), filter);
    if (record && (!same || record->usd != same->usd || record->rows != same->rows))
        fail("a packed record says something else");
    std::string damaged = bytes;
    const std::size_t at = input.size() % damaged.size();
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (input.size() % 8)));
    const auto other = pricing::readRecord(Packed.with(damaged), filter);
    checkOutcome(other, checkRecord);
    if (other && (!record || other->usd != record->usd))
        fail("a damaged record is taken for another");
}

void checkSteps(const std::vector<TimedStep>& steps)
{
    for (const StepMark& mark : marksOf(steps, 100)) {
        if (!std::isfinite(mark.atS) || !std::isfinite(mark.steps) || mark.steps < 0)
            fail("a step is none");
    }
}

void feedEvents(const std::string& input)
{
    EventFile file;
    const std::size_t piece = 1 + input.size() % 61;
    for (std::size_t at = 0; at < input.size(); at += piece)
        file.feed(std::string_view(input).substr(at, piece));
    checkSteps(file.steps());
    EventFile whole;
    whole.feed(input);
    if (whole.steps() != file.steps())
        fail("pieces of a file say something else than the whole");
}

void feedMetrics(const std::string& input)
{
    checkSteps(metricSteps(input));
}

std::string littleEndian(std::uint64_t value)
{
    std::string bytes;
    for (int i = 0; i < 8; ++i, value >>= 8U)
        bytes += static_cast<char>(value & 0xFFU);
    return bytes;
}

std::string framed(const std::string& event)
{
    return littleEndian(event.size()) + "crc1" + event + "crc2";
}

std::string bill()
{
    std::string text = "BilledCost,BillingCurrency,ChargePeriodStart,ResourceId,Tags\n";
    for (int row = 1; row < 40; ++row)
        text += std::to_string(row) + ".25,USD,2026-11-01T00:00:00Z,i-aa,{}\n";
    return text;
}

/// The file's version, then scalars.
std::string events()
{
    constexpr std::uint64_t Hundred = 0x4059000000000000; // as a double
    std::string text = framed("\x09" + littleEndian(Hundred) +
                              "\x1a\x0d"
                              "brain.Event:2");
    for (char step = 1; step < 20; ++step)
        text += framed("\x09" + littleEndian(Hundred + (std::uint64_t(step) << 44U)) + "\x10" +
                       std::string(1, step) + "\x2a\x06\x0a\x04loss");
    return text;
}

} // namespace

std::vector<Target> recordTargets()
{
    return {
        {"record",
         feedRecord,
         {},
         {events(), std::string("\x1f\x8b\x08\x00rest", 8)},
         {"|", "ElapsedRaw", "1-02:03:04", "duration", "USD", "EUR", "\"\"", "_runtime"}},
        {"packed", feedPacked, {}, {bill()}, {"USD", "\"\"", ",", "\n"}},
        {"events", feedEvents, {}, {events()}, {std::string(3, '\0'), "\x10\xff", "\x2a", "\x09"}},
        {"metrics", feedMetrics, {}, {}, {" ", "1732592400000", "NaN"}}};
}

} // namespace outlay::fuzz
