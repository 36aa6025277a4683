// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/traffic_session.h"

#include "pricing/report/make_report.h"

#include <QFutureWatcher>
#include <QtConcurrentRun>

#include <chrono>

namespace outlay::gui {
namespace {

constexpr std::chrono::milliseconds Pause{250}; // sliders come to rest

using Found = std::optional<pricing::SimulatedService>;

Found simulated(const core::Experiment& experiment, const pricing::Catalogs& catalogs,
                const std::stop_token& stop)
{
    const pricing::Report report = pricing::costsOf(experiment, catalogs);
    if (stop.stop_requested())
        return std::nullopt;
    return pricing::simulateService(experiment, catalogs, report, {}, stop);
}

} // namespace

TrafficSession::TrafficSession(Document& document, QObject* parent)
    : QObject(parent), m_document(document)
{
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &TrafficSession::simulate);
    connect(&document, &Document::changed, this, [this] {
        m_isOld = true;
        await();
    });
}

TrafficSession::~TrafficSession()
{
    m_stop.request_stop();
}

void TrafficSession::setSeen(bool isSeen)
{
    m_isSeen = isSeen;
    if (isSeen)
        return await();
    m_isOld = m_isOld || m_day.isRunning;
    drop();
}

/// What runs, or is about to.
void TrafficSession::drop()
{
    m_pause.stop();
    m_stop.request_stop();
    ++m_generation;
    m_day.isRunning = false;
}

void TrafficSession::await()
{
    if (!m_isSeen || !m_isOld)
        return;
    m_day.isRunning = true;
    m_pause.start(Pause);
}

void TrafficSession::simulate()
{
    m_stop.request_stop();
    m_stop = {};
    m_isOld = false;
    const int generation = ++m_generation;
    auto* watcher = new QFutureWatcher<Found>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, generation] {
        watcher->deleteLater();
        if (generation != m_generation)
            return;
        m_day.isRunning = m_pause.isActive();
        if (Found found = watcher->result())
            m_day.found = std::move(found);
        Q_EMIT changed();
    });
    watcher->setFuture(QtConcurrent::run(simulated, m_document.experiment(), m_document.catalogs(),
                                         m_stop.get_token()));
}

} // namespace outlay::gui
