// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/fields.h"

#include "core/base/text.h"
#include "core/base/whole.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace outlay::core {
namespace {

constexpr std::size_t MostItems = 10'000;

/// What a sentence calls the field; what its meaning adds in brackets is for the manual.
std::string nounOf(const Field& field)
{
    return std::string(field.what.substr(0, field.what.find(" (")));
}

std::string limitsOf(const Field& field, std::string_view noun)
{
    std::string text = "give " + std::string(noun);
    if (field.low < field.high)
        text += " from " + plainNumber(field.low) + " to " + plainNumber(field.high);
    return text;
}

bool isWithin(const Field& field, double value)
{
    return field.low >= field.high || (value >= field.low && value <= field.high);
}

Json numberJson(double value)
{
    constexpr double LargestWhole = 1e15;
    if (value == std::floor(value) && std::abs(value) < LargestWhole)
        return Json(static_cast<std::int64_t>(value));
    return Json(value);
}

template <typename T>
Json textList(const std::vector<T>& values)
{
    Json list = Json::array();
    for (const T& value : values)
        list.append(Json(value));
    return list;
}

bool isSameValue(const Json& a, const Json& b)
{
    return a.isNumber() && b.isNumber() ? a.number() == b.number() : a == b;
}

} // namespace

FieldReader::FieldReader(const Json& json, std::string pointer)
    : m_json(json), m_pointer(std::move(pointer))
{
    if (json.asObject() == nullptr) {
        m_error = Error{ErrorCode::Input,
                        "this is " + std::string(json.typeName()),
                        "give an object",
                        m_pointer,
                        {}};
    }
}

void FieldReader::fail(std::string_view key, std::string what, std::string remedy)
{
    if (!m_error)
        m_error = Error{
            ErrorCode::Input, std::move(what), std::move(remedy), childPointer(m_pointer, key), {}};
}

const Json* FieldReader::raw(std::string_view key)
{
    m_known.push_back(key);
    const Json* value = m_json.find(key);
    return value == nullptr || value->isNull() ? nullptr : value;
}

const Json* FieldReader::take(const Field& field)
{
    const Json* value = raw(field.key);
    if (value == nullptr && field.presence == Presence::Required)
        fail(field.key, "the " + nounOf(field) + " is missing", "add it");
    return value;
}

std::optional<std::int64_t> FieldReader::wholeNumber(const Field& field, const Json& json)
{
    const std::string what = "the " + nounOf(field);
    if (!json.isNumber()) {
        fail(field.key, what + " is " + std::string(json.typeName()),
             limitsOf(field, "a whole number"));
        return std::nullopt;
    }
    const double number = json.number();
    const auto whole = wholeOf(number);
    if (!whole || !isWithin(field, number)) {
        fail(field.key, what + " is " + plainNumber(number), limitsOf(field, "a whole number"));
        return std::nullopt;
    }
    return whole;
}

std::optional<double> FieldReader::realNumber(const Field& field, const Json& json)
{
    const std::string what = "the " + nounOf(field);
    if (!json.isNumber()) {
        fail(field.key, what + " is " + std::string(json.typeName()), limitsOf(field, "a number"));
        return std::nullopt;
    }
    if (!isWithin(field, json.number())) {
        fail(field.key, what + " is " + plainNumber(json.number()), limitsOf(field, "a number"));
        return std::nullopt;
    }
    return json.number();
}

void FieldReader::integer(const Field& field, std::int64_t& value)
{
    if (const Json* json = take(field))
        value = wholeNumber(field, *json).value_or(value);
}

void FieldReader::integer(const Field& field, std::optional<std::int64_t>& value)
{
    if (const Json* json = take(field))
        value = wholeNumber(field, *json);
}

void FieldReader::number(const Field& field, double& value)
{
    if (const Json* json = take(field))
        value = realNumber(field, *json).value_or(value);
}

void FieldReader::number(const Field& field, std::optional<double>& value)
{
    if (const Json* json = take(field))
        value = realNumber(field, *json);
}

