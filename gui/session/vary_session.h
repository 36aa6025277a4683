// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a Report for each value of one field, one in each turn of the event loop: the window stays free.
#pragma once

#include "gui/view/vary_view.h"
#include "pricing/report/catalogs.h"

#include <QObject>
#include <QTimer>

namespace outlay::gui {

class VarySession final : public QObject {
    Q_OBJECT
public:
    VarySession(pricing::Catalogs catalogs, QObject* parent);

    void start(core::Experiment experiment, const FormField& field);
    [[nodiscard]] const std::vector<VaryPoint>& points() const { return m_points; }
    /// Of the values that no experiment can have.
    [[nodiscard]] int refused() const { return m_refused; }

Q_SIGNALS:
    void progressed();
    void finished();

private:
    void step();

    pricing::Catalogs m_catalogs;
    core::Experiment m_experiment;
    std::string m_pointer;
    std::vector<double> m_values;
    std::size_t m_next = 0;
    int m_refused = 0;
    std::vector<VaryPoint> m_points;
    QTimer m_timer;
};

} // namespace outlay::gui
