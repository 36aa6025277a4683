// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of the help, which are docs/help/*.md, and which panel each is for.
#pragma once

#include <QString>

#include <vector>

namespace outlay::gui {

struct HelpTopic {
    QString id; // its file without the suffix
    QString title;
    QString place; // the object name of the panel or area; empty for what belongs to none
};

/// In reading order; the first is where a newcomer starts.
[[nodiscard]] const std::vector<HelpTopic>& helpTopics();

/// Null where the place has no page of its own.
[[nodiscard]] const HelpTopic* helpTopicOf(const QString& place);

} // namespace outlay::gui
