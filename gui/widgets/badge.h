// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The word for a figure's basis, with a mark of its own shape: never told by colour alone.
#pragma once

#include "core/base/quantity.h"

#include <QWidget>

namespace outlay::gui {

class Badge final : public QWidget {
    Q_OBJECT
public:
    explicit Badge(QWidget* parent);

    /// A rough one has the colour of what isn't sure.
    void setBasis(core::Basis basis, bool isRough, const QString& word);
    [[nodiscard]] QString word() const { return m_word; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    core::Basis m_basis = core::Basis::Unavailable;
    bool m_isRough = false;
    QString m_word;
};

} // namespace outlay::gui
