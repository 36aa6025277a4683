// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The words around a picture of the dashboard or of the comparison: it has to stand for itself.
#pragma once

#include "core/experiment/experiment.h"
#include "gui/view/display_locale.h"
#include "pricing/report/report.h"

#include <QString>

namespace outlay::gui {

enum class PictureSubject { Dashboard, Comparison };

struct PictureView {
    QString title;
    QString subtitle;
    QString work;        // what is trained on how much, and how much is served
    QString places;      // which machines, where, and bought how
    QString assumptions; // how many of these nobody gave
    QString dates;       // of prices and other data
    QString provenance;

    bool operator==(const PictureView&) const = default;
};

[[nodiscard]] PictureView makePictureView(const core::Experiment& experiment,
                                          const pricing::Report& report, PictureSubject subject,
                                          const DisplayLocale& locale);

} // namespace outlay::gui
