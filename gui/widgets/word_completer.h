// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Completes the last word of a list that is written with commas; words that hold what was typed anywhere.
#pragma once

#include <QCompleter>

namespace outlay::gui {

class WordCompleter final : public QCompleter {
    Q_OBJECT
public:
    WordCompleter(const QStringList& words, QWidget* field);

    [[nodiscard]] QStringList splitPath(const QString& path) const override;
    [[nodiscard]] QString pathFromIndex(const QModelIndex& index) const override;
};

} // namespace outlay::gui
