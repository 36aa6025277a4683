// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/help_topics.h"

#include <algorithm>

namespace outlay::gui {
namespace {

HelpTopic topic(const char16_t* id, const char16_t* title, const char16_t* place)
{
    return {QString::fromUtf16(id), QString::fromUtf16(title), QString::fromUtf16(place)};
}

} // namespace

const std::vector<HelpTopic>& helpTopics()
{
    static const std::vector<HelpTopic> Topics{
        topic(u"start", u"Outlay in a minute", u"topBar"),
        topic(u"figures", u"How to read a figure", u"tiles"),
        topic(u"designer", u"Designer", u"designer"),
        topic(u"cost", u"Cost breakdown", u"costPanel"),
        topic(u"comparison", u"Providers at a glance", u"providersPanel"),
        topic(u"efficiency", u"Efficiency", u"efficiencyPanel"),
        topic(u"resources", u"Resource usage", u"resourcesPanel"),
        topic(u"carbon", u"Environment", u"carbonPanel"),
        topic(u"advice", u"What to do next", u"advicePanel"),
        topic(u"layers", u"Layers", u"layersPage"),
        topic(u"probe", u"Probe", u"probePage"),
        topic(u"offers", u"Providers", u"offersPage"),
        topic(u"scaling", u"Scaling", u"scalingPage"),
        topic(u"plan", u"Plan", u"planPage"),
        topic(u"compare", u"Compare", u"comparePage"),
        topic(u"assumptions", u"Assumptions", u"assumptionsPage"),
        topic(u"files", u"Files", u""),
        topic(u"settings", u"Settings", u"settingsDialog"),
    };
    return Topics;
}

const HelpTopic* helpTopicOf(const QString& place)
{
    const auto& all = helpTopics();
    const auto found = std::find_if(all.begin(), all.end(), [&](const HelpTopic& row) {
        return !place.isEmpty() && row.place == place;
    });
    return found == all.end() ? nullptr : &*found;
}

} // namespace outlay::gui
