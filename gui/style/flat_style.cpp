// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/style/flat_style.h"

#include "gui/style/tokens.h"

#include <QAbstractItemView>
#include <QCoreApplication>
#include <QEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStyleFactory>
#include <QStyleOption>
#include <QVariant>
#include <QWidget>

#include <algorithm>

namespace outlay::gui {
namespace {

constexpr const char* MainProperty = "outlayMainButton";
constexpr const char* CompactProperty = "outlayCompactButton";

/// A rectangle whose hairline is drawn sharply.
QRectF sharp(const QRect& rect)
{
    constexpr double Half = 0.5;
    return QRectF(rect).adjusted(Half, Half, -Half, -Half);
}

void drawBox(QPainter* painter, const QRect& rect, const QColor& fill, const QPen& pen)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(pen);
    painter->setBrush(fill);
    painter->drawRoundedRect(sharp(rect), size::ControlRadius, size::ControlRadius);
    painter->restore();
}

QPen borderPen(const QStyleOption* option, const Tokens& tokens)
{
    const bool hasFocus = option->state.testFlag(QStyle::State_HasFocus);
    return {hasFocus ? tokens.accent : tokens.inputBorder,
            static_cast<double>(hasFocus ? size::FocusWidth : size::Hairline)};
}

/// Of a button in a row of text.
QSize compactSize(const QStyleOption* option)
{
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    const QString text = button == nullptr ? QString() : button->text;
    return {option->fontMetrics.horizontalAdvance(text) + size::Medium, size::Wide};
}

void drawButton(const QStyleOption* option, QPainter* painter, const QWidget* widget)
{
    const Tokens& tokens = tokensOf(option->palette);
    const bool isEnabled = option->state.testFlag(QStyle::State_Enabled);
    const bool isMain = widget != nullptr && widget->property(MainProperty).toBool();
    const bool isDown = option->state.testFlag(QStyle::State_Sunken);
    const bool isOver = option->state.testFlag(QStyle::State_MouseOver) && isEnabled;
    if (isMain && isEnabled) {
        constexpr int Darker = 112;
        const QColor fill = isDown || isOver ? tokens.accent.darker(Darker) : tokens.accent;
        drawBox(painter, option->rect, fill, QPen(fill));
        if (option->state.testFlag(QStyle::State_HasFocus)) {
            const int inset = size::FocusWidth;
            drawBox(painter, option->rect.adjusted(inset, inset, -inset, -inset), fill,
                    QPen(tokens.onAccent, size::FocusWidth));
        }
    } else {
        drawBox(painter, option->rect, isDown || isOver ? tokens.grid : tokens.card,
                borderPen(option, tokens));
    }
}

void drawSlider(const QStyleOptionSlider* option, QPainter* painter)
{
    const Tokens& tokens = tokensOf(option->palette);
    const bool isEnabled = option->state.testFlag(QStyle::State_Enabled);
    const bool hasFocus = option->state.testFlag(QStyle::State_HasFocus);
    const QRect all = option->rect;
    const int span = all.width() - size::SliderHandle;
    const int at = QStyle::sliderPositionFromValue(
        option->minimum, option->maximum, option->sliderPosition, span, option->upsideDown);
    const QRectF groove(all.left(), all.center().y() - size::SliderGroove / 2.0 + 1, all.width(),
                        size::SliderGroove);
    QRectF filled = groove;
    filled.setWidth(at + size::SliderHandle / 2.0);
    const QRectF handle(all.left() + at, groove.center().y() - size::SliderHandle / 2.0,
                        size::SliderHandle, size::SliderHandle);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(tokens.cardBorder);
    painter->drawRoundedRect(groove, size::SliderGroove / 2.0, size::SliderGroove / 2.0);
    const QColor mark = isEnabled ? tokens.accent : tokens.disabled;
    painter->setBrush(mark);
    painter->drawRoundedRect(filled, size::SliderGroove / 2.0, size::SliderGroove / 2.0);
    painter->setPen(QPen(mark, size::FocusWidth));
    painter->setBrush(hasFocus ? mark : tokens.card);
    painter->drawEllipse(handle.adjusted(1, 1, -1, -1));
    if (hasFocus) {
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(mark, size::Hairline));
        painter->drawEllipse(handle.adjusted(-2, -2, 2, 2));
    }
    painter->restore();
}

/// A thin handle on the ground that is there; no arrows.
void drawScrollBar(const QStyle& style, const QStyleOptionSlider* option, QPainter* painter,
                   const QWidget* widget)
{
    const Tokens& tokens = tokensOf(option->palette);
    const bool isOver = option->state.testFlag(QStyle::State_MouseOver);
    QRect handle =
        style.subControlRect(QStyle::CC_ScrollBar, option, QStyle::SC_ScrollBarSlider, widget);
    const int inset = size::Tiny / 2;
    handle.adjust(inset, inset, -inset, -inset);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(isOver ? tokens.secondary : tokens.inputBorder);
    const double radius = std::min(handle.width(), handle.height()) / 2.0;
    painter->drawRoundedRect(handle, radius, radius);
    painter->restore();
}

