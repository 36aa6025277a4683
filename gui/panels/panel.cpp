// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"

namespace outlay::gui {

const std::vector<PanelRow>& dashboardPanels()
{
    static const std::vector<PanelRow> Rows{
        {QStringLiteral("costPanel"), QStringLiteral("Cost breakdown"), QStringLiteral("cost"),
         makeCostPanel},
        {QStringLiteral("providersPanel"), QStringLiteral("Providers"),
         QStringLiteral("comparison"), makeProvidersPanel},
        {QStringLiteral("efficiencyPanel"), QStringLiteral("Efficiency"),
         QStringLiteral("efficiency"), makeEfficiencyPanel},
        {QStringLiteral("resourcesPanel"), QStringLiteral("Resource usage"),
         QStringLiteral("resources"), makeResourcesPanel},
        {QStringLiteral("carbonPanel"), QStringLiteral("Environment"), QStringLiteral("carbon"),
         makeCarbonPanel},
        {QStringLiteral("advicePanel"), QStringLiteral("What to do next"), QStringLiteral("advice"),
         makeAdvicePanel},
    };
    return Rows;
}

const std::vector<PanelRow>& pages()
{
    static const std::vector<PanelRow> Rows{
        {QStringLiteral("layersPage"), QStringLiteral("Layers"), QStringLiteral("layers"),
         makeLayersPanel},
        {QStringLiteral("probePage"), QStringLiteral("Probe"), QStringLiteral("probe"),
         makeProbePanel},
        {QStringLiteral("offersPage"), QStringLiteral("Providers"), QStringLiteral("offers"),
         makeOffersPanel},
        {QStringLiteral("scalingPage"), QStringLiteral("Scaling"), QStringLiteral("scaling"),
         makeScalingPanel},
        {QStringLiteral("planPage"), QStringLiteral("Plan"), QStringLiteral("plan"), makePlanPanel},
        {QStringLiteral("comparePage"), QStringLiteral("Compare"), QStringLiteral("compare"),
         makeComparePanel},
        {QStringLiteral("assumptionsPage"), QStringLiteral("Assumptions"),
         QStringLiteral("assumptions"), makeAssumptionsPanel},
        {QStringLiteral("trackPage"), QStringLiteral("Track record"), QStringLiteral("track"),
         makeTrackPanel},
        {QStringLiteral("hostsPage"), QStringLiteral("Hosts"), QStringLiteral("hosts"),
         makeHostsPanel},
    };
    return Rows;
}

} // namespace outlay::gui
