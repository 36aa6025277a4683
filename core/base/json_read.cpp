// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The one place that knows nlohmann_json: its parser drives a builder that enforces our limits.
#include "core/base/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace outlay::core {
namespace {

/// Builds a Json value from the parser's events and stops at the first thing that is not allowed.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
public:
    Builder(std::string_view text, const JsonLimits& limits, const RowsRead* rows)
        : m_text(text), m_limits(limits), m_rows(rows)
    {
    }

    bool null() override { return whole(Json()); }
    bool boolean(bool value) override { return whole(Json(value)); }
    bool number_integer(number_integer_t value) override
    {
        return whole(Json(std::int64_t{value}));
    }
    bool number_unsigned(number_unsigned_t value) override
    {
        const bool fits = value <= static_cast<std::uint64_t>(INT64_MAX);
        return whole(fits ? Json(static_cast<std::int64_t>(value))
                          : Json(static_cast<double>(value)));
    }
    bool number_float(number_float_t value, const string_t&) override { return whole(Json(value)); }
    bool string(string_t& value) override { return whole(Json(std::move(value))); }
    bool binary(binary_t&) override { return false; }

    bool start_object(std::size_t) override { return open(Json::object()); }
    bool end_object() override
    {
        if (const std::string* twice = repeatedKey(*m_open.back()->asObject()))
            return stop("the key '" + *twice + "' stands twice in one object", "keep one of them");
        return close();
    }
    bool start_array(std::size_t) override
    {
        const bool areRows = m_rows != nullptr && m_open.size() == 1 && m_key == m_rows->key &&
                             m_open.front()->asObject() != nullptr;
        if (!open(Json::array()))
            return false;
        if (areRows)
            m_list = m_open.back();
        return true;
    }
    bool end_array() override
    {
        if (m_open.back() == m_list)
            m_list = nullptr;
        return close();
    }
    bool key(string_t& key) override
    {
        m_key = std::move(key);
        return true;
    }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) override
    {
        constexpr int NumberOverflow = 406;
        if (error.id == NumberOverflow)
            return stop("a number is too large to be stored", "write a smaller one",
                        lineOf(position));
        const bool isCutOff = position > m_text.size() || m_text.empty();
        return stop(isCutOff ? "the file ends in the middle of its JSON" : "this is not JSON",
                    isCutOff ? "check that it was copied whole" : "correct the text there",
                    lineOf(position));
    }

    [[nodiscard]] Error takeError() { return std::move(m_error); }
    [[nodiscard]] Json takeRoot() { return std::move(m_root); }

private:
    bool stop(std::string what, std::string remedy, std::string place = {})
    {
        if (place.empty())
            place = openPointer();
        m_error = {ErrorCode::Input, std::move(what), std::move(remedy), std::move(place), {}};
        return false;
    }

    bool add(Json value)
    {
        if (++m_values > m_limits.mostValues)
            return stop("there are more than " + std::to_string(m_limits.mostValues) +
                            " values in the file",
                        "give a smaller file");
        if (m_open.empty()) {
            m_root = std::move(value);
            m_last = &m_root;
        } else if (Json::Array* array = m_open.back()->asArray()) {
            array->push_back(std::move(value));
            m_last = &array->back();
        } else {
            Json::Object& object = *m_open.back()->asObject();
            object.push_back({std::move(m_key), std::move(value)});
            m_last = &object.back().value;
        }
        return true;
    }

    bool open(Json container)
    {
        if (static_cast<int>(m_open.size()) >= m_limits.deepest)
            return stop("the JSON is nested more than " + std::to_string(m_limits.deepest) +
                            " levels deep",
                        "flatten it");
        if (!add(std::move(container)))
            return false;
        m_open.push_back(m_last);
        return true;
    }

    /// A value that is complete.
    bool whole(Json value)
    {
        if (!add(std::move(value)))
            return false;
        handOver();
        return true;
    }
    bool close()
    {
        m_open.pop_back();
        handOver();
        return true;
    }
    /// The element that has just become complete, if it is one of the rows.
    void handOver()
    {
        if (m_list == nullptr || m_open.back() != m_list)
            return;
        Json::Array& list = *m_list->asArray();
        m_rows->row(std::move(list.back()));
        list.pop_back();
        ++m_handedOver;
    }

    static const std::string* repeatedKey(const Json::Object& object)
    {
        std::vector<const std::string*> keys;
        keys.reserve(object.size());
        for (const JsonMember& member : object)
            keys.push_back(&member.key);
        const auto less = [](const std::string* a, const std::string* b) { return *a < *b; };
        std::sort(keys.begin(), keys.end(), less);
        const auto same = [](const std::string* a, const std::string* b) { return *a == *b; };
        const auto twice = std::adjacent_find(keys.begin(), keys.end(), same);
        return twice == keys.end() ? nullptr : *twice;
    }

    [[nodiscard]] std::string lineOf(std::size_t position) const
    {
        const std::string_view before = m_text.substr(0, position);
        return "line " + std::to_string(1 + std::count(before.begin(), before.end(), '\n'));
    }

    /// The pointer of the container that is open now; deep ones are cut, they only have to be found.
    [[nodiscard]] std::string openPointer() const
    {
        constexpr std::size_t DeepestShown = 6;
        std::string pointer;
        for (std::size_t i = 0; i + 1 < m_open.size() && i < DeepestShown; ++i) {
            const Json& parent = *m_open[i];
            if (const Json::Array* array = parent.asArray())
                pointer = childPointer(pointer, array->size() - 1 +
                                                    (m_open[i] == m_list ? m_handedOver : 0));
            else
                pointer = childPointer(pointer, parent.asObject()->back().key);
        }
        return pointer.empty() ? "the top" : pointer;
    }

    std::string_view m_text;
    JsonLimits m_limits;
    const RowsRead* m_rows;
    Json* m_list = nullptr; // of the rows, while it is open
    std::size_t m_handedOver = 0;
    Json m_root;
    Json* m_last = nullptr;
    // Containers from the root to the innermost. A container's children move only while it is the
    // innermost one, so these pointers stay valid.
    std::vector<Json*> m_open;
    std::string m_key;
    std::size_t m_values = 0;
    Error m_error;
};

Result<Json> read(std::string_view text, const JsonLimits& limits, const RowsRead* rows)
{
    if (text.size() > limits.mostBytes)
        return inputError("the text is larger than " + std::to_string(limits.mostBytes >> 20U) +
                              " MB",
                          "give a smaller one");
    Builder builder(text, limits, rows);
    try {
        if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder))
            return builder.takeRoot();
    } catch (const std::exception& error) {
        return internalError(std::string("the JSON reader failed: ") + error.what(),
                             "report this with the file");
    }
    return tl::unexpected<Error>(builder.takeError());
}

} // namespace

Result<Json> readJson(std::string_view text, const JsonLimits& limits)
{
    return read(text, limits, nullptr);
}

Result<Json> readJson(std::string_view text, const RowsRead& rows, const JsonLimits& limits)
{
    return read(text, limits, &rows);
}

} // namespace outlay::core
