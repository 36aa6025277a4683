// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/message.h"

#include "core/base/fields.h"
#include "core/base/text.h"

namespace outlay::core {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<Message>> Types{
    "hello", "progress", "sample", "variant", "warning", "done", "error", "cancelled", "kept"};

constexpr std::string_view Digits = "0123456789abcdef";

std::string hexOf(std::string_view bytes)
{
    std::string digits;
    for (const char byte : bytes) {
        digits += Digits[static_cast<unsigned char>(byte) >> 4U];
        digits += Digits[static_cast<unsigned char>(byte) & 15U];
    }
    return digits;
}

/// Nothing where it is no whole number of bytes.
std::optional<std::string> bytesOfHex(std::string_view digits)
{
    std::string bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        const std::size_t high = Digits.find(digits[i]);
        const std::size_t low = Digits.find(digits[i + 1]);
        if (high == std::string_view::npos || low == std::string_view::npos)
            return std::nullopt;
        bytes += static_cast<char>(16 * high + low);
    }
    return digits.size() % 2 == 0 ? std::optional(bytes) : std::nullopt;
}

Field needed(std::string_view key)
{
    return {.key = key, .what = key, .presence = Presence::Required};
}

void describe(FieldVisitor& v, Hello& m)
{
    v.integer(needed("protocol"), m.protocol);
    v.text(needed("build"), m.build);
    v.text({"device", "device"}, m.device);
}

void describe(FieldVisitor& v, Progress& m)
{
    v.number(needed("done"), m.done);
    v.number(needed("total"), m.total);
    v.text(needed("phase"), m.phase);
    v.integer({"steps", "steps"}, m.steps);
}

void describe(FieldVisitor& v, Sample& m)
{
    v.text(needed("phase"), m.phase);
}

void describe(FieldVisitor& v, TriedVariant& m)
{
    describe(v, m.row);
}

void describe(FieldVisitor& v, ProbeWarning& m)
{
    v.text(needed("text"), m.text);
}

void describe(FieldVisitor&, Done&) {}

void describe(FieldVisitor& v, ProbeError& m)
{
    v.text(needed("what"), m.what);
    v.text({"remedy", "remedy"}, m.remedy);
}

void describe(FieldVisitor&, Cancelled&) {}

/// Bytes are written as digits.
void describe(FieldVisitor& v, Kept& m)
{
    std::optional<std::string> digits;
    if (m.bytes)
        digits = hexOf(*m.bytes);
    v.text(needed("key"), m.key);
    v.text({"bytes", "bytes"}, digits);
    if (digits)
        m.bytes = bytesOfHex(*digits).value_or(std::string());
}

/// What is no plain field.
void writeRest(const Message& message, Json& json)
{
    if (const auto* sample = std::get_if<Sample>(&message)) {
        Json seconds = Json::array();
        for (const double value : sample->seconds)
            seconds.append(Json(value));
        json.set("seconds", std::move(seconds));
    } else if (const auto* done = std::get_if<Done>(&message)) {
        json.set("measurement", done->measurement);
    }
}

Result<void> readRest(const Json& json, Message& message)
{
    if (const auto* kept = std::get_if<Kept>(&message); kept != nullptr && kept->bytes) {
        const Json* digits = json.find("bytes");
        if (digits != nullptr && hexOf(*kept->bytes) != *digits->asString())
            return inputError("what is kept for others isn't written in hex",
                              "use the worker of this version", "/bytes");
    }
    if (auto* sample = std::get_if<Sample>(&message)) {
        const Json* seconds = json.find("seconds");
        if (seconds == nullptr || seconds->asArray() == nullptr)
            return inputError("a sample has no timings", "use the worker of this version");
        for (const Json& value : *seconds->asArray()) {
            if (!value.isNumber())
                return inputError("a timing is " + std::string(value.typeName()),
                                  "use the worker of this version");
            sample->seconds.push_back(value.number());
        }
    } else if (auto* done = std::get_if<Done>(&message)) {
        const Json* measurement = json.find("measurement");
        if (measurement == nullptr || measurement->asObject() == nullptr)
            return inputError("the worker is done without a measurement",
                              "use the worker of this version");
        done->measurement = *measurement;
    }
    return {};
}

template <std::size_t... I>
std::optional<Message> emptyMessage(std::string_view type, std::index_sequence<I...>)
{
    std::optional<Message> message;
    (void)((Types.at(I) == type && (message.emplace(std::in_place_index<I>), true)) || ...);
    return message;
}

} // namespace

bool isTerminal(const Message& message)
{
    return std::holds_alternative<Done>(message) || std::holds_alternative<ProbeError>(message) ||
           std::holds_alternative<Cancelled>(message);
}

std::string toLine(const Message& message)
{
    Message copy = message;
    FieldWriter writer;
    std::visit([&](auto& m) { describe(writer, m); }, copy);
    Json json = Json::object();
    json.set("type", Json(Types.at(message.index())));
    const Json fields = writer.take();
    for (const JsonMember& member : *fields.asObject())
        json.set(member.key, member.value);
    writeRest(message, json);
    return writeJson(json, JsonStyle::Compact) + "\n";
}

Result<Message> readMessage(std::string_view line)
{
    const auto json = readJson(line);
    if (!json)
        return inputError("the worker wrote a line that is no message: '" + printable(line, 80) +
                              "'",
                          "use the outlay and the outlay-probe of one version");
    const Json* type = json->find("type");
    const std::string name =
        type == nullptr || type->asString() == nullptr ? "" : *type->asString();
    if (name.empty())
        return inputError("the worker sent a message without a type",
                          "use the outlay and the outlay-probe of one version", "/type");
    auto message = emptyMessage(name, std::make_index_sequence<std::variant_size_v<Message>>{});
    if (!message) // of a newer worker, which says nothing here that must be known
        return Message(ProbeWarning{"the worker sent a message of unknown type '" +
                                    printable(name, 40) + "', which is left out"});
    FieldReader reader(*json, "");
    std::visit([&](auto& m) { describe(reader, m); }, *message);
    if (const auto outcome = reader.outcome(); !outcome)
        return failureOf(outcome);
    if (const auto rest = readRest(*json, *message); !rest)
        return failureOf(rest);
    return *message;
}

} // namespace outlay::core
