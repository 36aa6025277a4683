// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the window knows of its panels and pages. A new one is a view, a file here, its maker below and
// a row in panel.cpp.
#pragma once

#include "gui/view/display_locale.h"
#include "gui/view/hosts_view.h"
#include "gui/view/probe_view.h"
#include "gui/view/program_view.h"
#include "gui/view/track_view.h"
#include "gui/view/traffic_view.h"
#include "gui/widgets/card.h"
#include "pricing/report/compare/comparison.h"

#include <span>

namespace outlay::gui {

/// All that a panel may show. References live as long as the call.
struct PanelInput {
    const core::Experiment& experiment;
    const pricing::Report& report;
    const pricing::Report* baseline = nullptr;                // while one is pinned
    const LiveProbe* live = nullptr;                          // while a worker runs
    const pricing::Catalogs* catalogs = nullptr;              // without them no offer can be named
    const std::vector<pricing::Compared>* compared = nullptr; // other experiments
    const LiveProgram* program = nullptr;                     // while one is measured
    const TrackFolder* track = nullptr;                       // what runs took
    const HostList* hosts = nullptr;                          // other machines
    const TrafficDay* traffic = nullptr;                      // of the service, simulated
};

/// Builds its widgets once; `setInput` makes the view and assigns it.
class Panel : public Card {
    Q_OBJECT
public:
    using Card::Card;

    virtual void setInput(const PanelInput& input) = 0;

Q_SIGNALS:
    /// Those of one drag have the same number other than 0, and are one step of undo.
    void changeWanted(const std::string& pointer, const outlay::core::Json& value, int drag = 0);
    /// A JSON Patch on the experiment; `what` names it for undo.
    void patchWanted(const outlay::core::Json& patch, const QString& what);
    void probeWanted();
    void variantsWanted(); // a probe of the other ways to run the design, too
    void programWanted();  // a measurement of somebody's own program
    /// Other experiments to compare with; and none of them any more.
    void othersWanted();
    void othersDropped();
    void cancelWanted();
    /// Another folder of experiments; the same read again; a run attached to the open one.
    void trackFolderWanted();
    void trackWanted();
    void actualWanted();
    /// A measurement on one of the hosts; all of them asked again.
    void hostWanted(std::size_t host);
    void hostsWanted();
};

struct PanelRow {
    QString id; // its object name
    QString title;
    QString help; // docs/help/NAME.md
    Panel* (*make)(const DisplayLocale& locale, QWidget* parent);
};

/// The dashboard's panels, in reading order.
[[nodiscard]] const std::vector<PanelRow>& dashboardPanels();
/// The further pages, in the order of their keys.
[[nodiscard]] const std::vector<PanelRow>& pages();

[[nodiscard]] Panel* makeCostPanel(const DisplayLocale& locale, QWidget* parent);
[[nodiscard]] Panel* makeProvidersPanel(const DisplayLocale& locale, QWidget* parent);
[[nodiscard]] Panel* makeEfficiencyPanel(const DisplayLocale& locale, QWidget* parent);
[[nodiscard]] Panel* makeResourcesPanel(const DisplayLocale& locale, QWidget* parent);
[[nodiscard]] Panel* makeCarbonPanel(const DisplayLocale& locale, QWidget* parent);
[[nodiscard]] Panel* makeAdvicePanel(const DisplayLocale& locale, QWidget* parent);
[[nodiscard]] Panel* makeMemoryPanel(const DisplayLocale& locale, QWidget* parent);
[[nodiscard]] Panel* makeWorkPanel(const DisplayLocale& locale, QWidget* parent);
[[nodiscard]] Panel* makeWeightsPanel(const DisplayLocale& locale, QWidget* parent);
[[nodiscard]] Panel* makeOffersPanel(const DisplayLocale& locale, QWidget* parent);
[[nodiscard]] Panel* makeScalingPanel(const DisplayLocale& locale, QWidget* parent);
[[nodiscard]] Panel* makePlanPanel(const DisplayLocale& locale, QWidget* parent);
[[nodiscard]] Panel* makeComparePanel(const DisplayLocale& locale, QWidget* parent);
[[nodiscard]] Panel* makeLayersPanel(const DisplayLocale& locale, QWidget* parent);
[[nodiscard]] Panel* makeProbePanel(const DisplayLocale& locale, QWidget* parent);
[[nodiscard]] Panel* makeTrackPanel(const DisplayLocale& locale, QWidget* parent);
[[nodiscard]] Panel* makeHostsPanel(const DisplayLocale& locale, QWidget* parent);
[[nodiscard]] Panel* makeAssumptionsPanel(const DisplayLocale& locale, QWidget* parent);

} // namespace outlay::gui