void drawArrow(QPainter* painter, const QRect& rect, const QColor& colour)
{
    const QPointF middle = QRectF(rect).center();
    QPainterPath path;
    path.moveTo(middle + QPointF(-size::Arrow / 2.0, -size::Arrow / 4.0));
    path.lineTo(middle + QPointF(0, size::Arrow / 4.0));
    path.lineTo(middle + QPointF(size::Arrow / 2.0, -size::Arrow / 4.0));
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->drawPath(path);
    painter->restore();
}

void drawCheck(const QStyleOption* option, QPainter* painter)
{
    const Tokens& tokens = tokensOf(option->palette);
    const bool isOn = option->state.testFlag(QStyle::State_On);
    const QPen pen = borderPen(option, tokens);
    drawBox(painter, option->rect, isOn ? tokens.accent : tokens.card,
            isOn && !option->state.testFlag(QStyle::State_HasFocus) ? QPen(tokens.accent) : pen);
    if (!isOn)
        return;
    const QRectF box(option->rect);
    const auto at = [&](double x, double y) {
        return box.topLeft() + QPointF(x * box.width(), y * box.height());
    };
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(tokens.onAccent, size::LineWidth, Qt::SolidLine, Qt::RoundCap));
    painter->drawPolyline(QPolygonF{{at(0.25, 0.52), at(0.43, 0.7), at(0.76, 0.32)}});
    painter->restore();
}

} // namespace

FlatStyle::FlatStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

QStyle* FlatStyle::make()
{
    return new FlatStyle;
}

void FlatStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                              QPainter* painter, const QWidget* widget) const
{
    const Tokens& tokens = tokensOf(option->palette);
    switch (element) {
    case PE_PanelButtonCommand: return drawButton(option, painter, widget);
    case PE_PanelButtonTool:
        if (option->state.testFlag(State_On))
            return drawBox(painter, option->rect, tokens.grid, borderPen(option, tokens));
        if (option->state.testFlag(State_MouseOver) || option->state.testFlag(State_Sunken))
            drawBox(painter, option->rect, tokens.grid,
                    option->state.testFlag(State_HasFocus) ? borderPen(option, tokens)
                                                           : QPen(tokens.grid));
        return;
    case PE_PanelLineEdit:
    case PE_FrameLineEdit:
        return drawBox(painter, option->rect, tokens.card, borderPen(option, tokens));
    case PE_FrameFocusRect: // controls show their focus themselves, but for the cells of tables
        if (qobject_cast<const QAbstractItemView*>(widget) != nullptr)
            drawBox(painter, option->rect.adjusted(1, 1, -1, -1), Qt::transparent,
                    QPen(option->state.testFlag(State_Selected) ? tokens.onAccent : tokens.accent,
                         size::FocusWidth));
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck: return drawCheck(option, painter);
    default: QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void FlatStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                            const QWidget* widget) const
{
    const Tokens& tokens = tokensOf(option->palette);
    const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option);
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    const auto* tool = qstyleoption_cast<const QStyleOptionToolButton*>(option);
    if (element == CE_ProgressBarGroove) {
        drawBox(painter, option->rect, tokens.grid, QPen(tokens.grid));
    } else if (element == CE_ProgressBarContents && bar != nullptr && bar->maximum > 0) {
        QRect done = option->rect;
        done.setWidth(done.width() * bar->progress / bar->maximum);
        drawBox(painter, done, tokens.accent, QPen(tokens.accent));
    } else if (element == CE_PushButtonLabel && button != nullptr && widget != nullptr &&
               widget->property(MainProperty).toBool() && widget->isEnabled()) {
        QStyleOptionButton filled = *button;
        filled.palette.setColor(QPalette::ButtonText, tokens.onAccent);
        QProxyStyle::drawControl(element, &filled, painter, widget);
    } else if (element == CE_ToolButtonLabel && tool != nullptr &&
               tool->toolButtonStyle == Qt::ToolButtonTextBesideIcon) {
        QStyleOptionToolButton centred = *tool; // the base style puts both to the left
        const int wanted =
            tool->iconSize.width() + size::Small + tool->fontMetrics.horizontalAdvance(tool->text);
        const int left = std::max(0, tool->rect.width() - wanted) / 2;
        centred.rect.adjust(left, 0, -left, 0);
        QProxyStyle::drawControl(element, &centred, painter, widget);
    } else if (element == CE_HeaderEmptyArea) {
        painter->fillRect(option->rect, tokens.card);
    } else if (element == CE_HeaderSection) {
        painter->fillRect(option->rect, tokens.card);
        painter->setPen(tokens.cardBorder);
        painter->drawLine(option->rect.bottomLeft(), option->rect.bottomRight());
    } else {
        QProxyStyle::drawControl(element, option, painter, widget);
    }
}

void FlatStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                   QPainter* painter, const QWidget* widget) const
{
    const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
    const Tokens& tokens = tokensOf(option->palette);
    if (control == CC_Slider && slider != nullptr && slider->orientation == Qt::Horizontal)
        return drawSlider(slider, painter);
    if (control == CC_ComboBox) {
        const bool isOver = option->state.testFlag(State_MouseOver);
        drawBox(painter, option->rect, isOver ? tokens.window : tokens.card,
                borderPen(option, tokens));
        return drawArrow(painter,
                         proxy()->subControlRect(CC_ComboBox, option, SC_ComboBoxArrow, widget),
                         tokens.secondary);
    }
    if (control == CC_ScrollBar && slider != nullptr)
        return drawScrollBar(*proxy(), slider, painter, widget);
    const auto* tool = qstyleoption_cast<const QStyleOptionToolButton*>(option);
    if (control == CC_ToolButton && tool != nullptr) {
        // A button that opens a menu says so by its icon.
        QStyleOptionToolButton plain = *tool;
        plain.features &= ~QStyleOptionToolButton::HasMenu;
        if (option->state.testFlag(State_HasFocus)) // the base style gives flat ones no panel
            drawBox(painter, option->rect, tokens.card, borderPen(option, tokens));
        return QProxyStyle::drawComplexControl(control, &plain, painter, widget);
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect FlatStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                                SubControl part, const QWidget* widget) const
{
    if (control == CC_ScrollBar && (part == SC_ScrollBarAddLine || part == SC_ScrollBarSubLine))
        return {};
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control == CC_ScrollBar && part == SC_ScrollBarGroove)
        return option->rect;
    if (control == CC_ScrollBar && part == SC_ScrollBarSlider && bar != nullptr) {
        const bool isFlat = bar->orientation == Qt::Horizontal;
        const int all = isFlat ? bar->rect.width() : bar->rect.height();
        const qint64 range = qint64{bar->maximum} - bar->minimum;
        const qint64 share =
            all * qint64{bar->pageStep} / std::max<qint64>(1, range + bar->pageStep);
        const int length = std::clamp(static_cast<int>(share), std::min(all, size::Control), all);
        const int start = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition,
                                                  all - length, bar->upsideDown);
        return isFlat ? QRect(start, 0, length, bar->rect.height())
                      : QRect(0, start, bar->rect.width(), length);
    }
    QRect rect = QProxyStyle::subControlRect(control, option, part, widget);
    if (control == CC_ComboBox && part == SC_ComboBoxEditField)
        rect.setLeft(option->rect.left() + size::Small);
    return rect;
}

QRect FlatStyle::subElementRect(SubElement element, const QStyleOption* option,
                                const QWidget* widget) const
{
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    return element == SE_LineEditContents ? rect.adjusted(size::Tiny, 0, -size::Tiny, 0) : rect;
}

int FlatStyle::pixelMetric(PixelMetric metric, const QStyleOption* option,
                           const QWidget* widget) const
{
    switch (metric) {
    case PM_IndicatorHeight:
    case PM_IndicatorWidth: return size::Check;
    case PM_SliderLength: return size::SliderHandle;
    case PM_SliderThickness:
    case PM_SliderControlThickness: return size::SliderHeight;
    case PM_SmallIconSize:
    case PM_ButtonIconSize: return size::Icon;
    case PM_ScrollBarExtent: return size::ScrollBar;
    case PM_FocusFrameHMargin: return size::Small - size::Tiny / 2; // beside the text of a cell
    case PM_HeaderMargin: return size::Small;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical: return 0;
    default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int FlatStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                         QStyleHintReturn* data) const
{
    switch (hint) {
    case SH_Widget_Animate:
    case SH_DialogButtonBox_ButtonsHaveIcons: // a desktop that has some would give them to a few
    case SH_UnderlineShortcut: return 0;
    case SH_Slider_AbsoluteSetButtons: return Qt::LeftButton; // a click goes there
    case SH_ComboBox_Popup: return 0;
    default: return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

QSize FlatStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                  const QWidget* widget) const
{
    const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
    if (type == CT_HeaderSection && header != nullptr) {
        // Qt keeps room for an arrow in every column; one is enough for the column that is sorted.
        QStyleOptionHeader plain = *header;
        plain.sortIndicator = QStyleOptionHeader::None;
        return QProxyStyle::sizeFromContents(type, &plain, size, widget);
    }
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    switch (type) {
    case CT_PushButton:
        if (widget != nullptr && widget->property(CompactProperty).toBool())
            return compactSize(option);
        [[fallthrough]];
    case CT_ComboBox: result.rwidth() += size::Small; [[fallthrough]];
    case CT_LineEdit: result.setHeight(std::max(result.height(), size::Control)); break;
    case CT_ToolButton:
        result = result.expandedTo({size::Control, size::Control}) + QSize(size::Small, 0);
        break;
    case CT_CheckBox: result.setHeight(std::max(result.height(), size::Control)); break;
    default: break;
    }
    return result;
}

void setMainButton(QWidget* button)
{
    button->setProperty(MainProperty, true);
}

void setCompactButton(QWidget* button, bool isCompact)
{
    button->setProperty(CompactProperty, isCompact);
    QEvent changed(QEvent::StyleChange); // else it keeps the size that it had
    QCoreApplication::sendEvent(button, &changed);
    button->updateGeometry();
}

} // namespace outlay::gui
