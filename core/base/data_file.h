// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A dated data file of resources/: lists of records, each of which names its source by number.
#pragma once

#include "core/base/fields.h"

namespace outlay::core {

class DataFile {
public:
    /// Checks the format, and reads the date and the sources; `name` is for errors.
    [[nodiscard]] static Result<DataFile> create(std::string_view text, std::string_view name,
                                                 std::string_view format);

    [[nodiscard]] const std::string& asOf() const { return m_asOf; }

    /// The records of a list; each T has a `source`, which is filled in.
    template <typename T>
    [[nodiscard]] Result<std::vector<T>> list(std::string_view key) const
    {
        const Json* rows = m_json.find(key);
        if (rows == nullptr || rows->asArray() == nullptr)
            return missing(key);
        std::vector<T> items(rows->asArray()->size());
        for (std::size_t i = 0; i < items.size(); ++i) {
            const auto read =
                record((*rows->asArray())[i], childPointer(childPointer("", key), i), items[i]);
            if (!read)
                return failureOf(read);
        }
        return items;
    }

    template <typename T>
    [[nodiscard]] Result<T> object(std::string_view key) const
    {
        T item;
        const Json* json = m_json.find(key);
        if (json == nullptr)
            return missing(key);
        if (const auto read = record(*json, childPointer("", key), item); !read)
            return failureOf(read);
        return item;
    }

private:
    DataFile(Json json, std::string name) : m_json(std::move(json)), m_name(std::move(name)) {}

    template <typename T>
    [[nodiscard]] Result<void> record(const Json& json, const std::string& pointer, T& item) const
    {
        FieldReader reader(json, pointer);
        describe(reader, item);
        std::int64_t source = -1;
        reader.integer(sourceField(), source);
        if (const auto outcome = reader.outcome(); !outcome)
            return tl::unexpected<Error>(outcome.error().in(m_name));
        item.source = m_sources.at(static_cast<std::size_t>(source));
        return {};
    }

    [[nodiscard]] Field sourceField() const;
    [[nodiscard]] tl::unexpected<Error> missing(std::string_view key) const;

    Json m_json;
    std::string m_name;
    std::string m_asOf;
    std::vector<std::string> m_sources;
};

} // namespace outlay::core
