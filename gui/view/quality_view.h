// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment's quality as the designer shows it, and what is typed there.
#pragma once

#include "core/experiment/quality.h"

#include <QLocale>
#include <QString>

namespace outlay::gui {

struct QualityLine {
    QString name;
    QString value;
    std::optional<core::Better> better;

    bool operator==(const QualityLine&) const = default;
};

struct QualityView {
    std::vector<QualityLine> lines;
    QString curve; // "Loss over 12 epochs: 2.31 to 1.02"; empty without one

    bool operator==(const QualityView&) const = default;
};

[[nodiscard]] QualityView makeQualityView(const core::Json& quality, const QLocale& locale);

/// What was typed; an error with what is wrong and what to do.
[[nodiscard]] core::Result<core::QualityFigure> readQualityLine(const QualityLine& line,
                                                                const QLocale& locale);

} // namespace outlay::gui
