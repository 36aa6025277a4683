// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Somebody else's price file, read while the window stays free.
#pragma once

#include "pricing/import/import.h"

#include <QObject>
#include <QString>

namespace outlay::gui {

/// What would come into the book, or into the prices of tokens.
struct ReadPrices {
    pricing::PriceImport import;
    pricing::MergeCounts counts;
};

class PriceImporter final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Of several readings only the last one finishes. `book`: what it would be merged into.
    void read(const QString& file, const pricing::ImportOptions& options, const std::string& book);

Q_SIGNALS:
    void finished(const outlay::core::Result<outlay::gui::ReadPrices>& read);

private:
    int m_generation = 0;
};

} // namespace outlay::gui
