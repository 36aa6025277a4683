// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// An application for compute time on one sheet of A4: as a PDF, and as a picture of that to look at before.
#pragma once

#include "gui/view/application_view.h"

#include <QByteArray>
#include <QImage>

namespace outlay::gui {

/// Both need the program's own thread. Paper is white, whatever the window's theme.
[[nodiscard]] QByteArray paintApplication(const ApplicationView& view, const DisplayLocale& locale);
/// So many pixels wide.
[[nodiscard]] QImage previewApplication(const ApplicationView& view, const DisplayLocale& locale,
                                        int width);

} // namespace outlay::gui
