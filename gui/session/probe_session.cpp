// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/probe_session.h"

#include "core/workload/training_work.h"
#include "gui/view/edit.h"
#include "gui/view/format.h"

#include <chrono>

namespace outlay::gui {
namespace {

constexpr std::chrono::milliseconds ProbePace{100};

} // namespace

ProbeSession::ProbeSession(Document& document, QObject* parent)
    : QObject(parent), m_document(document)
{
    m_pace.setSingleShot(true);
    m_pace.setInterval(ProbePace);
    const auto note = [this] {
        if (!m_pace.isActive())
            m_pace.start();
    };
    connect(&m_pace, &QTimer::timeout, this, [this] {
        if (m_live)
            Q_EMIT progressed();
    });
    connect(&m_process, &ProbeProcess::progressed, this,
            [this, note](const core::Progress& progress) {
                m_live->progress = progress;
                note();
            });
    connect(&m_process, &ProbeProcess::sampled, this, [this, note](const core::Sample& sample) {
        if (sample.phase != core::TrainingPhase)
            return;
        m_live->run.add(sample.seconds);
        note();
    });
    connect(&m_process, &ProbeProcess::tried, this,
            [this, note](const core::VariantMeasurement& variant) {
                m_live->variants.push_back(variant);
                note();
            });
    connect(&m_process, &ProbeProcess::warned, this, &ProbeSession::warned);
    connect(&m_process, &ProbeProcess::finished, this, &ProbeSession::finish);
    // A measurement belongs to the experiment that it was started for.
    connect(&m_document, &Document::opened, this, [this] {
        m_isOrphaned = isRunning();
        cancel();
    });
}

void ProbeSession::start(double seconds, ProbeScope scope)
{
    if (isRunning())
        return;
    const core::Experiment& experiment = m_document.experiment();
    m_scope = scope;
    m_isOrphaned = false;
    core::Job job = core::jobOf(experiment);
    job.seconds = seconds;
    const core::Training& training = job.training;
    m_live = LiveProbe{
        .run = core::RunForecast(core::trainingRun(core::expand(job.model), training).steps),
        .samplesPerStep = static_cast<double>(training.batch * training.accumulation)};
    if (scope == ProbeScope::WithVariants) {
        job.variants = {"all"};
        job.processes = 2;
        job.lengths = true;
    }
    Q_EMIT started(); // before it can have ended
    m_process.start(job);
}

void ProbeSession::cancel()
{
    if (!isRunning())
        return;
    m_process.cancel();
    m_live->isStopping = true;
    Q_EMIT progressed();
}

void ProbeSession::finish(const ProbeOutcome& outcome)
{
    m_live.reset();
    if (m_isOrphaned) {
        Q_EMIT cancelled();
        return;
    }
    switch (outcome.kind) {
    case ProbeOutcome::Kind::Done: return store(outcome.measurement);
    case ProbeOutcome::Kind::Cancelled: Q_EMIT cancelled(); return;
    case ProbeOutcome::Kind::Failed: break;
    }
    Q_EMIT failed(toQString(outcome.error.sentence()), QString::fromUtf8(outcome.log));
}

void ProbeSession::store(const core::Json& measurement)
{
    const QString cancelledIn = toQString(core::cancelledIn(measurement));
    m_document.replace(withMeasurement(m_document.experiment(), measurement),
                       QStringLiteral("the measurement"));
    Q_EMIT done(cancelledIn);
}

} // namespace outlay::gui
