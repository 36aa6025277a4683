// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a widget paints more often than it changes, kept as it looks on the screen.
#pragma once

#include <QImage>

#include <functional>

class QPainter;

namespace outlay::gui {

class KeptPicture {
public:
    /// What `paint` paints into all of `size`: from memory where it was painted before, pixel by pixel the
    /// same. In an exported picture and between pixels it is painted anew.
    void draw(QPainter& painter, const QSize& size, const std::function<void(QPainter&)>& paint);
    /// It looks different now.
    void forget() { m_image = {}; }

private:
    QImage m_image;
};

} // namespace outlay::gui
