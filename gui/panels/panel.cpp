// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"

namespace outlay::gui {

const std::vector<PanelRow>& dashboardPanels()
{
    static const std::vector<PanelRow> Rows{
        {QStringLiteral("costPanel"), QStringLiteral("Cost breakdown"), makeCostPanel},
        {QStringLiteral("providersPanel"), QStringLiteral("Providers"), makeProvidersPanel},
        {QStringLiteral("efficiencyPanel"), QStringLiteral("Efficiency"), makeEfficiencyPanel},
        {QStringLiteral("resourcesPanel"), QStringLiteral("Resource usage"), makeResourcesPanel},
        {QStringLiteral("carbonPanel"), QStringLiteral("Environment"), makeCarbonPanel},
        {QStringLiteral("advicePanel"), QStringLiteral("What to do next"), makeAdvicePanel},
    };
    return Rows;
}

const std::vector<PanelRow>& pages()
{
    static const std::vector<PanelRow> Rows{
        {QStringLiteral("layersPage"), QStringLiteral("Layers"), makeLayersPanel},
        {QStringLiteral("probePage"), QStringLiteral("Probe"), makeProbePanel},
        {QStringLiteral("offersPage"), QStringLiteral("Providers"), makeOffersPanel},
        {QStringLiteral("scalingPage"), QStringLiteral("Scaling"), makeScalingPanel},
        {QStringLiteral("planPage"), QStringLiteral("Plan"), makePlanPanel},
        {QStringLiteral("comparePage"), QStringLiteral("Compare"), makeComparePanel},
        {QStringLiteral("assumptionsPage"), QStringLiteral("Assumptions"), makeAssumptionsPanel},
    };
    return Rows;
}

} // namespace outlay::gui
