// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Simulates a day of the document's service while somebody looks, a moment after the last change.
#pragma once

#include "gui/session/document.h"
#include "gui/view/traffic_view.h"

#include <QObject>
#include <QTimer>

#include <stop_token>

namespace outlay::gui {

class TrafficSession final : public QObject {
    Q_OBJECT
public:
    explicit TrafficSession(Document& document, QObject* parent = nullptr);
    ~TrafficSession() override;

    /// Whether its page is shown.
    void setSeen(bool isSeen);
    [[nodiscard]] const TrafficDay& day() const { return m_day; }

Q_SIGNALS:
    void changed();

private:
    void await();
    void drop();
    void simulate();

    Document& m_document;
    TrafficDay m_day;
    QTimer m_pause;
    std::stop_source m_stop; // of the one that runs
    int m_generation = 0;
    bool m_isSeen = false;
    bool m_isOld = true; // the document has changed since
};

} // namespace outlay::gui
