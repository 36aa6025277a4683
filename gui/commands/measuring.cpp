// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/commands/measuring.h"

#include "core/base/text.h"
#include "core/probe/run_forecast.h"
#include "core/workload/training_work.h"
#include "gui/commands/event_loop.h"
#include "gui/commands/interrupts.h"
#include "gui/session/probe_process.h"
#include "gui/session/settings.h"
#include "gui/view/probe_view.h"

#include <charconv>
#include <ostream>
#include <unistd.h>

namespace outlay::gui {
namespace {

/// One line that is written over, where a person watches.
class ProgressLine {
public:
    /// `steps`: of the whole training run.
    ProgressLine(std::ostream& err, double steps)
        : m_err(err), m_run(steps), m_isTerminal(::isatty(STDERR_FILENO) == 1)
    {
    }

    /// Every step renews the forecast of the run.
    void add(const core::Sample& sample)
    {
        if (sample.phase == core::TrainingPhase)
            m_run.add(sample.seconds);
    }

    void show(const core::Progress& progress)
    {
        if (!m_isTerminal)
            return;
        const QLocale locale(QLocale::English, QLocale::UnitedStates);
        m_err << "\r\x1b[K" << phaseText(progress, locale).toStdString();
        if (const auto seconds = m_run.seconds())
            m_err << "; " << runForecastText(*seconds, locale).toStdString();
        m_err << std::flush;
        m_isShown = true;
    }
    void clear()
    {
        if (m_isShown)
            m_err << "\r\x1b[K" << std::flush;
        m_isShown = false;
    }

private:
    std::ostream& m_err;
    core::RunForecast m_run;
    bool m_isTerminal;
    bool m_isShown = false;
};

/// Runs the event loop until the worker has ended.
ProbeOutcome outcomeOf(const core::Job& job, const Streams& streams)
{
    const EventLoop loop;
    ProbeProcess probe;
    probe.setWorker(storedWorker());
    ProgressLine line(streams.err, core::trainingRun(core::expand(job.model), job.training).steps);
    ProbeOutcome outcome;
    QObject::connect(&probe, &ProbeProcess::progressed, &probe,
                     [&](const core::Progress& progress) { line.show(progress); });
    QObject::connect(&probe, &ProbeProcess::sampled, &probe,
                     [&](const core::Sample& sample) { line.add(sample); });
    QObject::connect(&probe, &ProbeProcess::warned, &probe, [&](const QString& text) {
        line.clear();
        streams.err << "outlay: " << text.toStdString() << '\n';
    });
    QObject::connect(&probe, &ProbeProcess::finished, &probe, [&](const ProbeOutcome& result) {
        outcome = result;
        EventLoop::end();
    });
    QTimer poll;
    QObject::connect(&poll, &QTimer::timeout, &probe, [&] {
        if (Interrupts::wasAsked())
            probe.cancel();
    });
    const Interrupts interrupts;
    poll.start(Interrupts::PollMs);
    probe.start(job);
    EventLoop::run();
    line.clear();
    return outcome;
}

} // namespace

core::Result<double> probeSecondsOf(const std::string& text)
{
    double seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    constexpr double Least = 0.5;
    constexpr double Most = 86400;
    if (error != std::errc{} || end != text.data() + text.size() ||
        !(seconds >= Least && seconds <= Most))
        return core::usageError("--seconds is '" + core::printable(text, 40) + "'",
                                "give a number from 0.5 to 86400");
    return seconds;
}

core::Error cancelledError(const std::string& whatIsLeft)
{
    return {core::ErrorCode::Cancelled, "the measurement was cancelled", whatIsLeft, {}, {}};
}

core::Result<core::Json> measureNow(const core::Job& job, const std::string& file,
                                    const Streams& streams)
{
    const ProbeOutcome outcome = outcomeOf(job, streams);
    // Ctrl+C reaches the worker, too, which may have ended of it before it was asked.
    const bool isInterrupted = Interrupts::wasAsked() && outcome.kind != ProbeOutcome::Kind::Done;
    if (outcome.kind == ProbeOutcome::Kind::Cancelled || isInterrupted)
        return tl::unexpected<core::Error>(cancelledError("nothing was stored"));
    if (outcome.kind == ProbeOutcome::Kind::Failed)
        return tl::unexpected<core::Error>(outcome.error.in(file));
    return outcome.measurement;
}

core::Result<void> storeMeasurements(const core::Experiment& measured,
                                     const std::vector<core::Json>& measurements,
                                     const std::string& from, const std::string& to)
{
    const auto lost = [&](core::Error error) {
        error.code = core::ErrorCode::Measurement;
        error.what = (measurements.size() == 1 ? "the measurement was made, but "
                                               : "the measurements were made, but ") +
                     error.what;
        return tl::unexpected<core::Error>(std::move(error));
    };
    const auto current = core::loadExperiment(from);
    // What somebody is just writing there isn't written over.
    if (!current && from == to)
        return lost(current.error());
    core::Experiment experiment = current ? current->experiment : measured;
    for (const core::Json& measurement : measurements)
        experiment.measurements = experiment.measurements.with(measurement);
    if (const auto saved = core::saveExperiment(experiment, to); !saved)
        return lost(saved.error());
    return {};
}

} // namespace outlay::gui
