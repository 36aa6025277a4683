// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The readers of records, one a kind of file.
#pragma once

#include "pricing/actual/record.h"
#include "pricing/import/csv.h"

namespace outlay::pricing {

/// Of a table whose first record names its columns.
[[nodiscard]] bool isCodeCarbon(const CsvReader& table);
[[nodiscard]] core::Result<Record> readCodeCarbon(CsvReader& table, const RecordFilter& filter);
[[nodiscard]] bool isBill(const CsvReader& table);
[[nodiscard]] core::Result<Record> readBill(CsvReader& table, const RecordFilter& filter);

/// Columns are divided by "|".
[[nodiscard]] bool isSlurm(std::string_view start);
[[nodiscard]] core::Result<Record> readSlurm(std::string_view text, const RecordFilter& filter);

[[nodiscard]] core::Result<Record> readJsonRecord(std::string_view text);
[[nodiscard]] bool isMlflow(std::string_view start);
[[nodiscard]] core::Result<Record> readMlflow(std::string_view text);
[[nodiscard]] bool isEvents(std::string_view start);
[[nodiscard]] core::Result<Record> readEvents(const std::string& path);

} // namespace outlay::pricing
