// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/advice_list.h"

#include "gui/style/flat_style.h"
#include "gui/style/tokens.h"
#include "gui/widgets/labels.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace outlay::gui {

namespace {

constexpr int DenseRow = size::Wide;
constexpr int DenseRows = 6;

} // namespace

class AdviceList::Row final : public QWidget {
public:
    Row(std::size_t index, QWidget* parent)
        : QWidget(parent), m_title(new ElidedLabel(TypeRole::Secondary, this)),
          m_saving(new ElidedLabel(TypeRole::Axis, this)),
          m_apply(new QPushButton(QStringLiteral("Apply"), this)), m_words(new QVBoxLayout)
    {
        m_title->setSmallerRoles({TypeRole::Axis});
        m_saving->setForegroundRole(SecondaryText);
        m_apply->setObjectName(QStringLiteral("applyAdvice%1").arg(index));
        m_apply->setFont(fontOf(TypeRole::Secondary));
        m_words->setSpacing(0);
        m_words->addWidget(m_title, 1);
        m_words->addWidget(m_saving);
        auto* layout = new QHBoxLayout(this);
        layout->setContentsMargins(0, 0, size::Tiny, 0);
        layout->setSpacing(size::Tiny);
        layout->addLayout(m_words, 1);
        layout->addWidget(m_apply);
    }

    void show(const AdviceItem& item)
    {
        m_title->setWholeText(item.number + QStringLiteral("  ") + item.parts);
        m_whole = item.category + QStringLiteral(": ") + item.saving;
        m_share = item.share;
        showSaving();
        // What no setting changes is for a program: there its code is what can be taken.
        const QString action =
            item.canBeApplied() ? QStringLiteral("Apply") : QStringLiteral("Copy code");
        m_apply->setText(action);
        m_apply->setAccessibleName(action + QStringLiteral(": ") + item.title);
        m_apply->setVisible(item.canBeApplied() || !item.copied.isEmpty());
        QStringList hint{m_whole, item.why};
        if (!item.code.isEmpty())
            hint << QString() << item.code;
        setToolTip(hint.join(QLatin1Char('\n')));
        setVisible(true);
    }

    void setDense(bool isDense)
    {
        m_isDense = isDense;
        m_words->setDirection(isDense ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
        m_words->setSpacing(isDense ? size::Tiny : 0);
        setCompactButton(m_apply, isDense);
        showSaving();
    }

    [[nodiscard]] QPushButton* button() const { return m_apply; }

private:
    void showSaving()
    {
        m_saving->setWholeText(m_isDense ? m_share : m_whole);
        m_saving->setSizePolicy(m_isDense ? QSizePolicy::Fixed : QSizePolicy::Ignored,
                                QSizePolicy::Fixed);
    }

    ElidedLabel* m_title;
    ElidedLabel* m_saving;
    QPushButton* m_apply;
    QBoxLayout* m_words;
    QString m_whole;
    QString m_share;
    bool m_isDense = false;
};

AdviceList::AdviceList(const QString& name, QWidget* parent)
    : QScrollArea(parent), m_body(new QWidget(this))
{
    setObjectName(name);
    setAccessibleName(QStringLiteral("Changes that save"));
    setFrameShape(NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus); // its buttons have it, and scroll it
    viewport()->setBackgroundRole(QPalette::Base);
    m_body->setBackgroundRole(QPalette::Base);
    auto* layout = new QVBoxLayout(m_body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(size::Tiny);
    layout->addStretch(1);
    setWidget(m_body);
}

void AdviceList::show(const std::vector<AdviceItem>& items)
{
    if (items == m_items)
        return;
    m_items = items;
    resizeRows(items.size());
    fitHeight();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (i < items.size())
            m_rows[i]->show(items[i]);
        else
            m_rows[i]->setVisible(false);
    }
    showWholeRows();
}

void AdviceList::setDense(bool isDense)
{
    if (isDense == m_isDense)
        return;
    m_isDense = isDense;
    m_body->layout()->setSpacing(isDense ? 0 : size::Tiny);
    for (Row* row : m_rows)
        row->setDense(isDense);
    fitHeight();
    showWholeRows();
}

/// Dense rows leave what they don't need to the chart.
void AdviceList::fitHeight()
{
    setMaximumHeight(m_isDense ? minimumSizeHint().height() : QWIDGETSIZE_MAX);
    updateGeometry();
}

void AdviceList::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    showWholeRows();
}

/// The last row that is seen isn't cut: what is left of the height stays free.
void AdviceList::showWholeRows()
{
    if (m_rows.empty())
        return;
    const int spacing = m_body->layout()->spacing();
    const int each = m_rows.front()->sizeHint().height() + spacing;
    const int whole = std::max(1, (height() + spacing) / each) * each - spacing;
    setViewportMargins(0, 0, 0, std::max(0, height() - whole));
}

void AdviceList::resizeRows(std::size_t count)
{
    auto* layout = static_cast<QVBoxLayout*>(m_body->layout());
    while (m_rows.size() < count) {
        const std::size_t index = m_rows.size();
        auto* row = new Row(index, m_body);
        row->setDense(m_isDense);
        connect(row->button(), &QPushButton::clicked, this, [this, index] { act(index); });
        layout->insertWidget(static_cast<int>(index), row);
        m_rows.push_back(row);
    }
}

void AdviceList::act(std::size_t index)
{
    const AdviceItem& item = m_items.at(index);
    if (item.canBeApplied())
        Q_EMIT applied(index);
    else
        QGuiApplication::clipboard()->setText(item.copied);
}

QSize AdviceList::minimumSizeHint() const
{
    if (!m_isDense)
        return {size::LeastTile, size::Control + size::Small}; // a row; the others are scrolled to
    const int rows = std::clamp(static_cast<int>(m_items.size()), 1, DenseRows);
    return {size::LeastTile, rows * DenseRow};
}

} // namespace outlay::gui
