// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The list of changes, each with a button that makes it.
#pragma once

#include "gui/view/advice_view.h"

#include <QScrollArea>

namespace outlay::gui {

class AdviceList final : public QScrollArea {
    Q_OBJECT
public:
    AdviceList(const QString& name, QWidget* parent);

    void show(const std::vector<AdviceItem>& items);
    /// A line for each, with the largest share that it saves, where there is no room for two.
    void setDense(bool isDense);
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

Q_SIGNALS:
    void applied(std::size_t index);

private:
    class Row;
    void act(std::size_t index);
    void resizeRows(std::size_t count);
    void showWholeRows();
    void fitHeight();

    QWidget* m_body;
    std::vector<Row*> m_rows; // as many as there ever were; those without an item are hidden
    std::vector<AdviceItem> m_items;
    bool m_isDense = false;
};

} // namespace outlay::gui
