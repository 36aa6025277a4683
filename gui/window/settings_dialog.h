// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The settings, each taking effect as soon as it is chosen.
#pragma once

namespace outlay::gui {

class MainWindow;

void showSettings(MainWindow& window);

} // namespace outlay::gui
