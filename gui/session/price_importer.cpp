// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/price_importer.h"

#include "gui/session/price_book_file.h"

#include <QFutureWatcher>
#include <QtConcurrentRun>

namespace outlay::gui {
namespace {

using ImportReading = core::Result<ReadPrices>;

ImportReading readImport(const std::string& file, const pricing::ImportOptions& options,
                         const std::string& path)
{
    if (const auto book = loadUserPrices(path); !book) // before a large file is read
        return core::failureOf(book);
    auto import = pricing::importPrices(file, options);
    if (!import)
        return core::failureOf(import);
    const auto counts = lookAt(*import, path);
    if (!counts)
        return core::failureOf(counts);
    return ReadPrices{std::move(*import), *counts};
}

} // namespace

void PriceImporter::read(const QString& file, const pricing::ImportOptions& options,
                         const std::string& book)
{
    const int generation = ++m_generation;
    auto* watcher = new QFutureWatcher<ImportReading>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, generation] {
        watcher->deleteLater();
        if (generation == m_generation)
            Q_EMIT finished(watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(readImport, file.toStdString(), options, book));
}

} // namespace outlay::gui
