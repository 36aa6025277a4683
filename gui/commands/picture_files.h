// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The pictures that commands write: painted without a display, whatever the platform is said to be.
#pragma once

#include "gui/commands/experiment_file.h"
#include "gui/export/picture.h"
#include "pricing/application/application.h"

namespace outlay::gui {

inline constexpr CommandOption SizeOption{"--size", "WxH",
                                          "size of the pictures (default: 1600x1000)"};
inline constexpr CommandOption ScaleOption{
    "--scale", "N", "pixels of a PNG for each of the size, 0.5 to 4 (default: 1)"};
inline constexpr CommandOption ThemeOption{"--theme", "NAME", "light or dark (default: light)"};

/// What the three options say; an error where that makes no picture.
[[nodiscard]] core::Result<PictureRequest> pictureRequestOf(const Arguments& arguments);

struct PaintedFiles {
    const std::vector<PictureFormat>& formats;         // of the dashboard and the comparison
    const pricing::Application* application = nullptr; // as a PDF, where there is one
};
[[nodiscard]] core::Result<std::vector<OutputText>> paintPictures(const PanelInput& input,
                                                                  const PictureRequest& request,
                                                                  const PaintedFiles& wanted);

} // namespace outlay::gui
