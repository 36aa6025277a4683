// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/import/config_reader.h"

#include "core/base/text.h"

#include <cmath>

namespace outlay::core {

const Json* ConfigReader::find(Names names)
{
    const Json* found = nullptr;
    for (const std::string_view name : names) {
        m_asked.emplace(name);
        const Json* value = m_json.find(name);
        if (found == nullptr && value != nullptr && !value->isNull()) {
            found = value;
            m_found = name;
        }
    }
    return found;
}

bool ConfigReader::names(std::string_view key)
{
    m_asked.emplace(key);
    return m_json.find(key) != nullptr;
}

std::optional<std::int64_t> ConfigReader::size(Names names, Limits limits)
{
    const Json* value = find(names);
    if (value == nullptr)
        return std::nullopt;
    const std::string range =
        "give a whole number from " + plainNumber(limits.low) + " to " + plainNumber(limits.high);
    if (!value->isNumber()) {
        fail(m_found, "this is " + std::string(value->typeName()), range);
        return std::nullopt;
    }
    const double number = value->number();
    if (number != std::floor(number) || number < limits.low || number > limits.high) {
        fail(m_found, "this is " + plainNumber(number), range);
        return std::nullopt;
    }
    return static_cast<std::int64_t>(number);
}

std::int64_t ConfigReader::size(Names names, Limits limits, std::int64_t usual)
{
    return size(names, limits).value_or(usual);
}

bool ConfigReader::flag(Names names, bool usual)
{
    const Json* value = find(names);
    if (value == nullptr)
        return usual;
    if (const bool* flag = value->asBool())
        return *flag;
    fail(m_found, "this is " + std::string(value->typeName()), "give true or false");
    return usual;
}

std::string ConfigReader::text(Names names, std::string usual)
{
    const Json* value = find(names);
    if (value == nullptr)
        return usual;
    if (const std::string* text = value->asString())
        return *text;
    fail(m_found, "this is " + std::string(value->typeName()), "give a text");
    return usual;
}

double ConfigReader::share(Names names, double usual)
{
    const Json* value = find(names);
    if (value == nullptr)
        return usual;
    if (value->isNumber() && value->number() >= 0 && value->number() <= LargestDropout)
        return value->number();
    fail(m_found, "this is not a share to drop",
         "give a number from 0 to " + plainNumber(LargestDropout));
    return usual;
}

void ConfigReader::fail(std::string_view key, std::string what, std::string remedy)
{
    if (!m_error)
        m_error = Error{
            ErrorCode::Input, std::move(what), std::move(remedy), childPointer(m_pointer, key), {}};
}

std::vector<std::string> ConfigReader::ignored() const
{
    std::vector<std::string> keys;
    if (const Json::Object* object = m_json.asObject()) {
        for (const JsonMember& member : *object) {
            if (!m_asked.contains(member.key))
                keys.push_back(printable(member.key, 60));
        }
    }
    return keys;
}

} // namespace outlay::core
