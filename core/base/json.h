// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A JSON value, its reader and its writer. Objects keep the order of their keys.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace outlay::core {

class Json;
struct JsonMember;

class Json {
public:
    using Array = std::vector<Json>;
    using Object = std::vector<JsonMember>;

    // Defined in json.cpp: an object's members hold a Json, so none of these can be inline here.
    Json(); // null
    Json(std::nullptr_t);
    Json(bool value);
    Json(int value);
    Json(std::int64_t value);
    /// A number that is not finite is written as null.
    Json(double value);
    Json(const char* value);
    Json(std::string_view value);
    Json(std::string value);
    Json(Array value);
    Json(Object value);
    Json(const Json& other);
    Json(Json&& other) noexcept;
    Json& operator=(const Json& other);
    Json& operator=(Json&& other) noexcept;
    ~Json();

    [[nodiscard]] static Json array();
    [[nodiscard]] static Json object();

    [[nodiscard]] bool isNull() const { return std::holds_alternative<std::nullptr_t>(m_value); }
    [[nodiscard]] bool isNumber() const { return asInteger() != nullptr || asDouble() != nullptr; }
    [[nodiscard]] const bool* asBool() const { return std::get_if<bool>(&m_value); }
    [[nodiscard]] const std::int64_t* asInteger() const
    {
        return std::get_if<std::int64_t>(&m_value);
    }
    [[nodiscard]] const double* asDouble() const { return std::get_if<double>(&m_value); }
    [[nodiscard]] const std::string* asString() const { return std::get_if<std::string>(&m_value); }
    [[nodiscard]] const Array* asArray() const { return std::get_if<Array>(&m_value); }
    [[nodiscard]] Array* asArray() { return std::get_if<Array>(&m_value); }
    [[nodiscard]] const Object* asObject() const { return std::get_if<Object>(&m_value); }
    [[nodiscard]] Object* asObject() { return std::get_if<Object>(&m_value); }

    /// The value of an integer or a double; only after isNumber().
    [[nodiscard]] double number() const;
    /// "a number", "an object", ...: for sentences.
    [[nodiscard]] std::string_view typeName() const;

    /// Null pointer when this is not an object or has no such key.
    [[nodiscard]] const Json* find(std::string_view key) const;
    [[nodiscard]] Json* find(std::string_view key);
    /// Sets a key of an object, which null becomes.
    Json& set(std::string_view key, Json value);
    void erase(std::string_view key);
    /// Appends to an array, which null becomes.
    void append(Json value);

    bool operator==(const Json& other) const;

private:
    std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, Array, Object> m_value;
};

struct JsonMember {
    std::string key;
    Json value;

    bool operator==(const JsonMember&) const = default;
};

/// What a reader will take; anything beyond is refused with a sentence, before it costs memory.
struct JsonLimits {
    std::size_t mostBytes = 64U << 20U;
    std::size_t mostValues = 4'000'000;
    int deepest = 64;
};

/// Reads one JSON text. A repeated key, broken UTF-8 and a number beyond a double are errors.
[[nodiscard]] Result<Json> readJson(std::string_view text, const JsonLimits& limits = {});

/// A list of the outermost object that can be long: its elements are handed over as they are read, and only its place
/// is kept, as an empty list.
struct RowsRead {
    std::string_view key;
    std::function<void(Json)> row;
};
[[nodiscard]] Result<Json> readJson(std::string_view text, const RowsRead& rows,
                                    const JsonLimits& limits = {});

enum class JsonStyle { Compact, Indented };

[[nodiscard]] std::string writeJson(const Json& json, JsonStyle style = JsonStyle::Indented);

/// The same when it is written: each element is made when it is its turn, and stands where `key` has its list.
struct RowsWritten {
    std::string_view key;
    std::size_t count = 0;
    std::function<Json(std::size_t)> row;
};
[[nodiscard]] std::string writeJson(const Json& json, const RowsWritten& rows);

/// "/model/layers" + "a/b" -> "/model/layers/a~1b" (RFC 6901).
[[nodiscard]] std::string childPointer(std::string_view pointer, std::string_view key);
[[nodiscard]] std::string childPointer(std::string_view pointer, std::size_t index);

[[nodiscard]] const Json* valueAt(const Json& root, std::string_view pointer);

/// Sets the value that `pointer` names, creating the objects on the way; "-" appends to an array.
[[nodiscard]] Result<void> setAt(Json& root, std::string_view pointer, Json value);

} // namespace outlay::core
