// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment that is open, its Report, and the baseline. Every change can be undone.
#pragma once

#include "pricing/report/make_report.h"

#include <QObject>
#include <QTimer>
#include <QUndoStack>

#include <memory>
#include <optional>

namespace outlay::gui {

/// All that undo goes back over.
struct DocumentState {
    core::Experiment experiment;
    std::optional<core::Experiment> baseline;

    bool operator==(const DocumentState&) const = default;
};

class Document final : public QObject {
    Q_OBJECT
public:
    /// What lies further back can't be undone: a window that is open all day doesn't grow without end.
    static constexpr int MostUndoSteps = 500;

    Document(pricing::Catalogs catalogs, core::Experiment experiment, QObject* parent = nullptr);

    [[nodiscard]] const core::Experiment& experiment() const { return m_state.experiment; }
    /// Of the experiment as it is.
    [[nodiscard]] const pricing::Report& report();
    /// The same, but in the middle of a drag advice, and growth unless it is seen, may be older, and say so.
    [[nodiscard]] const pricing::Report& figures() const { return m_report; }
    /// Null while no baseline is pinned.
    [[nodiscard]] const pricing::Report* baseline() const;
    [[nodiscard]] const DocumentState& state() const { return m_state; }
    /// The experiment before the last step that may change what it costs; nothing where none has.
    [[nodiscard]] std::optional<core::Experiment> beforeLastChange() const;
    [[nodiscard]] const pricing::Catalogs& catalogs() const { return m_catalogs; }
    [[nodiscard]] QUndoStack& undoStack() { return m_undo; }

    /// Another experiment is opened; what was before can't come back by undo.
    void open(core::Experiment experiment);

    /// Whether somebody looks at how training grows.
    void setGrowthSeen(bool isSeen);

    /// Changes of one drag (a number other than 0) are one step of undo, and wait for what is seen of the figures alone: the
    /// rest follows when the drag rests.
    [[nodiscard]] core::Result<void> set(const std::string& pointer, const core::Json& value,
                                         int drag = 0);
    /// A JSON Patch as one step of undo, all of it or nothing.
    [[nodiscard]] core::Result<void> apply(const core::Json& patch, const QString& what);
    void replace(core::Experiment experiment, const QString& what);

    void pin();
    void togglePin();
    void unpin();

    /// Other prices, say: the Reports are made again, the experiment and its undo stay.
    void setCatalogs(pricing::Catalogs catalogs);

Q_SIGNALS:
    /// The Report is new.
    void changed();
    /// The rest of the Report is new, too.
    void completed();
    /// Another experiment is open; `changed` follows.
    void opened();

private:
    friend class StateCommand;
    using StatePtr = std::shared_ptr<const DocumentState>;

    void push(DocumentState after, const QString& what, int drag = 0);
    enum class Rest { AtOnce, Later };
    void enter(const StatePtr& state, Rest rest = Rest::AtOnce);
    void addGrowth();
    /// Those that are seen, beside the rest as it was.
    void takeFigures();
    [[nodiscard]] core::Result<core::Experiment> patchedSoundly(const core::Json& patch) const;

    pricing::Catalogs m_catalogs;
    DocumentState m_state; // in one place, for who refers to it
    StatePtr m_step;       // the same, as steps of undo share it
    pricing::Report m_report;
    std::optional<pricing::Report> m_baseline;
    QUndoStack m_undo;
    QTimer m_rest; // until a drag is taken to rest
    bool m_isGrowthSeen = false;
};

} // namespace outlay::gui
