// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>

namespace outlay::core {

Json::Json() = default;
Json::Json(std::nullptr_t) {}
Json::Json(bool value) : m_value(value) {}
Json::Json(int value) : m_value(std::int64_t{value}) {}
Json::Json(std::int64_t value) : m_value(value) {}
Json::Json(double value) : m_value(value) {}
Json::Json(const char* value) : m_value(std::string(value)) {}
Json::Json(std::string_view value) : m_value(std::string(value)) {}
Json::Json(std::string value) : m_value(std::move(value)) {}
Json::Json(Array value) : m_value(std::move(value)) {}
Json::Json(Object value) : m_value(std::move(value)) {}
// By hand: where memory runs out in the middle, GCC 12's own destroys an alternative that was never made.
Json::Json(const Json& other)
{
    std::visit(
        [this](const auto& value) {
            auto copy = value;
            m_value = std::move(copy);
        },
        other.m_value);
}
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other)
{
    Json copy(other);
    *this = std::move(copy);
    return *this;
}
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

Json Json::array()
{
    return Json(Array{});
}

Json Json::object()
{
    return Json(Object{});
}

double Json::number() const
{
    if (const std::int64_t* integer = asInteger())
        return static_cast<double>(*integer);
    return *asDouble();
}

std::string_view Json::typeName() const
{
    constexpr std::array<std::string_view, 7> Names{
        "null", "true or false", "a number", "a number", "a text", "a list", "an object"};
    return Names.at(m_value.index());
}

const Json* Json::find(std::string_view key) const
{
    const Object* object = asObject();
    if (object == nullptr)
        return nullptr;
    const auto member = std::find_if(object->begin(), object->end(),
                                     [&](const JsonMember& m) { return m.key == key; });
    return member == object->end() ? nullptr : &member->value;
}

Json* Json::find(std::string_view key)
{
    return const_cast<Json*>(std::as_const(*this).find(key));
}

Json& Json::set(std::string_view key, Json value)
{
    if (isNull())
        m_value = Object{};
    if (Json* present = find(key)) {
        *present = std::move(value);
        return *present;
    }
    Object& object = std::get<Object>(m_value);
    object.push_back({std::string(key), std::move(value)});
    return object.back().value;
}

void Json::erase(std::string_view key)
{
    if (Object* object = asObject())
        std::erase_if(*object, [&](const JsonMember& m) { return m.key == key; });
}

void Json::append(Json value)
{
    if (isNull())
        m_value = Array{};
    std::get<Array>(m_value).push_back(std::move(value));
}

bool Json::operator==(const Json& other) const
{
    return m_value == other.m_value;
}

std::string childPointer(std::string_view pointer, std::string_view key)
{
    std::string out(pointer);
    out += '/';
    for (const char c : key) {
        if (c == '~')
            out += "~0";
        else if (c == '/')
            out += "~1";
        else
            out += c;
    }
    return out;
}

std::string childPointer(std::string_view pointer, std::size_t index)
{
    return std::string(pointer) + "/" + std::to_string(index);
}

namespace {

std::string unescaped(std::string_view token)
{
    std::string out;
    for (std::size_t i = 0; i < token.size(); ++i) {
        if (token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1'))
            out += token[++i] == '0' ? '~' : '/';
        else
            out += token[i];
    }
    return out;
}

/// The keys of a pointer that starts with '/'.
std::vector<std::string> tokensOf(std::string_view pointer)
{
    std::vector<std::string> tokens = split(pointer.substr(1), '/');
    for (std::string& token : tokens)
        token = unescaped(token);
    return tokens;
}

std::optional<std::size_t> indexOf(std::string_view token)
{
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
    const bool isWhole = error == std::errc{} && end == token.data() + token.size();
    return isWhole ? std::optional(index) : std::nullopt;
}

/// The child that `token` names, or null when there is none.
Json* childOf(Json& parent, const std::string& token)
{
    if (Json::Array* array = parent.asArray()) {
        const auto index = indexOf(token);
        return index && *index < array->size() ? &(*array)[*index] : nullptr;
    }
    return parent.find(token);
}

} // namespace

const Json* valueAt(const Json& root, std::string_view pointer)
{
    if (pointer.empty())
        return &root;
    if (pointer.front() != '/')
        return nullptr;
    const Json* here = &root;
    for (const std::string& token : tokensOf(pointer)) {
        here = childOf(const_cast<Json&>(*here), token);
        if (here == nullptr)
            return nullptr;
    }
    return here;
}

Result<void> setAt(Json& root, std::string_view pointer, Json value)
{
    constexpr std::size_t MostTokens = 32;
    if (pointer.empty() || pointer.front() != '/')
        return usageError("'" + std::string(pointer) + "' is not a JSON pointer",
                          "write it with slashes, as in /model/hidden");
    const std::vector<std::string> tokens = tokensOf(pointer);
    if (tokens.size() > MostTokens)
        return usageError("the JSON pointer is deeper than any key of an experiment",
                          "write it as in /model/hidden");
    Json* here = &root;
    for (const std::string& token : tokens) {
        if (Json* child = childOf(*here, token)) {
            here = child;
        } else if (here->asArray() != nullptr && token == "-") {
            here->append({});
            here = &here->asArray()->back();
        } else if (here->isNull() || here->asObject() != nullptr) {
            here = &here->set(token, {});
        } else {
            return usageError("there is nothing at '" + std::string(pointer) + "' to set",
                              "'" + token + "' would have to lie inside " +
                                  std::string(here->typeName()));
        }
    }
    *here = std::move(value);
    return {};
}

} // namespace outlay::core
