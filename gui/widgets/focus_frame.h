// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of a widget that paints its own focus.
#pragma once

class QWidget;

namespace outlay::gui {

/// To be called while `widget` is painted; paints nothing where it has no focus.
void paintFocusFrame(QWidget& widget);

} // namespace outlay::gui
