// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with the words of a window as it is laid out now: cut, or on one another.
#pragma once

#include "gui/style/theme.h"
#include "gui/widgets/badge.h"
#include "gui/widgets/chart_canvas.h"
#include "gui/widgets/figure_label.h"
#include "gui/widgets/labels.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QStyleOptionFrame>
#include <QWidget>

namespace outlay::gui {

/// What is seen of a widget, in the window's coordinates.
inline QRect seenPart(const QWidget& widget, const QWidget& window)
{
    const QRect seen = widget.visibleRegion().boundingRect();
    return seen.isEmpty() ? QRect() : QRect(widget.mapTo(&window, seen.topLeft()), seen.size());
}

inline QString named(const QWidget& widget, const QString& text)
{
    return QStringLiteral("%1 '%2' (%3 of %4 px)")
        .arg(widget.objectName().isEmpty() ? QLatin1String(widget.metaObject()->className())
                                           : widget.objectName(),
             text)
        .arg(widget.width())
        .arg(widget.sizeHint().width());
}

/// Plain labels, wrapped ones, buttons: each as large as its text. Labels that may end in an ellipsis
/// have the whole text as their tooltip; a figure's value and name may not.
inline void findCutWidgets(const QWidget& window, QStringList& problems)
{
    for (const QLabel* label : window.findChildren<QLabel*>()) {
        const bool isShown = label->isVisible() && !label->text().isEmpty();
        if (!isShown || label->inherits("outlay::gui::ElidedLabel"))
            continue;
        const bool isCut = label->wordWrap()
                               ? label->height() < label->heightForWidth(label->width())
                               : label->width() < label->sizeHint().width() ||
                                     label->height() < label->sizeHint().height();
        if (isCut)
            problems.append(QStringLiteral("cut: ") + named(*label, label->text()));
    }
    // What an empty field says of itself.
    constexpr int Margins = 4; // that a line edit leaves beside its text, both together
    for (const QLineEdit* edit : window.findChildren<QLineEdit*>()) {
        if (!edit->isVisible() || !edit->text().isEmpty() || edit->placeholderText().isEmpty())
            continue;
        QStyleOptionFrame option;
        option.initFrom(edit);
        option.lineWidth = edit->style()->pixelMetric(QStyle::PM_DefaultFrameWidth, &option, edit);
        const int room =
            edit->style()->subElementRect(QStyle::SE_LineEditContents, &option, edit).width() -
            Margins;
        if (edit->fontMetrics().horizontalAdvance(edit->placeholderText()) > room)
            problems.append(QStringLiteral("cut: ") + named(*edit, edit->placeholderText()));
    }
    for (const FigureLabel* figure : window.findChildren<FigureLabel*>()) {
        for (ElidedLabel* label : figure->findChildren<ElidedLabel*>()) {
            if (label->isVisible() && label->text() == figure->view().place && label->isCut())
                problems.append(QStringLiteral("cut: ") + named(*label, label->text()));
        }
        for (const QLabel* label : figure->findChildren<QLabel*>()) {
            const bool isValue = label->text() == figure->view().value;
            const bool isName = label->text() == figure->view().label;
            if (!label->isVisible() || label->text().isEmpty() || (!isValue && !isName))
                continue;
            const QFontMetrics least(fontOf(isValue ? TypeRole::Secondary : TypeRole::Axis));
            if (least.horizontalAdvance(label->text()) > label->width())
                problems.append(QStringLiteral("cut: ") + figure->objectName() + QLatin1Char(' ') +
                                named(*label, label->text()));
        }
    }
    for (const QAbstractButton* button : window.findChildren<QAbstractButton*>()) {
        const bool isOwn = !button->objectName().startsWith(QStringLiteral("qt_"));
        if (isOwn && button->isVisible() && button->width() < button->sizeHint().width())
            problems.append(QStringLiteral("cut: ") + named(*button, button->text()));
    }
    for (const Badge* badge : window.findChildren<Badge*>()) {
        const bool isInside = badge->parentWidget()->rect().contains(badge->geometry());
        if (badge->isVisible() && (!isInside || badge->width() < badge->sizeHint().width()))
            problems.append(QStringLiteral("cut: ") + named(*badge, badge->word()));
    }
}

/// Numbers, names and titles of axes, names of bars and their labels.
inline void findCutNames(const QWidget& window, QStringList& problems)
{
    for (const ChartCanvas* canvas : window.findChildren<ChartCanvas*>()) {
        if (!canvas->isVisible() || canvas->width() < size::LeastTile)
            continue;
        for (const QString& text : canvas->cutTexts())
            problems.append(QStringLiteral("cut: %1 in %2").arg(text, canvas->objectName()));
    }
}

/// Whatever has words of its own stands beside, not on, everything else that has.
inline void findOverlaps(const QWidget& window, QStringList& problems)
{
    std::vector<std::pair<const QWidget*, QRect>> all;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        const auto* label = qobject_cast<const QLabel*>(widget);
        const bool hasWords = (label != nullptr && !label->text().isEmpty()) ||
                              qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                              qobject_cast<const QLineEdit*>(widget) != nullptr ||
                              qobject_cast<const Badge*>(widget) != nullptr;
        const QRect seen = hasWords && widget->isVisible() ? seenPart(*widget, window) : QRect();
        if (!seen.isEmpty())
            all.emplace_back(widget, seen);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const auto& [a, placeOfA] = all[i];
            const auto& [b, placeOfB] = all[j];
            const QRect both = placeOfA.intersected(placeOfB);
            const bool isRelated = a->isAncestorOf(b) || b->isAncestorOf(a);
            if (!isRelated && both.width() > 1 && both.height() > 1)
                problems.append(QStringLiteral("overlap: ") + named(*a, {}) +
                                QStringLiteral(" and ") + named(*b, {}));
        }
    }
}

inline QStringList textProblems(const QWidget& window)
{
    QStringList problems;
    findCutWidgets(window, problems);
    findCutNames(window, problems);
    findOverlaps(window, problems);
    return problems;
}

} // namespace outlay::gui
