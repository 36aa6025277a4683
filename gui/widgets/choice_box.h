// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A box of choices that may be replaced while somebody looks: the place that was chosen stays, where there still is one.
#pragma once

#include <QComboBox>

#include <vector>

namespace outlay::gui {

class ChoiceBox final : public QComboBox {
    Q_OBJECT
public:
    ChoiceBox(const QString& objectName, const QString& accessibleName, QWidget* parent);

    void setChoices(const std::vector<QString>& texts);
    /// The first where nothing is chosen.
    [[nodiscard]] std::size_t place() const;
    void setPlace(std::size_t place);
};

} // namespace outlay::gui
