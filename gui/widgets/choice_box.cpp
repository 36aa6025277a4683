// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/choice_box.h"

#include <QSignalBlocker>

#include <algorithm>

namespace outlay::gui {

ChoiceBox::ChoiceBox(const QString& objectName, const QString& accessibleName, QWidget* parent)
    : QComboBox(parent)
{
    setObjectName(objectName);
    setAccessibleName(accessibleName);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
}

void ChoiceBox::setChoices(const std::vector<QString>& texts)
{
    QStringList shown;
    for (int i = 0; i < count(); ++i)
        shown.append(itemText(i));
    const QStringList wanted(texts.begin(), texts.end());
    if (shown == wanted)
        return;
    const QSignalBlocker quiet(this);
    const int before = currentIndex();
    clear();
    addItems(wanted);
    setCurrentIndex(std::clamp(before, 0, std::max(0, count() - 1)));
}

std::size_t ChoiceBox::place() const
{
    return static_cast<std::size_t>(std::max(0, currentIndex()));
}

void ChoiceBox::setPlace(std::size_t place)
{
    setCurrentIndex(static_cast<int>(place));
}

} // namespace outlay::gui
