// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a price book beside the window's work, for it may be large.
#pragma once

#include "pricing/report/catalogs.h"

#include <QObject>
#include <QString>

namespace outlay::gui {

class PriceBookReader final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// `like` has the day and the machine. Of several readings only the last one finishes.
    void read(const QString& path, const pricing::Catalogs& like);

Q_SIGNALS:
    void finished(const QString& path, const outlay::core::Result<outlay::pricing::Catalogs>& read);

private:
    int m_generation = 0;
};

} // namespace outlay::gui
