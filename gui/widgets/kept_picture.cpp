// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/kept_picture.h"

#include <QPaintEngine>
#include <QPainter>

#include <cmath>

namespace outlay::gui {
namespace {

bool isWhole(double number)
{
    constexpr double Nothing = 1e-6;
    return std::abs(number - std::round(number)) < Nothing;
}

/// Whether its pixels are those of the picture: not turned, not between them, not in a drawing of lines.
bool isOnPixels(const QPainter& painter, double ratio)
{
    const QTransform& at = painter.deviceTransform();
    return painter.paintEngine()->type() == QPaintEngine::Raster &&
           at.type() <= QTransform::TxScale && at.m11() == ratio && at.m22() == ratio &&
           isWhole(at.dx()) && isWhole(at.dy());
}

} // namespace

void KeptPicture::draw(QPainter& painter, const QSize& size,
                       const std::function<void(QPainter&)>& paint)
{
    const double ratio = painter.device()->devicePixelRatioF();
    if (!isOnPixels(painter, ratio)) {
        paint(painter);
        return;
    }
    const QSize pixels = (QSizeF(size) * ratio).toSize();
    if (m_image.size() != pixels || m_image.devicePixelRatio() != ratio) {
        m_image = QImage(pixels, QImage::Format_RGB32);
        m_image.setDevicePixelRatio(ratio);
        QPainter own(&m_image);
        own.setRenderHints(painter.renderHints());
        paint(own);
    }
    painter.drawImage(QPointF(0, 0), m_image);
}

} // namespace outlay::gui
