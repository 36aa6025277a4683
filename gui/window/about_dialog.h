// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Version, licences and the dates of the data.
#pragma once

class QWidget;

namespace outlay::pricing {
struct Provenance;
}

namespace outlay::gui {

void showAbout(const pricing::Provenance& provenance, QWidget* window);

} // namespace outlay::gui
