// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/actual/record.h"

#include "core/base/file.h"
#include "pricing/actual/readers.h"
#include "pricing/import/gzip_stream.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr std::string_view Known =
    "give CodeCarbon's emissions.csv, `sacct -P`, trainer_state.json, wandb-summary.json, MLflow's "
    "meta.yaml, TensorBoard events, or a bill in FOCUS or of AWS' Cost and Usage Report";

/// Bills are long, and read as they come.
Result<Record> readTable(std::istream& stream, const RecordFilter& filter)
{
    ByteWindow window(stream);
    CsvReader table(window);
    if (const auto header = table.readHeader(); !header)
        return failureOf(header);
    if (isCodeCarbon(table))
        return readCodeCarbon(table, filter);
    if (isBill(table))
        return readBill(table, filter);
    return inputError("this is no record of a run that can be read", std::string(Known));
}

/// As bills are delivered. What is said of its rows would be said of a part.
Result<Record> readPacked(const std::string& path, const RecordFilter& filter)
{
    GzipBuffer buffer(path);
    std::istream stream(&buffer);
    auto record = readTable(stream, filter);
    if (buffer.isDamaged())
        return inputError("the packed record is damaged, or not all of it is there",
                          "fetch it again, or see what `gunzip -t` says");
    return record;
}

Result<Record> readAny(const std::string& path, std::string_view start, const RecordFilter& filter)
{
    if (isEvents(start))
        return readEvents(path);
    if (start.starts_with(GzipMark))
        return readPacked(path, filter);
    if (start.starts_with("PK\x03\x04"))
        return inputError("an archive isn't opened to find a record", "unpack it with `unzip`");
    const bool isText = isSlurm(start) || isMlflow(start) || start.starts_with("{");
    if (!isText) {
        std::ifstream file(path, std::ios::binary);
        return readTable(file, filter);
    }
    const auto text = loadFile(path);
    if (!text)
        return failureOf(text);
    return isSlurm(start)    ? readSlurm(*text, filter)
           : isMlflow(start) ? readMlflow(*text)
                             : readJsonRecord(*text);
}

} // namespace

namespace {

/// Sums of what nobody can have used or paid.
bool isFinite(const Record& record)
{
    const std::array figures{record.seconds, record.usd, record.kwh, record.kgCo2e};
    return std::all_of(figures.begin(), figures.end(), [](const std::optional<double>& figure) {
        return std::isfinite(figure.value_or(0));
    });
}

} // namespace

Result<Record> readRecord(const std::string& path, const RecordFilter& filter)
{
    constexpr std::uint64_t EnoughToTell = 4096;
    const auto start = loadFileStart(path, EnoughToTell);
    if (!start)
        return failureOf(start);
    std::string_view bytes = start->bytes;
    if (bytes.starts_with("\xEF\xBB\xBF"))
        bytes.remove_prefix(3);
    auto record = readAny(path, bytes, filter);
    if (record && !isFinite(*record))
        record =
            inputError("what it sums up is beyond any number", "check the file for broken rows");
    if (!record)
        return tl::unexpected<Error>(record.error().in(path));
    return record;
}

} // namespace outlay::pricing
