// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the program is, under which licences its parts are, and how old its data is; as Markdown.
#pragma once

#include "pricing/report/report.h"

#include <QString>

namespace outlay::gui {

/// `licences`: docs/licences.md, the list of all parts and sources.
[[nodiscard]] QString makeAboutText(const pricing::Provenance& provenance, const QString& qtVersion,
                                    const QString& licences);

} // namespace outlay::gui
