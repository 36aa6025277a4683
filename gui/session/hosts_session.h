// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The machines of the profiles: which there are, whether they answer, and measurements of the document on them.
#pragma once

#include "gui/session/document.h"
#include "gui/session/launcher.h"
#include "gui/view/hosts_view.h"

#include <QTimer>

namespace outlay::gui {

class HostsSession final : public QObject {
    Q_OBJECT
public:
    explicit HostsSession(Document& document, QObject* parent = nullptr);

    /// The profiles, as their folder has them now; what was answered before stays.
    void read();
    [[nodiscard]] bool isRead() const { return m_isRead; }
    /// Asks all of them.
    void check();
    /// One measurement at a time; it becomes part of the document as one step of undo.
    void measure(std::size_t host, double seconds);
    /// Several designs on one machine, which may be one that no profile is of; what is stored there is taken. Each
    /// becomes part of the document as it comes.
    void measureAll(std::vector<core::Job> jobs, const core::Profile& profile);
    void cancel();
    /// Of the jobs that are being measured, or were last.
    [[nodiscard]] const LaunchCounts& counts() const { return m_counts; }
    [[nodiscard]] bool isRunning() const { return m_launcher != nullptr; }
    [[nodiscard]] const HostList& list() const { return m_list; }
    /// What goes on behind a queue is fetched by the next measurement there.
    [[nodiscard]] bool goesOnAlone() const;

Q_SIGNALS:
    void started();
    void changed(); // a few times a second at most
    void over();
    void dropped(); // it was cancelled
    void failed(const QString& sentence);
    void warned(const QString& text);

private:
    void answered(const std::string& host, const core::Result<core::HostFacts>& facts);
    void begin(const core::Profile& profile, std::vector<core::Job> jobs, Reuse reuse);
    void listenTo(Launcher& launcher);
    void store(const core::Json& measurement);
    void finish();

    Document& m_document;
    HostList m_list;
    std::unique_ptr<Launcher> m_launcher;
    LaunchCounts m_counts;
    QTimer m_pace; // collects what comes in a burst
    bool m_isRead = false;
    bool m_hasEnded = false;   // one of its jobs has
    bool m_isOrphaned = false; // its experiment is no longer open
};

} // namespace outlay::gui
