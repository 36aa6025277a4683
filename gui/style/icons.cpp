// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/style/icons.h"

#include "gui/style/tokens.h"

#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <QtMath>

// Resources of a static library are linked only if somebody asks; the macro wants the global scope.
static void initIcons()
{
    Q_INIT_RESOURCE(icons);
}

namespace outlay::gui {
namespace {

class MaskEngine final : public QIconEngine {
public:
    MaskEngine(QString name, const QColor& colour) : m_name(std::move(name)), m_colour(colour) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const double ratio = painter->device()->devicePixelRatioF();
        QPixmap mask = scaledPixmap(rect.size() * ratio, mode, state, ratio);
        mask.setDevicePixelRatio(ratio);
        painter->drawPixmap(rect.topLeft(), mask);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override
    {
        // Drawn once for each size: a window asks for the same few at every repaint.
        const QString key = QStringLiteral("icon/%1/%2/%3x%4/%5")
                                .arg(m_name)
                                .arg(m_colour.rgba())
                                .arg(size.width())
                                .arg(size.height())
                                .arg(static_cast<int>(mode == QIcon::Disabled));
        QPixmap picture;
        if (QPixmapCache::find(key, &picture))
            return picture;
        picture = QPixmap(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        QSvgRenderer renderer(QStringLiteral(":/icons/") + m_name + QStringLiteral(".svg"));
        renderer.render(&painter, QRectF(QPointF(), size));
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        constexpr int DisabledAlpha = 110;
        QColor colour = m_colour;
        if (mode == QIcon::Disabled)
            colour.setAlpha(DisabledAlpha);
        painter.fillRect(picture.rect(), colour);
        painter.end();
        QPixmapCache::insert(key, picture);
        return picture;
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, double) override
    {
        return pixmap(size, mode, state);
    }

    [[nodiscard]] QIconEngine* clone() const override { return new MaskEngine(*this); }

private:
    QString m_name;
    QColor m_colour;
};

} // namespace

QIcon iconOf(const QString& name, const QColor& colour)
{
    initIcons();
    return QIcon(new MaskEngine(name, colour)); // the icon owns its engine
}

QPixmap iconPixmap(const QString& name, const QColor& colour, double deviceRatio)
{
    initIcons();
    const int pixels = qCeil(size::Icon * deviceRatio);
    QPixmap picture = MaskEngine(name, colour).pixmap({pixels, pixels}, QIcon::Normal, QIcon::Off);
    picture.setDevicePixelRatio(deviceRatio);
    return picture;
}

} // namespace outlay::gui
