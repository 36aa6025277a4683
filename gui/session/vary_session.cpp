// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/vary_session.h"

#include "core/experiment/patch.h"
#include "pricing/report/make_report.h"

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
    m_timer.start(0); // whenever the window has nothing else to do
}

void VarySession::step()
{
    if (m_next >= m_values.size()) {
        m_timer.stop();
        Q_EMIT finished();
        return;
    }
    const double value = m_values[m_next++];
    const core::Json json = value == std::floor(value)
                                ? core::Json(static_cast<std::int64_t>(value))
                                : core::Json(value);
    if (const auto changed = core::withValue(m_experiment, m_pointer, json))
        m_points.push_back(varyPointOf(value, pricing::figuresOf(*changed, m_catalogs)));
    else
        ++m_refused;
    Q_EMIT progressed();
}

} // namespace outlay::gui
