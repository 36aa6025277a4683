// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The dashboard and the further pages. Each is made when it is seen first; only the one that is seen
// follows the document.
#pragma once

#include "gui/panels/panel.h"

#include <QStackedWidget>

namespace outlay::gui {

class Dashboard;
class VerdictLine;

class PageStack final : public QStackedWidget {
    Q_OBJECT
public:
    PageStack(const DisplayLocale& locale, QWidget* parent);

    void setInput(const PanelInput& input);

Q_SIGNALS:
    void changeWanted(const std::string& pointer, const outlay::core::Json& value, int drag);
    void patchWanted(const outlay::core::Json& patch, const QString& what);
    void probeWanted();
    void variantsWanted();
    void programWanted();
    void cancelWanted();
    void othersWanted();
    void othersDropped();
    void trackFolderWanted();
    void trackWanted();
    void actualWanted();
    void hostWanted(std::size_t host);
    void hostsWanted();

private:
    void relay(const gui::Panel* panel);
    /// Of a page after the dashboard.
    [[nodiscard]] gui::Panel* panelOf(int page);

    DisplayLocale m_locale;
    VerdictLine* m_verdict;
    Dashboard* m_dashboard;
    std::vector<gui::Panel*> m_panels; // of the pages after the dashboard; null until one is seen
};

} // namespace outlay::gui
