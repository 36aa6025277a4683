// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// All words that a window shows, and what in them is for programs instead of people.
#pragma once

#include "gui/widgets/chart.h"
#include "gui/widgets/labels.h"
#include "tests/support/text_check.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QLineEdit>
#include <QRegularExpression>

namespace outlay::gui {

inline void addWordsOfTables(const QWidget& window, QStringList& words)
{
    constexpr int MostRows = 60; // those below are of the same kind
    for (const QAbstractItemView* view : window.findChildren<QAbstractItemView*>()) {
        const QAbstractItemModel* model = view->model();
        if (!view->isVisible() || model == nullptr)
            continue;
        for (int column = 0; column < model->columnCount(); ++column) {
            words.append(model->headerData(column, Qt::Horizontal).toString());
            for (int row = 0; row < std::min(MostRows, model->rowCount()); ++row) {
                const QModelIndex cell = model->index(row, column);
                words.append(cell.data().toString());
                words.append(cell.data(Qt::ToolTipRole).toString());
            }
        }
    }
}

inline void addWordsOfCharts(const QWidget& window, QStringList& words)
{
    for (const Chart* chart : window.findChildren<Chart*>()) {
        if (!chart->isVisible())
            continue;
        const ChartModel& model = chart->model();
        words += {model.title, model.subtitle, model.description,
                  model.empty, model.x.title,  model.y.title};
        words += QStringList(model.categories.begin(), model.categories.end());
        for (const ChartSeries& series : model.series) {
            words.append(series.name);
            for (const ChartPoint& point : series.points)
                words.append(point.label);
        }
    }
}

/// Also those of tooltips.
inline QStringList wordsIn(const QWidget& window)
{
    QStringList words{window.windowTitle()};
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible())
            continue;
        words += {widget->toolTip(), widget->accessibleName(), widget->accessibleDescription()};
        if (const auto* label = qobject_cast<const QLabel*>(widget))
            words.append(label->text());
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
            words.append(button->text());
        if (const auto* edit = qobject_cast<const QLineEdit*>(widget))
            words += {edit->text(), edit->placeholderText()};
        if (const auto* box = qobject_cast<const QComboBox*>(widget)) {
            for (int i = 0; i < box->count(); ++i)
                words.append(box->itemText(i));
        }
    }
    addWordsOfTables(window, words);
    addWordsOfCharts(window, words);
    words.removeAll(QString());
    words.removeDuplicates();
    return words;
}

/// A key of a file, a place in it, or a type's name.
inline bool hasRawWord(const QString& words)
{
    if (words.startsWith(QStringLiteral("In the file: "))) // where to find it, which was asked for
        return false;
    static const QRegularExpression Raw(QStringLiteral(
        "(?<![\\w./-])(?:[a-z]+(?:_[a-z0-9]+)+|/(?:model|training|serving|site|plan|"
        "assumptions)(?:/\\w+)+|\\w+::\\w+|null|nullptr|nan|inf)(?![\\w/(-]|\\.\\w)"));
    // Code to copy is for programs; the words before it aren't.
    const qsizetype code =
        words.indexOf(QRegularExpression(QStringLiteral("\\n(?:C\\+\\+|Python):")));
    return Raw.match(words.left(code)).hasMatch();
}

/// What ends in an ellipsis, though it is longer.
inline void findShortened(const QWidget& window, QStringList& problems)
{
    for (ElidedLabel* label : window.findChildren<ElidedLabel*>()) {
        if (label->isVisible() && label->isCut())
            problems.append(QStringLiteral("shortened: ") + named(*label, label->text()));
    }
}

} // namespace outlay::gui
