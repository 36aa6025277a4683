// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// An application for compute time as its page shows it, whatever paper that is on.
#pragma once

#include "gui/view/chart_model.h"
#include "gui/view/display_locale.h"
#include "pricing/application/application.h"

#include <QStringList>

namespace outlay::gui {

struct ApplicationView {
    QString title; // "Application for compute time: Text generator"
    QString model;
    QString place;
    QString asked;     // "5,071 SBU"; empty where nothing can be asked for
    QString askedFor;  // the interval, runs, devices; or why there is nothing
    TableData amounts; // a figure a row
    QString measured;  // by what and where, or why nothing is
    TableData scaling;
    QString scalingNote; // what they are as fast as; may be empty
    ChartModel chart;    // times as fast
    TableData needs;
    std::vector<std::pair<QString, QString>> terms; // what, and its value and source
    QString assumptions;                            // settings that nobody gave, as a sentence
    QString foot;

    bool operator==(const ApplicationView&) const = default;
};

[[nodiscard]] ApplicationView makeApplicationView(const pricing::Application& application,
                                                  const DisplayLocale& locale);

/// What there is to choose a centre from: its id, and the words for it. The first is none.
struct CentreChoice {
    std::string id;
    QString title;
    QString note; // on its unit, and where that is from

    bool operator==(const CentreChoice&) const = default;
};
[[nodiscard]] std::vector<CentreChoice> centreChoices();

} // namespace outlay::gui
