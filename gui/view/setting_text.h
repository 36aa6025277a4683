// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Settings in words: what differs between two experiments.
#pragma once

#include "core/experiment/experiment.h"

#include <QLocale>
#include <QString>

namespace outlay::gui {

/// "Training: Batch 32 → 64; Plan: Purchase on demand → spot"; what is beyond `most` is counted. Empty where they
/// have the same settings.
[[nodiscard]] QString differenceText(const core::Experiment& before, const core::Experiment& after,
                                     std::size_t most, const QLocale& locale);

} // namespace outlay::gui
