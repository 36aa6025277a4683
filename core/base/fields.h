// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// One description of a struct's keys serves its reader, its writer, its validation and its manual.
#pragma once

#include "core/base/json.h"

#include <functional>
#include <optional>
#include <span>

namespace outlay::core {

enum class Presence { Optional, Required };

/// Key, meaning and limits of one value in a file.
struct Field {
    std::string_view key;
    std::string_view what; // "state size (one for each layer)": lower case, without an article
    double low = 0;
    double high = 0; // low == high: no limits
    Presence presence = Presence::Optional;
};

/// Access to the objects in a list, whatever their type.
struct ObjectList {
    enum class Form { List, OneOrNull };
    Form form = Form::List;
    std::function<std::size_t()> size;
    std::function<void(std::size_t)> resize;
    std::function<void(std::size_t, class FieldVisitor&)> describeItem;
};

/// Each struct that is saved has `void describe(FieldVisitor&, Struct&)`, which names its fields.
class FieldVisitor {
public:
    virtual ~FieldVisitor() = default;

    virtual void integer(const Field& field, std::int64_t& value) = 0;
    virtual void integer(const Field& field, std::optional<std::int64_t>& value) = 0;
    virtual void number(const Field& field, double& value) = 0;
    virtual void number(const Field& field, std::optional<double>& value) = 0;
    virtual void flag(const Field& field, bool& value) = 0;
    virtual void flag(const Field& field, std::optional<bool>& value) = 0;
    virtual void text(const Field& field, std::string& value) = 0;
    virtual void text(const Field& field, std::optional<std::string>& value) = 0;
    virtual void texts(const Field& field, std::vector<std::string>& values) = 0;
    /// A list of whole numbers; one number stands for a list of one.
    virtual void integers(const Field& field, std::vector<std::int64_t>& values) = 0;
    virtual void choice(const Field& field, std::optional<std::size_t>& index,
                        std::span<const std::string_view> names) = 0;
    virtual void objects(const Field& field, const ObjectList& list) = 0;

    template <typename Enum, std::size_t N>
    void choice(const Field& field, std::optional<Enum>& value,
                const std::array<std::string_view, N>& names)
    {
        std::optional<std::size_t> index;
        if (value)
            index = static_cast<std::size_t>(*value);
        choice(field, index, std::span<const std::string_view>(names));
        value.reset();
        if (index)
            value = static_cast<Enum>(*index);
    }

    template <typename Enum, std::size_t N>
    void choice(const Field& field, Enum& value, const std::array<std::string_view, N>& names)
    {
        std::optional<Enum> chosen = value;
        choice(field, chosen, names);
        value = chosen.value_or(value);
    }

    template <typename T>
    void list(const Field& field, std::vector<T>& items)
    {
        objects(field, {ObjectList::Form::List, [&] { return items.size(); },
                        [&](std::size_t n) { items.resize(n); },
                        [&](std::size_t i, FieldVisitor& v) { describe(v, items[i]); }});
    }

    template <typename T>
    void object(const Field& field, std::optional<T>& item)
    {
        objects(field, {ObjectList::Form::OneOrNull, [&] { return std::size_t{item.has_value()}; },
                        [&](std::size_t n) {
                            item.reset();
                            if (n > 0)
                                item.emplace();
                        },
                        [&](std::size_t, FieldVisitor& v) { describe(v, *item); }});
    }
};

/// Pointers of the first keys that nobody asked for, with the known key that is nearest, and how many
/// more there are: a file may hold millions.
struct UnknownKeys {
    static constexpr std::size_t MostNamed = 20;

    std::vector<std::string> named;
    std::size_t unnamed = 0;

    void add(UnknownKeys other);
    bool operator==(const UnknownKeys&) const = default;
};

/// Reads the fields of one JSON object. Keys that are absent leave their value as it was.
class FieldReader final : public FieldVisitor {
public:
    FieldReader(const Json& json, std::string pointer);

    void integer(const Field& field, std::int64_t& value) override;
    void integer(const Field& field, std::optional<std::int64_t>& value) override;
    void number(const Field& field, double& value) override;
    void number(const Field& field, std::optional<double>& value) override;
    void flag(const Field& field, bool& value) override;
    void flag(const Field& field, std::optional<bool>& value) override;
    void text(const Field& field, std::string& value) override;
    void text(const Field& field, std::optional<std::string>& value) override;
    void texts(const Field& field, std::vector<std::string>& values) override;
    void integers(const Field& field, std::vector<std::int64_t>& values) override;
    void choice(const Field& field, std::optional<std::size_t>& index,
                std::span<const std::string_view> names) override;
    void objects(const Field& field, const ObjectList& list) override;
    using FieldVisitor::choice;

    /// A key that the caller reads by itself: known, and null pointer when absent.
    const Json* raw(std::string_view key);
    void fail(std::string_view key, std::string what, std::string remedy);

    /// The first thing that was wrong.
    [[nodiscard]] Result<void> outcome() const;
    /// The keys that nobody asked for.
    [[nodiscard]] UnknownKeys unknownKeys() const;

private:
    const Json* take(const Field& field);
    [[nodiscard]] std::optional<std::int64_t> wholeNumber(const Field& field, const Json& json);
    [[nodiscard]] std::optional<double> realNumber(const Field& field, const Json& json);

    const Json& m_json;
    std::string m_pointer;
    std::vector<std::string_view> m_known;
    UnknownKeys m_unknownInside;
    std::optional<Error> m_error;
};

enum class FieldContent {
    All,
    Defaults, // without the required ones, which have none
};

/// The fields of a struct as one JSON object; values that are not set are null.
class FieldWriter final : public FieldVisitor {
public:
    explicit FieldWriter(FieldContent content = FieldContent::All) : m_content(content) {}

    void integer(const Field& field, std::int64_t& value) override;
    void integer(const Field& field, std::optional<std::int64_t>& value) override;
    void number(const Field& field, double& value) override;
    void number(const Field& field, std::optional<double>& value) override;
    void flag(const Field& field, bool& value) override;
    void flag(const Field& field, std::optional<bool>& value) override;
    void text(const Field& field, std::string& value) override;
    void text(const Field& field, std::optional<std::string>& value) override;
    void texts(const Field& field, std::vector<std::string>& values) override;
    void integers(const Field& field, std::vector<std::int64_t>& values) override;
    void choice(const Field& field, std::optional<std::size_t>& index,
                std::span<const std::string_view> names) override;
    void objects(const Field& field, const ObjectList& list) override;
    using FieldVisitor::choice;

    [[nodiscard]] Json take() { return std::move(m_json); }

private:
    void put(const Field& field, Json value);

    FieldContent m_content;
    Json m_json = Json::object();
};

template <typename T>
[[nodiscard]] Json fieldsOf(T value, FieldContent content = FieldContent::All)
{
    FieldWriter writer(content);
    describe(writer, value);
    return writer.take();
}

/// Brings `document` up to date: keys it has, and keys whose value differs from the default, are set;
/// whatever else it holds stays as it is.
void mergeFields(Json& document, const Json& values, const Json& defaults);

} // namespace outlay::core
