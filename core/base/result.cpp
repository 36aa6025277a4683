// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"

#include "core/base/text.h"

namespace outlay::core {

std::string Error::sentence() const
{
    std::string text;
    if (!file.empty())
        text += file;
    if (!place.empty())
        text += (text.empty() ? "" : ", ") + place;
    if (!text.empty())
        text += ": ";
    text += what;
    if (!remedy.empty())
        text += "; " + remedy;
    // A file or a key may hold line breaks or control characters; the sentence stays on one line.
    return printable(text) + (text.ends_with('?') ? "" : ".");
}

Error Error::in(std::string_view fileName) const
{
    Error named = *this;
    if (named.file.empty())
        named.file = fileName;
    return named;
}

int exitStatus(ErrorCode code)
{
    switch (code) {
    case ErrorCode::Internal: return 1;
    case ErrorCode::Usage:
    case ErrorCode::Input: return 2;
    case ErrorCode::LimitExceeded: return 3;
    case ErrorCode::Measurement: return 4;
    case ErrorCode::Cancelled: return 130;
    }
    return 1;
}

tl::unexpected<Error> inputError(std::string what, std::string remedy, std::string place)
{
    return tl::unexpected<Error>(
        Error{ErrorCode::Input, std::move(what), std::move(remedy), std::move(place), {}});
}

tl::unexpected<Error> usageError(std::string what, std::string remedy)
{
    return tl::unexpected<Error>(
        Error{ErrorCode::Usage, std::move(what), std::move(remedy), {}, {}});
}

tl::unexpected<Error> internalError(std::string what, std::string remedy)
{
    return tl::unexpected<Error>(
        Error{ErrorCode::Internal, std::move(what), std::move(remedy), {}, {}});
}

} // namespace outlay::core
