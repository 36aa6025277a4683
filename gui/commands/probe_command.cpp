// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/experiment/experiment.h"
#include "core/probe/measurement.h"
#include "gui/commands/output_file.h"
#include "gui/probe_process.h"
#include "gui/view/measurement_text.h"

#include <QCoreApplication>

#include <charconv>
#include <cmath>
#include <csignal>
#include <ostream>
#include <unistd.h>

namespace outlay::gui {
namespace {

constexpr Option SecondsOption{"--seconds", "S",
                               "time that the measurement may take (default: 10)"};
constexpr Option DeviceOption{"--device", "cpu|cuda", "where to measure (default: cpu)"};
constexpr Option StoreOption{"-o", "FILE", "store the measurement in a copy of the experiment"};
constexpr Option JsonOption{"--json", "", "print the measurement as JSON"};

volatile std::sig_atomic_t wasInterrupted = 0;

void interrupt(int)
{
    wasInterrupted = 1;
}

core::Result<double> secondsOf(const Arguments& arguments)
{
    const std::string text = arguments.value(SecondsOption.name).value_or("10");
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

core::Result<core::Device> deviceOf(const Arguments& arguments)
{
    const std::string name = arguments.value(DeviceOption.name).value_or("cpu");
    for (std::size_t i = 0; i < core::DeviceNames.size(); ++i) {
        if (core::DeviceNames.at(i) == name)
            return static_cast<core::Device>(i);
    }
    return core::usageError("there is no device '" + core::printable(name, 40) + "'",
                            "give cpu or cuda");
}

/// One line that is written over, where a person watches.
class ProgressLine {
public:
    explicit ProgressLine(std::ostream& err)
        : m_err(err), m_isTerminal(::isatty(STDERR_FILENO) == 1)
    {
    }

    void show(const core::Progress& progress)
    {
        if (!m_isTerminal)
            return;
        const double left = std::max(0.0, progress.total - progress.done);
        m_err << "\r\x1b[K" << progress.phase << ", " << progress.steps << " steps, "
              << std::lround(left) << " s left" << std::flush;
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
    bool m_isTerminal;
    bool m_isShown = false;
};

/// Runs the event loop until the worker has ended.
ProbeOutcome measure(const core::Job& job, const Streams& streams)
{
    int argc = 1;
    std::string name = "outlay";
    char* argv[] = {name.data(), nullptr};
    const QCoreApplication application(argc, argv);
    ProbeProcess probe;
    ProgressLine line(streams.err);
    ProbeOutcome outcome;
    QObject::connect(&probe, &ProbeProcess::progressed, &probe,
                     [&](const core::Progress& progress) { line.show(progress); });
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

/// Appends to the file as it is now: it may have been changed while the worker ran.
core::Result<void> store(const core::Experiment& measured, const core::Json& measurement,
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

core::Result<void> run(const Arguments& arguments, const Streams& streams)
{
    const std::string& file = arguments.files().front();
    auto reading = core::loadExperiment(file);
    if (!reading)
        return core::failureOf(reading);
    warn(streams, file, reading->warnings);
    const core::Experiment& experiment = reading->experiment;
    const auto seconds = secondsOf(arguments);
    if (!seconds)
        return core::failureOf(seconds);
    const auto device = deviceOf(arguments);
    if (!device)
        return core::failureOf(device);
    const ProbeOutcome outcome = measure({.model = experiment.model,
                                          .training = experiment.training,
                                          .serving = experiment.serving,
                                          .seconds = *seconds,
                                          .device = *device},
                                         streams);
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
    const auto read = core::readMeasurement(measurement);
    if (!read)
        return tl::unexpected<core::Error>(
            core::Error{core::ErrorCode::Measurement,
                        "the worker's measurement can't be read: " + read.error().what,
                        "use the outlay and the outlay-probe of one version",
                        {},
                        file});
    const std::string target = arguments.value(StoreOption.name).value_or(file);
    if (auto stored = store(experiment, measurement, file, target); !stored)
        return stored;
    if (arguments.has(JsonOption.name))
        streams.out << core::writeJson(measurement) << '\n';
    else
        streams.out << makeMeasurementText(*read, QLocale(QLocale::English, QLocale::UnitedStates))
                           .toStdString();
    return {};
}

} // namespace

Command probeCommand()
{
    return {{.name = "probe",
             .synopsis = "FILE [--seconds S] [--device cpu|cuda] [-o FILE] [--json]",
             .summary =
                 "Measures a design on this machine and stores the measurement in its experiment.",
             .options = {SecondsOption, DeviceOption, StoreOption, JsonOption},
             .leastFiles = 1,
             .mostFiles = 1},
            run};
}

} // namespace outlay::gui
