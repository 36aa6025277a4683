// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// One part of a score: name, bar, number, and what would raise it.
#pragma once

#include "gui/view/efficiency_view.h"

#include <QWidget>

namespace outlay::gui {

class ScoreRow final : public QWidget {
    Q_OBJECT
public:
    ScoreRow(const QString& name, QWidget* parent);

    void show(const ScoreView& score);
    [[nodiscard]] const ScoreView& score() const { return m_score; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ScoreView m_score;
};

} // namespace outlay::gui
