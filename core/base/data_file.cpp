// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/data_file.h"

namespace outlay::core {

Result<DataFile> DataFile::create(std::string_view text, std::string_view name,
                                  std::string_view format)
{
    auto json = readJson(text);
    if (!json)
        return tl::unexpected<Error>(json.error().in(name));
    DataFile file(std::move(*json), std::string(name));
    FieldReader reader(file.m_json, "");
    std::string found;
    reader.text({.key = "format", .what = "format", .presence = Presence::Required}, found);
    reader.text({.key = "as_of", .what = "date of the data", .presence = Presence::Required},
                file.m_asOf);
    reader.texts({.key = "sources", .what = "sources", .presence = Presence::Required},
                 file.m_sources);
    if (found != format)
        reader.fail("format", "this is not a file of the format " + std::string(format),
                    "install Outlay again");
    if (file.m_sources.empty())
        reader.fail("sources", "no source is named", "name at least one");
    if (const auto outcome = reader.outcome(); !outcome)
        return tl::unexpected<Error>(outcome.error().in(name));
    return file;
}

Field DataFile::sourceField() const
{
    // Halves, because equal limits mean none, and a file may have a single source.
    return {.key = "source",
            .what = "number of the source",
            .low = -0.5,
            .high = static_cast<double>(m_sources.size()) - 0.5,
            .presence = Presence::Required};
}

tl::unexpected<Error> DataFile::missing(std::string_view key) const
{
    return tl::unexpected<Error>(Error{ErrorCode::Input, "the list is missing",
                                       "install Outlay again", childPointer("", key), m_name});
}

} // namespace outlay::core