void FieldReader::flag(const Field& field, bool& value)
{
    std::optional<bool> read;
    flag(field, read);
    value = read.value_or(value);
}

void FieldReader::flag(const Field& field, std::optional<bool>& value)
{
    const Json* json = take(field);
    if (json == nullptr)
        return;
    if (const bool* flag = json->asBool())
        value = *flag;
    else
        fail(field.key, "this is " + std::string(json->typeName()), "give true or false");
}

void FieldReader::text(const Field& field, std::string& value)
{
    std::optional<std::string> read;
    text(field, read);
    if (read)
        value = std::move(*read);
}

void FieldReader::text(const Field& field, std::optional<std::string>& value)
{
    const Json* json = take(field);
    if (json == nullptr)
        return;
    if (const std::string* string = json->asString())
        value = *string;
    else
        fail(field.key, "the " + nounOf(field) + " is " + std::string(json->typeName()),
             "give a text");
}

void FieldReader::texts(const Field& field, std::vector<std::string>& values)
{
    const Json* json = take(field);
    if (json == nullptr)
        return;
    values.clear();
    const Json::Array* array = json->asArray();
    for (const Json& item : array == nullptr ? Json::Array{*json} : *array) {
        if (item.asString() == nullptr)
            return fail(field.key, "the " + nounOf(field) + " hold " + std::string(item.typeName()),
                        "give a list of texts");
        values.push_back(*item.asString());
    }
}

void FieldReader::integers(const Field& field, std::vector<std::int64_t>& values)
{
    const Json* json = take(field);
    if (json == nullptr)
        return;
    const Json::Array* array = json->asArray();
    if (array != nullptr && array->size() > MostItems)
        return fail(field.key, "the list has " + std::to_string(array->size()) + " entries",
                    "give at most " + std::to_string(MostItems));
    values.clear();
    if (array == nullptr) {
        if (const auto value = wholeNumber(field, *json))
            values.push_back(*value);
        return;
    }
    for (std::size_t i = 0; i < array->size(); ++i) {
        const std::string key = std::string(field.key);
        if (const auto value = wholeNumber(field, (*array)[i]))
            values.push_back(*value);
        else if (m_error && m_error->place == childPointer(m_pointer, key))
            m_error->place = childPointer(m_error->place, i);
    }
}

void FieldReader::choice(const Field& field, std::optional<std::size_t>& index,
                         std::span<const std::string_view> names)
{
    const Json* json = take(field);
    if (json == nullptr)
        return;
    const std::string* word = json->asString();
    const auto found = word == nullptr ? names.end() : std::find(names.begin(), names.end(), *word);
    if (found != names.end()) {
        index = static_cast<std::size_t>(found - names.begin());
        return;
    }
    const std::string given = word == nullptr ? std::string(json->typeName()) : inQuotes(*word);
    fail(field.key, "the " + nounOf(field) + " is " + given, "give one of " + joined(names, ", "));
}

void FieldReader::objects(const Field& field, const ObjectList& list)
{
    const Json* json = take(field);
    if (json == nullptr)
        return;
    const Json::Array* array = json->asArray();
    const bool isList = list.form == ObjectList::Form::List;
    if (isList && (array == nullptr || array->size() > MostItems))
        return fail(field.key,
                    "the " + nounOf(field) + " are not a list of at most " +
                        std::to_string(MostItems) + " objects",
                    "give a list");
    const std::size_t count = isList ? array->size() : 1;
    list.resize(count);
    for (std::size_t i = 0; i < count && !m_error; ++i) {
        const std::string here = childPointer(m_pointer, field.key);
        FieldReader reader(isList ? (*array)[i] : *json, isList ? childPointer(here, i) : here);
        if (!reader.m_error)
            list.describeItem(i, reader);
        m_error = reader.m_error;
        m_unknownInside.add(reader.unknownKeys());
    }
}

Result<void> FieldReader::outcome() const
{
    if (m_error)
        return tl::unexpected<Error>(*m_error);
    return {};
}

