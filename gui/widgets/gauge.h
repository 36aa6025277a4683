// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A score from 0 to 100 on an arc with its bands.
#pragma once

#include "gui/view/efficiency_view.h"

#include <QWidget>

namespace outlay::gui {

class Gauge final : public QWidget {
    Q_OBJECT
public:
    Gauge(const QString& name, QWidget* parent);

    void show(const ScoreView& score, const QString& description);
    [[nodiscard]] const ScoreView& score() const { return m_score; }
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ScoreView m_score;
};

} // namespace outlay::gui
