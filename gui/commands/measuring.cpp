// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/commands/measuring.h"

#include "core/base/text.h"
#include "core/probe/measurement.h"
#include "core/workload/training_work.h"
#include "gui/probe_process.h"
#include "gui/view/figure_view.h"

#include <QCoreApplication>

#include <charconv>
#include <cmath>
#include <csignal>
#include <ostream>
#include <unistd.h>

namespace outlay::gui {
namespace {

volatile std::sig_atomic_t wasInterrupted = 0;

void interrupt(int)
{
    wasInterrupted = 1;
}

/// One line that is written over, where a person watches.
class ProgressLine {
public:
    /// `steps`: of the whole training run.
    ProgressLine(std::ostream& err, double steps)
        : m_err(err), m_steps(steps), m_isTerminal(::isatty(STDERR_FILENO) == 1)
    {
    }

    /// Every step renews the forecast of the run.
    void add(const core::Sample& sample)
    {
        if (sample.phase == "training")
            m_done.insert(m_done.end(), sample.seconds.begin(), sample.seconds.end());
    }

    void show(const core::Progress& progress)
    {
        if (!m_isTerminal)
            return;
        const double left = std::max(0.0, progress.total - progress.done);
        m_err << "\r\x1b[K" << progress.phase << ", " << progress.steps << " steps, "
              << std::lround(left) << " s left" << runText() << std::flush;
        m_isShown = true;
    }
    void clear()
    {
        if (m_isShown)
            m_err << "\r\x1b[K" << std::flush;
        m_isShown = false;
    }

private:
    [[nodiscard]] std::string runText() const
    {
        constexpr std::size_t Enough = 4;
        if (m_done.size() < Enough)
            return {};
        const double run = core::renewedForecast(m_done, m_steps);
        return "; the whole training takes about " +
               headlineText(run, core::Unit::Seconds,
                            QLocale(QLocale::English, QLocale::UnitedStates))
                   .toStdString();
    }

    std::ostream& m_err;
    double m_steps;
    std::vector<double> m_done;
    bool m_isTerminal;
    bool m_isShown = false;
};

/// Runs the event loop until the worker has ended.
ProbeOutcome outcomeOf(const core::Job& job, const Streams& streams)
{
    int argc = 1;
    std::string name = "outlay";
    char* argv[] = {name.data(), nullptr};
    const QCoreApplication application(argc, argv);
    ProbeProcess probe;
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
        QCoreApplication::quit();
    });
    // A signal handler may do next to nothing; the flag it sets is looked at often enough.
    QTimer poll;
    constexpr int PollMs = 50;
    QObject::connect(&poll, &QTimer::timeout, &probe, [&] {
        if (wasInterrupted != 0)
            probe.cancel();
    });
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
    poll.start(PollMs);
    probe.start(job);
    QCoreApplication::exec();
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

core::Result<core::Json> measureNow(const core::Job& job, const std::string& file,
                                    const Streams& streams)
{
    const ProbeOutcome outcome = outcomeOf(job, streams);
    if (outcome.kind == ProbeOutcome::Kind::Cancelled)
        return tl::unexpected<core::Error>(core::Error{core::ErrorCode::Cancelled,
                                                       "the measurement was cancelled",
                                                       "nothing was stored",
                                                       {},
                                                       {}});
    if (outcome.kind == ProbeOutcome::Kind::Failed)
        return tl::unexpected<core::Error>(outcome.error.in(file));
    core::Json measurement = outcome.measurement;
    measurement.set("created", core::Json(nowUtc()));
    if (const auto read = core::readMeasurement(measurement); !read)
        return tl::unexpected<core::Error>(
            core::Error{core::ErrorCode::Measurement,
                        "the worker's measurement can't be read: " + read.error().what,
                        "use the outlay and the outlay-probe of one version",
                        {},
                        file});
    return measurement;
}

core::Result<void> storeMeasurement(const core::Experiment& measured, const core::Json& measurement,
                                    const std::string& from, const std::string& to)
{
    const auto current = core::loadExperiment(from);
    core::Experiment experiment = current ? current->experiment : measured;
    experiment.measurements.append(measurement);
    const auto saved = core::saveExperiment(experiment, to);
    if (saved)
        return {};
    core::Error error = saved.error();
    error.code = core::ErrorCode::Measurement;
    error.what = "the measurement was made, but " + error.what;
    return tl::unexpected<core::Error>(error);
}

} // namespace outlay::gui