UnknownKeys FieldReader::unknownKeys() const
{
    UnknownKeys unknown = m_unknownInside;
    const Json::Object* object = m_json.asObject();
    if (object == nullptr)
        return unknown;
    const std::set<std::string_view> known(m_known.begin(), m_known.end());
    for (const JsonMember& member : *object) {
        if (known.contains(member.key))
            continue;
        if (unknown.named.size() >= UnknownKeys::MostNamed) {
            ++unknown.unnamed;
            continue;
        }
        std::string pointer = childPointer(m_pointer, printable(member.key, 60));
        if (const auto near = nearest(member.key, m_known))
            pointer += " (did you mean '" + std::string(*near) + "'?)";
        unknown.named.push_back(std::move(pointer));
    }
    return unknown;
}

void UnknownKeys::add(UnknownKeys other)
{
    for (std::string& key : other.named) {
        if (named.size() < MostNamed)
            named.push_back(std::move(key));
        else
            ++unnamed;
    }
    unnamed += other.unnamed;
}

void FieldWriter::put(const Field& field, Json value)
{
    if (m_content == FieldContent::All || field.presence == Presence::Optional)
        m_json.set(field.key, std::move(value));
}

void FieldWriter::integer(const Field& field, std::int64_t& value)
{
    put(field, Json(value));
}

void FieldWriter::integer(const Field& field, std::optional<std::int64_t>& value)
{
    put(field, value ? Json(*value) : Json());
}

void FieldWriter::number(const Field& field, double& value)
{
    put(field, numberJson(value));
}

void FieldWriter::number(const Field& field, std::optional<double>& value)
{
    put(field, value ? numberJson(*value) : Json());
}

void FieldWriter::flag(const Field& field, bool& value)
{
    put(field, Json(value));
}

void FieldWriter::flag(const Field& field, std::optional<bool>& value)
{
    put(field, value ? Json(*value) : Json());
}

void FieldWriter::text(const Field& field, std::string& value)
{
    put(field, Json(value));
}

void FieldWriter::text(const Field& field, std::optional<std::string>& value)
{
    put(field, value ? Json(*value) : Json());
}

void FieldWriter::texts(const Field& field, std::vector<std::string>& values)
{
    put(field, textList(values));
}

void FieldWriter::integers(const Field& field, std::vector<std::int64_t>& values)
{
    put(field, values.size() == 1 ? Json(values.front()) : textList(values));
}

void FieldWriter::choice(const Field& field, std::optional<std::size_t>& index,
                         std::span<const std::string_view> names)
{
    put(field, index ? Json(names[*index]) : Json());
}

void FieldWriter::objects(const Field& field, const ObjectList& list)
{
    Json items = Json::array();
    for (std::size_t i = 0; i < list.size(); ++i) {
        FieldWriter writer;
        list.describeItem(i, writer);
        items.append(writer.take());
    }
    if (list.form == ObjectList::Form::List)
        put(field, std::move(items));
    else
        put(field, list.size() == 0 ? Json() : items.asArray()->front());
}

namespace {

/// Makes `present` say what `value` says, and keeps whatever else it holds.
void update(Json& present, const Json& value)
{
    if (isSameValue(present, value))
        return;
    Json::Array* items = present.asArray();
    const Json::Array* wanted = value.asArray();
    if (present.asObject() != nullptr && value.asObject() != nullptr) {
        mergeFields(present, value, Json::object());
    } else if (items != nullptr && wanted != nullptr && items->size() == wanted->size()) {
        for (std::size_t i = 0; i < items->size(); ++i)
            update((*items)[i], (*wanted)[i]);
    } else {
        present = value;
    }
}

} // namespace

void mergeFields(Json& document, const Json& values, const Json& defaults)
{
    for (const JsonMember& member : *values.asObject()) {
        const Json* usual = defaults.find(member.key);
        const bool isUsual =
            usual == nullptr ? member.value.isNull() : isSameValue(*usual, member.value);
        if (Json* present = document.find(member.key))
            update(*present, member.value);
        else if (!isUsual)
            document.set(member.key, member.value);
    }
}

} // namespace outlay::core
