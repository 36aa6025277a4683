// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of an experiment's `assumptions` that several places read or write; those with a number as their default stand
// with it.
#pragma once

#include "core/base/json.h"

namespace outlay::core {

inline constexpr std::string_view TrainingSecondsKey = "training_seconds";
inline constexpr std::string_view TrainingStartHourKey = "training_start_hour";
inline constexpr std::string_view OffsetUsdPerTonneKey = "offset_usd_per_tonne";
inline constexpr std::string_view ServingWayKey = "serving_way";
inline constexpr std::string_view GridBasisKey = "grid_basis";
inline constexpr std::string_view StorageClassKey = "storage_class";
inline constexpr std::string_view TransferServiceKey = "transfer_service";

/// Where it stands in the experiment.
[[nodiscard]] inline std::string assumptionAt(std::string_view key)
{
    return childPointer("/assumptions", key);
}

} // namespace outlay::core
