// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Fusion without its gradients: flat controls with one border, one accent and a visible focus.
#pragma once

#include <QProxyStyle>

namespace outlay::gui {

class FlatStyle final : public QProxyStyle {
    Q_OBJECT
public:
    FlatStyle();
    [[nodiscard]] static QStyle* make();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                            QPainter* painter, const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option,
                         const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option,
                    const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override;
};

/// Marks a button as the window's main one: filled with the accent.
void setMainButton(QWidget* button);
/// A button in a row of text is as high as the row and hardly wider than its words.
void setCompactButton(QWidget* button, bool isCompact);

} // namespace outlay::gui
