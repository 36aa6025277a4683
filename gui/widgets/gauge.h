// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A score from 0 to 100 on an arc with its bands, and as a table of its parts (Ctrl+T).
#pragma once

#include "gui/view/efficiency_view.h"

#include "gui/widgets/twinned.h"

namespace outlay::gui {

class DataTable;

class Gauge final : public Twinned {
    Q_OBJECT
public:
    Gauge(const QString& name, QWidget* parent);

    void show(const EfficiencyView& view);
    [[nodiscard]] const ScoreView& score() const { return m_view.whole; }
    [[nodiscard]] QSize minimumSizeHint() const override;
    void toggleForm() override;

protected:
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] bool isTable() const;
    void fillTable();

    EfficiencyView m_view;
    DataTable* m_table = nullptr; // until it is wanted
};

} // namespace outlay::gui
