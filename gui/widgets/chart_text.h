// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Words in a chart, each in one line.
#pragma once

#include <QFont>
#include <QStringList>

class QFontMetricsF;

namespace outlay::gui {

/// The text, or as much of it as there is room for; a whole text that is cut is added to `cut`.
[[nodiscard]] QString fittedText(const QString& text, const QFontMetricsF& metrics, double room,
                                 QStringList& cut);

/// Of the fonts for figures the largest in which the text is narrower.
[[nodiscard]] QFont fontWithin(double width, const QString& text);

} // namespace outlay::gui
