// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/worker_check.h"

#include "core/base/text.h"
#include "core/experiment/presets.h"
#include "gui/view/format.h"

#include <chrono>

namespace outlay::gui {
namespace {

constexpr double ShortestSeconds = 0.5;
constexpr std::chrono::seconds LongestSilence{15}; // it loads LibTorch from a slow disk, too

/// A job is asked for; it is cancelled as soon as the worker has said who it is.
core::Job smallJob()
{
    core::Job job{.seconds = ShortestSeconds};
    if (const auto preset = core::preset("mlp"))
        job.model = preset->experiment.model;
    return job;
}

} // namespace

WorkerCheck::WorkerCheck(QObject* parent) : QObject(parent)
{
    m_process.setLongestSilence(LongestSilence);
    connect(&m_process, &ProbeProcess::answered, this, [this](const core::Hello& hello) {
        m_answer = toQString(core::printable(hello.build));
        if (!hello.device.empty())
            m_answer += QStringLiteral(", ") + toQString(core::printable(hello.device));
        m_process.cancel();
    });
    connect(&m_process, &ProbeProcess::finished, this, [this](const ProbeOutcome& outcome) {
        if (!m_answer.isEmpty()) {
            Q_EMIT finished(true, QStringLiteral("It answers: %1.").arg(m_answer));
            return;
        }
        Q_EMIT finished(false, toQString(outcome.error.sentence()));
    });
}

void WorkerCheck::start(const QString& worker)
{
    if (m_process.isRunning())
        return;
    m_answer.clear();
    m_process.setWorker(worker);
    m_process.start(smallJob());
}

} // namespace outlay::gui
