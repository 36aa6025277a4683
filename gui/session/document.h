// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment that is open, its Report, and the baseline. Every change can be undone.
#pragma once

#include "pricing/report/make_report.h"

#include <QObject>
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
    [[nodiscard]] const pricing::Report& report() const { return m_report; }
    /// Null while no baseline is pinned.
    [[nodiscard]] const pricing::Report* baseline() const;
    [[nodiscard]] const DocumentState& state() const { return m_state; }
    /// The experiment before the last step that may change what it costs; nothing where none has.
    [[nodiscard]] std::optional<core::Experiment> beforeLastChange() const;
    [[nodiscard]] const pricing::Catalogs& catalogs() const { return m_catalogs; }
    [[nodiscard]] QUndoStack& undoStack() { return m_undo; }

    /// Another experiment is opened; what was before can't come back by undo.
    void open(core::Experiment experiment);

    /// Changes of one drag (a number other than 0) are one step of undo.
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
    /// Another experiment is open; `changed` follows.
    void opened();

private:
    friend class StateCommand;
    using StatePtr = std::shared_ptr<const DocumentState>;

    void push(DocumentState after, const QString& what, int drag = 0);
    void enter(const StatePtr& state);
    [[nodiscard]] core::Result<core::Experiment> patchedSoundly(const core::Json& patch) const;

    pricing::Catalogs m_catalogs;
    DocumentState m_state; // in one place, for who refers to it
    StatePtr m_step;       // the same, as steps of undo share it
    pricing::Report m_report;
    std::optional<pricing::Report> m_baseline;
    QUndoStack m_undo;
};

} // namespace outlay::gui
