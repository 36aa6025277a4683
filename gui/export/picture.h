// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The dashboard or the comparison as a picture for people: the same composition whatever the window
// looks like, with its title, date, assumptions, the dates of its data and the method inside.
#pragma once

#include "gui/panels/panel.h"
#include "gui/style/tokens.h"
#include "gui/view/display_locale.h"
#include "gui/view/picture_view.h"

#include <QByteArray>
#include <QImage>
#include <QSize>

#include <string_view>

namespace outlay::gui {

enum class PictureFormat { Png, Svg, Pdf };
inline constexpr std::array<std::string_view, 3> PictureFormatNames{"png", "svg", "pdf"};

struct PictureRequest {
    QSize size{1600, 1000}; // in logical pixels
    double scale = 1;       // device pixels for each; for PNG
    bool isDark = false;
    PictureSubject subject = PictureSubject::Dashboard;
};

inline constexpr QSize LeastPicture{800, 600};
inline constexpr QSize LargestPicture{8192, 8192};

/// "cost_dashboard" or "cost_comparison".
[[nodiscard]] std::string_view fileStem(PictureSubject subject);

/// Sizes and scales that make no picture are errors.
[[nodiscard]] core::Result<void> check(const PictureRequest& request);

/// Both need the program's own thread; encoding the image does not. An image for which there is no
/// memory is null.
[[nodiscard]] QImage paintImage(const PanelInput& input, const PictureRequest& request,
                                const DisplayLocale& locale);
[[nodiscard]] QByteArray paintVector(const PanelInput& input, const PictureRequest& request,
                                     PictureFormat format, const DisplayLocale& locale);

/// On any thread.
[[nodiscard]] QByteArray encodePng(const QImage& image);
[[nodiscard]] core::Result<void> savePicture(const QByteArray& content, const QString& path);

} // namespace outlay::gui
