// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which kind of file a name stands for: a picture, or a Report in the format of another program.
#pragma once

#include "gui/export/picture.h"
#include "pricing/export/export.h"

#include <QStringList>

#include <variant>

namespace outlay::gui {

using ExportKind = std::variant<PictureFormat, const pricing::ExportFormat*>;

/// What a dialog for files offers: pictures first, then a row for each other format.
[[nodiscard]] QStringList exportFilters();

/// By its suffix; of several formats with the same one that of `filter`, else the first. An error where nothing
/// is written with such a name.
[[nodiscard]] core::Result<ExportKind> exportKindOf(const QString& path, const QString& filter);

} // namespace outlay::gui
