// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/page_stack.h"

#include "gui/window/dashboard.h"

#include <QScrollArea>

namespace outlay::gui {
namespace {

/// A page that scrolls where the window is too small for it, on the window's colour.
QScrollArea* scrolled(QWidget* content, const QString& name, QWidget* parent)
{
    auto* area = new QScrollArea(parent);
    area->setObjectName(name);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(content);
    return area;
}

} // namespace

PageStack::PageStack(const DisplayLocale& locale, QWidget* parent)
    : QStackedWidget(parent), m_dashboard(new Dashboard(locale, this))
{
    addWidget(scrolled(m_dashboard, QStringLiteral("dashboardScroll"), this));
    for (const gui::Panel* panel : m_dashboard->panels())
        relay(panel);
    for (const PanelRow& row : pages()) {
        gui::Panel* panel = row.make(locale, this);
        panel->setObjectName(row.id);
        addWidget(scrolled(panel, row.id + QStringLiteral("Scroll"), this));
        m_panels.push_back(panel);
        relay(panel);
    }
}

void PageStack::relay(const gui::Panel* panel)
{
    connect(panel, &gui::Panel::changeWanted, this, &PageStack::changeWanted);
    connect(panel, &gui::Panel::patchWanted, this, &PageStack::patchWanted);
    connect(panel, &gui::Panel::probeWanted, this, &PageStack::probeWanted);
    connect(panel, &gui::Panel::variantsWanted, this, &PageStack::variantsWanted);
    connect(panel, &gui::Panel::cancelWanted, this, &PageStack::cancelWanted);
    connect(panel, &gui::Panel::othersWanted, this, &PageStack::othersWanted);
    connect(panel, &gui::Panel::othersDropped, this, &PageStack::othersDropped);
}

void PageStack::setInput(const PanelInput& input)
{
    const int page = currentIndex();
    if (page == 0)
        m_dashboard->setInput(input);
    else
        m_panels.at(static_cast<std::size_t>(page - 1))->setInput(input);
}

} // namespace outlay::gui
