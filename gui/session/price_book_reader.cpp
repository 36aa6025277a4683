// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/price_book_reader.h"

#include "gui/session/price_book_file.h"

#include <QFutureWatcher>
#include <QtConcurrentRun>

namespace outlay::gui {
namespace {

using Reading = core::Result<pricing::Catalogs>;

Reading readCatalogs(const std::string& path, const std::string& today,
                     const core::HostMachine& here)
{
    const auto user = loadUserPrices(path);
    if (!user)
        return core::failureOf(user);
    return pricing::loadCatalogs(today, here, *user);
}

} // namespace

void PriceBookReader::read(const QString& path, const pricing::Catalogs& like)
{
    const int generation = ++m_generation;
    const std::string file = path.isEmpty() ? usualPricesPath() : path.toStdString();
    auto* watcher = new QFutureWatcher<Reading>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, path, generation] {
        watcher->deleteLater();
        if (generation == m_generation)
            Q_EMIT finished(path, watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(readCatalogs, file, like.today(), like.here()));
}

} // namespace outlay::gui
