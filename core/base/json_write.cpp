// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include "core/base/text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace outlay::core {
namespace {

class Writer {
public:
    explicit Writer(JsonStyle style, const RowsWritten* rows = nullptr)
        : m_style(style), m_rows(rows)
    {
    }

    void value(const Json& json)
    {
        if (const bool* flag = json.asBool())
            m_out += *flag ? "true" : "false";
        else if (const std::int64_t* integer = json.asInteger())
            m_out += std::to_string(*integer);
        else if (const double* number = json.asDouble())
            real(*number);
        else if (const std::string* text = json.asString())
            string(*text);
        else if (const Json::Array* array = json.asArray())
            list(*array);
        else if (const Json::Object* object = json.asObject())
            members(*object);
        else
            m_out += "null";
    }

    [[nodiscard]] std::string take() { return std::move(m_out); }

private:
    void real(double number)
    {
        if (!std::isfinite(number)) {
            m_out += "null";
            return;
        }
        std::array<char, 32> buffer{};
        const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
        const std::string_view digits(buffer.data(),
                                      static_cast<std::size_t>(end.ptr - buffer.data()));
        m_out += digits;
        // Keeps it a real number when it is read again.
        if (digits.find_first_of(".e") == std::string_view::npos)
            m_out += ".0";
    }

    void string(std::string_view text)
    {
        constexpr std::string_view Hex = "0123456789abcdef";
        const std::string valid =
            isUtf8(text) ? std::string(text) : printable(text, text.size() * 3);
        m_out += '"';
        for (const char c : valid) {
            const auto byte = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\')
                m_out += {'\\', c};
            else if (c == '\n')
                m_out += "\\n";
            else if (c == '\t')
                m_out += "\\t";
            else if (byte < 0x20)
                m_out += {'\\', 'u', '0', '0', Hex[byte >> 4U], Hex[byte & 15U]};
            else
                m_out += c;
        }
        m_out += '"';
    }

    void newLine()
    {
        if (m_style == JsonStyle::Indented) {
            m_out += '\n';
            m_out.append(2 * m_depth, ' ');
        }
    }

    /// Between brackets, `count` times what `item` writes.
    template <typename Item>
    void items(const char* brackets, std::size_t count, const Item& item)
    {
        m_out += brackets[0];
        ++m_depth;
        for (std::size_t i = 0; i < count; ++i) {
            if (i > 0)
                m_out += ',';
            newLine();
            item(i);
        }
        --m_depth;
        if (count > 0)
            newLine();
        m_out += brackets[1];
    }

    void list(const Json::Array& array)
    {
        items("[]", array.size(), [&](std::size_t i) { value(array[i]); });
    }

    void members(const Json::Object& object)
    {
        items("{}", object.size(), [&](std::size_t i) {
            string(object[i].key);
            m_out += m_style == JsonStyle::Indented ? ": " : ":";
            if (m_rows != nullptr && m_depth == 1 && object[i].key == m_rows->key)
                items("[]", m_rows->count, [&](std::size_t row) { value(m_rows->row(row)); });
            else
                value(object[i].value);
        });
    }

    JsonStyle m_style;
    const RowsWritten* m_rows;
    std::string m_out;
    std::size_t m_depth = 0;
};

} // namespace

std::string writeJson(const Json& json, JsonStyle style)
{
    Writer writer(style);
    writer.value(json);
    return writer.take();
}

std::string writeJson(const Json& json, const RowsWritten& rows)
{
    Writer writer(JsonStyle::Indented, &rows);
    writer.value(json);
    return writer.take();
}

} // namespace outlay::core
