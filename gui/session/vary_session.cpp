// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/vary_session.h"

#include "core/experiment/patch.h"
#include "pricing/report/make_report.h"

#include <algorithm>
#include <cmath>

namespace outlay::gui {

VarySession::VarySession(pricing::Catalogs catalogs, QObject* parent)
    : QObject(parent), m_catalogs(std::move(catalogs))
{
    connect(&m_timer, &QTimer::timeout, this, &VarySession::step);
}

void VarySession::start(core::Experiment experiment, const FormField& field)
{
    m_experiment = std::move(experiment);
    m_pointer = field.pointer;
    m_values = valuesToVary(field);
    m_next = 0;
    m_refused = 0;
    m_points.clear();
    m_renewed = m_values.size(); // nothing was measured since
    m_timer.start(0);            // whenever the window has nothing else to do
}

void VarySession::showMeasured(const core::Measurements& measurements, const std::string& on)
{
    m_experiment.measurements = measurements;
    m_on = on;
    m_renewed = 0;
    m_timer.start(0);
}

std::vector<core::Job> VarySession::missingJobs(double seconds) const
{
    std::vector<core::Job> jobs;
    for (const VaryPoint& point : m_points) {
        const auto changed = at(point.at);
        if (point.measured.isAvailable() || !changed)
            continue;
        core::Job job = core::jobOf(*changed);
        job.seconds = seconds;
        const bool isAsked = std::any_of(jobs.begin(), jobs.end(), [&](const core::Job& other) {
            return core::isSameQuestion({other.model, other.training, other.serving},
                                        {job.model, job.training, job.serving});
        });
        if (!isAsked)
            jobs.push_back(std::move(job));
    }
    return jobs;
}

core::Result<core::Experiment> VarySession::at(double value) const
{
    const core::Json json = value == std::floor(value)
                                ? core::Json(static_cast<std::int64_t>(value))
                                : core::Json(value);
    return core::withValue(m_experiment, m_pointer, json);
}

/// First all values, then again those that may be known better by now.
void VarySession::step()
{
    if (m_next < m_values.size()) {
        const double value = m_values[m_next++];
        if (const auto changed = at(value))
            m_points.push_back(varyPointOf(value, pricing::figuresOf(*changed, m_catalogs), m_on));
        else
            ++m_refused;
    } else if (m_renewed < m_points.size()) {
        VaryPoint& point = m_points[m_renewed++];
        if (const auto changed = at(point.at))
            point = varyPointOf(point.at, pricing::figuresOf(*changed, m_catalogs), m_on);
    } else {
        m_timer.stop();
        Q_EMIT finished();
        return;
    }
    Q_EMIT progressed();
}

} // namespace outlay::gui
