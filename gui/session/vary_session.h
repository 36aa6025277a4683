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
    /// What was measured since, and on which host it is of interest (empty: this machine).
    void showMeasured(const core::Measurements& measurements, const std::string& on);
    [[nodiscard]] const core::Measurements& measurements() const
    {
        return m_experiment.measurements;
    }
    /// Of the values that weren't measured there, as a worker is asked for them: once for all that ask the same.
    [[nodiscard]] std::vector<core::Job> missingJobs(double seconds) const;
    [[nodiscard]] const std::vector<VaryPoint>& points() const { return m_points; }
    /// Whether each value has its point, or can't have one.
    [[nodiscard]] bool isComplete() const { return m_next >= m_values.size(); }
    /// Of the values that no experiment can have.
    [[nodiscard]] int refused() const { return m_refused; }

Q_SIGNALS:
    void progressed();
    void finished();

private:
    void step();
    [[nodiscard]] core::Result<core::Experiment> at(double value) const;

    pricing::Catalogs m_catalogs;
    core::Experiment m_experiment;
    std::string m_pointer;
    std::vector<double> m_values;
    std::size_t m_next = 0;
    std::size_t m_renewed = 0; // of the points, since something was measured
    std::string m_on;
    int m_refused = 0;
    std::vector<VaryPoint> m_points;
    QTimer m_timer;
};

} // namespace outlay::gui
