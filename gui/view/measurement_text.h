// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/measurement.h"

#include <QLocale>
#include <QString>

namespace outlay::gui {

/// A measurement as a page of text: what `outlay probe` prints.
[[nodiscard]] QString makeMeasurementText(const core::Measurement& measurement,
                                          const QLocale& locale);

/// "1 thread", "2 threads".
[[nodiscard]] QString threadsText(std::int64_t count, const QLocale& locale);

} // namespace outlay::gui
