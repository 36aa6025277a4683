// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Pulls values out of a JSON text of any size, one after the other, without keeping it. It finds what
// is cut off or is no JSON where it reads; what is skipped is only matched for quotes and brackets.
#pragma once

#include "core/base/byte_window.h"
#include "core/base/result.h"

#include <optional>

namespace outlay::core {

/// After the first fault every call answers as at the end; `outcome()` says what it was.
///     scanner.enterObject();
///     while (scanner.nextKey()) {
///         if (scanner.key() == "price") price = scanner.number(); else scanner.skip();
///     }
class JsonScanner {
public:
    enum class Kind { Object, Array, Text, Literal, Nothing };

    explicit JsonScanner(ByteWindow& window) : m_window(window) { m_window.skipByteOrderMark(); }

    /// Of the value that comes next.
    [[nodiscard]] Kind kind();

    /// A fault if something else comes.
    void enterObject();
    void enterArray();
    /// Goes to the next member of the object that is entered; false behind its last one.
    [[nodiscard]] bool nextKey();
    [[nodiscard]] const std::string& key() const { return m_key; }
    /// Goes to the next value of the array that is entered; false behind its last one.
    [[nodiscard]] bool nextItem();

    /// A text, or a number, true or false as they are written; empty for null and for containers,
    /// which are skipped. Holds until the next call.
    [[nodiscard]] std::string_view text();
    /// A number, also one that is written as a text; nothing for everything else.
    [[nodiscard]] std::optional<double> number();
    void skip();

    /// A fault that the caller found.
    void fail(std::string what, std::string remedy);
    [[nodiscard]] bool isBroken() const { return m_error.has_value(); }
    [[nodiscard]] Result<void> outcome() const;
    [[nodiscard]] std::size_t line() const { return m_window.line(); }

private:
    /// The first byte that is not white space; 0 at the end.
    char peek();
    /// Goes into a container, or behind its end.
    bool takeIf(char expected);
    void enter(char bracket, const char* name);
    std::string_view quoted();
    std::string_view literal();
    [[nodiscard]] std::string_view decoded(std::string_view escaped);
    void cutOff();
    void broken();

    ByteWindow& m_window;
    std::string m_key;
    std::string m_scratch;
    std::optional<Error> m_error;
};

} // namespace outlay::core
