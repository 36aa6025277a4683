// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/page_stack.h"

#include "gui/panels/dashboard.h"

#include "gui/style/tokens.h"

#include <QScrollArea>
#include <QVBoxLayout>

namespace outlay::gui {
namespace {

/// A page that scrolls where the window is too small for it, on the window's colour.
QScrollArea* makeScrollArea(const QString& name, QWidget* parent)
{
    auto* area = new QScrollArea(parent);
    area->setObjectName(name);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

} // namespace

PageStack::PageStack(const DisplayLocale& locale, QWidget* parent)
    : QStackedWidget(parent), m_locale(locale), m_verdict(new VerdictLine(locale, this)),
      m_dashboard(new Dashboard(locale, this)), m_panels(pages().size(), nullptr)
{
    QScrollArea* dashboard = makeScrollArea(QStringLiteral("dashboardScroll"), this);
    auto* page = new QWidget(dashboard);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(size::Medium);
    layout->addWidget(m_verdict);
    layout->addWidget(m_dashboard, 1);
    dashboard->setWidget(page);
    addWidget(dashboard);
    for (const gui::Panel* panel : m_dashboard->panels())
        relay(panel);
    for (const PanelRow& row : pages())
        addWidget(makeScrollArea(row.id + QStringLiteral("Scroll"), this));
}

gui::Panel* PageStack::panelOf(int page)
{
    const auto index = static_cast<std::size_t>(page - 1);
    if (gui::Panel* made = m_panels.at(index))
        return made;
    const PanelRow& row = pages()[index];
    gui::Panel* panel = row.make(m_locale, this);
    panel->setObjectName(row.id);
    m_panels[index] = panel;
    static_cast<QScrollArea*>(widget(page))->setWidget(panel);
    relay(panel);
    return panel;
}

void PageStack::relay(const gui::Panel* panel)
{
    connect(panel, &gui::Panel::changeWanted, this, &PageStack::changeWanted);
    connect(panel, &gui::Panel::patchWanted, this, &PageStack::patchWanted);
    connect(panel, &gui::Panel::probeWanted, this, &PageStack::probeWanted);
    connect(panel, &gui::Panel::variantsWanted, this, &PageStack::variantsWanted);
    connect(panel, &gui::Panel::programWanted, this, &PageStack::programWanted);
    connect(panel, &gui::Panel::cancelWanted, this, &PageStack::cancelWanted);
    connect(panel, &gui::Panel::othersWanted, this, &PageStack::othersWanted);
    connect(panel, &gui::Panel::othersDropped, this, &PageStack::othersDropped);
    connect(panel, &gui::Panel::trackFolderWanted, this, &PageStack::trackFolderWanted);
    connect(panel, &gui::Panel::trackWanted, this, &PageStack::trackWanted);
    connect(panel, &gui::Panel::actualWanted, this, &PageStack::actualWanted);
    connect(panel, &gui::Panel::hostWanted, this, &PageStack::hostWanted);
    connect(panel, &gui::Panel::hostsWanted, this, &PageStack::hostsWanted);
}

void PageStack::setInput(const PanelInput& input)
{
    const int page = currentIndex();
    if (page != 0)
        return panelOf(page)->setInput(input);
    m_verdict->setInput(input);
    m_dashboard->setInput(input);
}

} // namespace outlay::gui
