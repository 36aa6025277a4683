// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Labels in the roles of the type scale; their colours follow the palette.
#pragma once

#include "gui/style/theme.h"

#include <QLabel>
#include <QStaticText>

#include <vector>

namespace outlay::gui {

enum class Wrap { No, Yes };

[[nodiscard]] QLabel* makeLabel(const QString& text, TypeRole role, QWidget* parent,
                                Wrap wrap = Wrap::No);
/// The same in the secondary colour.
[[nodiscard]] QLabel* makeQuietLabel(const QString& text, TypeRole role, QWidget* parent,
                                     Wrap wrap = Wrap::No);

/// One line that ends where it has no room: after a whole part if points (" · ") part it, else in an ellipsis.
/// The whole text is its tooltip.
class ElidedLabel final : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(TypeRole role, QWidget* parent);

    void setWholeText(const QString& text);
    /// Where the text has no room it is set in the first of these that has, before it is cut.
    void setSmallerRoles(std::vector<TypeRole> roles);
    /// Labels that stand beside each other are set alike: in the size that the longest of them needs.
    void setPeers(std::vector<ElidedLabel*> peers);
    /// Shows nothing instead of a part that is cut: half a number misleads.
    void setWholeOrNothing() { m_isWholeOrNothing = true; }
    /// Of a name the first word is left out before it is cut: of a machine its provider.
    void setFirstWordOptional() { m_isFirstWordOptional = true; }
    /// Whether it is shown shorter than it is.
    [[nodiscard]] bool isCut();
    /// The font that it is set in.
    [[nodiscard]] QFont shownFont();
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();
    [[nodiscard]] bool fitsIn(const QFont& font) const;
    [[nodiscard]] std::size_t neededStep() const;
    [[nodiscard]] QFont fontAt(std::size_t step) const;
    [[nodiscard]] QString cut() const;

    std::vector<TypeRole> m_smaller;
    std::vector<ElidedLabel*> m_peers; // itself among them
    // What fits, laid out once: a label is painted more often than it changes.
    QStaticText m_shown;
    QFont m_chosen;
    QString m_fitted;
    int m_fittedWidth = -1;
    std::size_t m_step = 0; // of the smaller roles, 0 being its own
    bool m_isWholeOrNothing = false;
    bool m_isFirstWordOptional = false;
};

} // namespace outlay::gui
