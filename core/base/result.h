// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Result<T>: a value, or an Error that says what is wrong, where and what to do.
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace outlay::core {

/// Why something failed; each code has one exit status (see `exitStatus`).
enum class ErrorCode { Internal, Usage, Input, LimitExceeded, Measurement, Cancelled };

struct Error {
    ErrorCode code = ErrorCode::Input;
    std::string what;   // what is wrong, without a full stop
    std::string remedy; // what to do, without a full stop; may be empty
    std::string place;  // JSON pointer, line or tensor inside the file; may be empty
    std::string file;   // may be empty

    /// The one sentence shown to a person: "FILE, PLACE: WHAT; REMEDY."
    [[nodiscard]] std::string sentence() const;

    /// The same error with the file named, unless one is named already.
    [[nodiscard]] Error in(std::string_view fileName) const;

    bool operator==(const Error&) const = default;
};

[[nodiscard]] int exitStatus(ErrorCode code);

/// tl::expected 1.0.0 lacks [[nodiscard]]; deriving adds it, so an ignored failure does not compile.
template <typename T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
public:
    using tl::expected<T, Error>::expected;
};

[[nodiscard]] tl::unexpected<Error> inputError(std::string what, std::string remedy,
                                               std::string place = {});
[[nodiscard]] tl::unexpected<Error> usageError(std::string what, std::string remedy);
[[nodiscard]] tl::unexpected<Error> internalError(std::string what, std::string remedy);

/// Passes the error of one Result on as the error of another.
template <typename T>
[[nodiscard]] tl::unexpected<Error> failureOf(const Result<T>& result)
{
    return tl::unexpected<Error>(result.error());
}

} // namespace outlay::core
