// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/document.h"

#include "core/experiment/patch.h"
#include "gui/view/field_presentation.h"
#include "pricing/report/known_assumptions.h"
#include "pricing/report/known_names.h"

#include <QUndoCommand>

namespace outlay::gui {

/// From one state to another. Experiments are small: whole values are simpler than differences. Two steps share the one
/// between them.
class StateCommand final : public QUndoCommand {
public:
    StateCommand(Document& document, Document::StatePtr after, const QString& what, int drag)
        : QUndoCommand(what), m_document(document), m_before(document.m_step),
          m_after(std::move(after)), m_drag(drag)
    {
    }

    void redo() override
    {
        using enum Document::Rest;
        m_document.enter(m_after, m_drag == 0 || m_isDone ? AtOnce : Later);
        m_isDone = true;
    }
    void undo() override { m_document.enter(m_before); }
    [[nodiscard]] const DocumentState& before() const { return *m_before; }

    [[nodiscard]] int id() const override { return m_drag == 0 ? -1 : m_drag; }
    bool mergeWith(const QUndoCommand* other) override
    {
        const auto* next = static_cast<const StateCommand*>(other);
        if (next->text() != text())
            return false;
        m_after = next->m_after;
        return true;
    }

private:
    Document& m_document;
    Document::StatePtr m_before;
    Document::StatePtr m_after;
    int m_drag;
    bool m_isDone = false; // a drag that is made again is no drag any more
};

Document::Document(pricing::Catalogs catalogs, core::Experiment experiment, QObject* parent)
    : QObject(parent), m_catalogs(std::move(catalogs))
{
    constexpr int RestMs = 60;
    m_rest.setSingleShot(true);
    m_rest.setInterval(RestMs);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        static_cast<void>(report());
        Q_EMIT completed();
    });
    m_undo.setUndoLimit(MostUndoSteps);
    open(std::move(experiment));
}

const pricing::Report& Document::report()
{
    addGrowth();
    if (m_report.isAdviceOld)
        pricing::addAdvice(m_state.experiment, m_catalogs, m_report);
    return m_report;
}

void Document::addGrowth()
{
    if (m_report.isGrowthOld)
        pricing::addGrowth(m_state.experiment, m_catalogs, m_report);
}

void Document::setGrowthSeen(bool isSeen)
{
    m_isGrowthSeen = isSeen;
    if (isSeen)
        addGrowth();
}

const pricing::Report* Document::baseline() const
{
    return m_baseline ? &*m_baseline : nullptr;
}

std::optional<core::Experiment> Document::beforeLastChange() const
{
    // Names, notes and quality cost nothing.
    const auto costsTheSame = [this](core::Experiment other) {
        other.name = m_state.experiment.name;
        other.notes = m_state.experiment.notes;
        other.quality = m_state.experiment.quality;
        return other == m_state.experiment;
    };
    for (int i = m_undo.index() - 1; i >= 0; --i) {
        const auto* step = static_cast<const StateCommand*>(m_undo.command(i));
        if (!costsTheSame(step->before().experiment))
            return step->before().experiment;
    }
    return std::nullopt;
}

void Document::open(core::Experiment experiment)
{
    m_undo.clear();
    Q_EMIT opened();
    enter(
        std::make_shared<const DocumentState>(DocumentState{std::move(experiment), std::nullopt}));
}

core::Result<core::Experiment> Document::patchedSoundly(const core::Json& patch) const
{
    const core::Experiment& now = m_state.experiment;
    auto experiment = core::edited(now, patch);
    if (!experiment)
        return experiment;
    // A file may name what nobody knows any more, or assume what makes no sense; an edit may not add to it.
    if (experiment->plan != now.plan || experiment->site != now.site) {
        if (const auto known = pricing::checkNames(*experiment, m_catalogs);
            !known && pricing::checkNames(now, m_catalogs))
            return core::failureOf(known);
    }
    if (experiment->assumptions != now.assumptions) {
        if (const auto sound = pricing::checkAssumptions(*experiment);
            !sound && pricing::checkAssumptions(now))
            return core::failureOf(sound);
    }
    return experiment;
}

core::Result<void> Document::set(const std::string& pointer, const core::Json& value, int drag)
{
    auto experiment = patchedSoundly(core::Json::Array{core::setting(pointer, value)});
    if (!experiment)
        return core::failureOf(experiment);
    if (*experiment == m_state.experiment)
        return {};
    const std::string_view key = std::string_view(pointer).substr(pointer.rfind('/') + 1);
    push({std::move(*experiment), m_state.baseline}, nameOf(key).label.toLower(), drag);
    return {};
}

core::Result<void> Document::apply(const core::Json& patch, const QString& what)
{
    auto experiment = patchedSoundly(patch);
    if (!experiment)
        return core::failureOf(experiment);
    if (*experiment != m_state.experiment)
        replace(std::move(*experiment), what);
    return {};
}

void Document::replace(core::Experiment experiment, const QString& what)
{
    push({std::move(experiment), m_state.baseline}, what);
}

void Document::pin()
{
    push({m_state.experiment, m_state.experiment}, QStringLiteral("pin the baseline"));
}

void Document::togglePin()
{
    if (m_state.baseline)
        unpin();
    else
        pin();
}

void Document::unpin()
{
    push({m_state.experiment, std::nullopt}, QStringLiteral("unpin the baseline"));
}

void Document::setCatalogs(pricing::Catalogs catalogs)
{
    m_catalogs = std::move(catalogs);
    if (m_state.baseline)
        m_baseline = pricing::makeReport(*m_state.baseline, m_catalogs);
    enter(m_step);
}

void Document::push(DocumentState after, const QString& what, int drag)
{
    m_undo.push(new StateCommand(*this, std::make_shared<const DocumentState>(std::move(after)),
                                 what, drag));
}

void Document::enter(const StatePtr& state, Rest rest)
{
    if (state->baseline != m_state.baseline) {
        m_baseline.reset();
        if (state->baseline)
            m_baseline = pricing::makeReport(*state->baseline, m_catalogs);
    }
    m_step = state;
    m_state = *state;
    m_rest.stop();
    if (rest == Rest::Later)
        takeFigures();
    else
        m_report = pricing::makeReport(m_state.experiment, m_catalogs);
    Q_EMIT changed();
    if (rest == Rest::Later) // once it is drawn
        m_rest.start();
}

void Document::takeFigures()
{
    using enum pricing::Growth;
    auto advice = std::move(m_report.advice);
    auto scaling = std::move(m_report.scaling);
    m_report = pricing::figuresOf(m_state.experiment, m_catalogs, m_isGrowthSeen ? Told : Untold);
    m_report.advice = std::move(advice);
    m_report.isAdviceOld = true;
    if (m_isGrowthSeen)
        return;
    m_report.scaling = std::move(scaling);
    m_report.isGrowthOld = true;
}

} // namespace outlay::gui
