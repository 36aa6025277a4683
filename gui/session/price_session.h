// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The own price book, read beside the window's work, for it may be large; what is read is in use.
#pragma once

#include "gui/session/document.h"
#include "gui/session/settings.h"

#include <QObject>
#include <QString>

namespace outlay::gui {

class PriceSession final : public QObject {
    Q_OBJECT
public:
    PriceSession(Document& document, Settings& settings, QObject* parent);

    /// Of several books only the last one is used.
    void read(const QString& path);

Q_SIGNALS:
    /// Before the document has them: what was made with the older ones is to be made anew.
    void aboutToUse(const outlay::pricing::Catalogs& catalogs);
    /// The sentence is empty where the price book is in use now.
    void finished(const QString& problem);

private:
    void use(const QString& path, const core::Result<pricing::Catalogs>& read);

    Document& m_document;
    Settings& m_settings;
    int m_generation = 0;
};

} // namespace outlay::gui
