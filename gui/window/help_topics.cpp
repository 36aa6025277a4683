// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/help_topics.h"

#include "gui/panels/panel.h"

#include <QFile>

#include <algorithm>

// Resources of a static library are linked only if somebody asks; the macro wants the global scope.
static void initHelp()
{
    Q_INIT_RESOURCE(help);
}

namespace outlay::gui {
namespace {

/// The page's heading is its title.
HelpTopic topic(const QString& id, const QString& place)
{
    QFile page(QStringLiteral(":/help/%1.md").arg(id));
    const QByteArray heading = page.open(QIODevice::ReadOnly) ? page.readLine() : QByteArray();
    return {id, QString::fromUtf8(heading).mid(2).trimmed(), place};
}

std::vector<HelpTopic> makeTopics()
{
    initHelp();
    std::vector<HelpTopic> topics{
        topic(QStringLiteral("start"), QStringLiteral("topBar")),
        topic(QStringLiteral("figures"), QStringLiteral("tiles")),
        topic(QStringLiteral("designer"), QStringLiteral("designer")),
    };
    for (const auto* rows : {&dashboardPanels(), &pages()}) {
        for (const PanelRow& row : *rows)
            topics.push_back(topic(row.help, row.id));
    }
    topics.push_back(topic(QStringLiteral("files"), QString()));
    topics.push_back(topic(QStringLiteral("application"), QStringLiteral("applicationDialog")));
    topics.push_back(topic(QStringLiteral("settings"), QStringLiteral("settingsDialog")));
    return topics;
}

} // namespace

const std::vector<HelpTopic>& helpTopics()
{
    static const std::vector<HelpTopic> Topics = makeTopics();
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
