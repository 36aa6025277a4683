// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Where keys take the focus in a window of several areas.
#pragma once

#include <vector>

class QWidget;

namespace outlay::gui {

/// The first widget that takes the focus in the area after the one that has it; in the first area where none has.
void focusNextArea(const std::vector<QWidget*>& areas);

/// How the figure that has the focus was got; of `figures` the first, where none has.
void explainFigure(const QWidget& figures);

} // namespace outlay::gui
