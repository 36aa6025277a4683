// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The icons drawn for Outlay, as masks in a colour of the tokens, sharp at every device ratio.
#pragma once

#include <QIcon>
#include <QString>

namespace outlay::gui {

/// `name` is a file of resources/icons without its suffix.
[[nodiscard]] QIcon iconOf(const QString& name, const QColor& colour);

/// One picture of it, as large as an icon is.
[[nodiscard]] QPixmap iconPixmap(const QString& name, const QColor& colour, double deviceRatio);

} // namespace outlay::gui
