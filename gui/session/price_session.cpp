// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/price_session.h"

#include "gui/session/price_book_file.h"
#include "gui/view/format.h"

#include <QFutureWatcher>
#include <QtConcurrentRun>

namespace outlay::gui {
namespace {

using Reading = core::Result<pricing::Catalogs>;

Reading readCatalogs(const std::string& path, const std::string& today,
                     const core::HostMachine& here)
{
    const auto own = loadOwnPrices(path);
    if (!own)
        return core::failureOf(own);
    return pricing::loadCatalogs(today, here, *own);
}

} // namespace

PriceSession::PriceSession(Document& document, Settings& settings, QObject* parent)
    : QObject(parent), m_document(document), m_settings(settings)
{
}

void PriceSession::read(const QString& path)
{
    const int generation = ++m_generation;
    const pricing::Catalogs& like = m_document.catalogs();
    const std::string file = path.isEmpty() ? usualPricesPath() : path.toStdString();
    auto* watcher = new QFutureWatcher<Reading>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, path, generation] {
        watcher->deleteLater();
        if (generation == m_generation)
            use(path, watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(readCatalogs, file, like.today(), like.here()));
}

void PriceSession::use(const QString& path, const core::Result<pricing::Catalogs>& read)
{
    if (!read) {
        Q_EMIT finished(toQString(read.error().sentence()));
        return;
    }
    m_settings.set(setting::priceBook(), path);
    Q_EMIT aboutToUse(*read);
    m_document.setCatalogs(*read);
    Q_EMIT finished({});
}

} // namespace outlay::gui
