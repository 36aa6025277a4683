// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A measurement of the document: what the worker says is collected, and the result becomes part of the
// experiment as one step of undo.
#pragma once

#include "gui/session/document.h"
#include "gui/session/probe_process.h"
#include "gui/view/probe_view.h"

namespace outlay::gui {

/// The design as it is; or also all other ways to run it, which takes minutes.
enum class ProbeScope { Plain, WithVariants };

class ProbeSession final : public QObject {
    Q_OBJECT
public:
    explicit ProbeSession(Document& document, QObject* parent = nullptr);

    void start(double seconds, ProbeScope scope);
    void cancel();
    /// For the measurements that are started from now on.
    void setWorker(const QString& path) { m_process.setWorker(path); }
    /// Of the last one.
    [[nodiscard]] ProbeScope scope() const { return m_scope; }
    [[nodiscard]] bool isRunning() const { return m_process.isRunning(); }
    /// Null while none runs.
    [[nodiscard]] const LiveProbe* live() const { return m_live ? &*m_live : nullptr; }

Q_SIGNALS:
    void started();
    void progressed(); // a few times a second at most
    void warned(const QString& text);
    void done(const QString& cancelledIn); // empty where it ran to its end
    void cancelled();
    void failed(const QString& sentence, const QString& log);

private:
    void finish(const ProbeOutcome& outcome);
    void store(const core::Json& measurement);

    Document& m_document;
    ProbeProcess m_process;
    QTimer m_pace; // collects what comes in a burst
    std::optional<LiveProbe> m_live;
    ProbeScope m_scope = ProbeScope::Plain;
    bool m_isOrphaned = false; // its experiment is no longer open
};

} // namespace outlay::gui
