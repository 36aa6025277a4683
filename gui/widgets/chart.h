// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A chart of a ChartModel, with a legend of its own and a table twin (Ctrl+T). The one way to Qt Charts.
#pragma once

#include "gui/view/chart_model.h"
#include "gui/view/display_locale.h"
#include "gui/widgets/twinned.h"

#include <functional>
#include <memory>

class QLabel;
class QStackedLayout;

namespace outlay::gui {

class ChartCanvas;
class ChartLegend;
class DataTable;
class LimitHandle;

class Chart final : public Twinned {
    Q_OBJECT
public:
    Chart(const QString& name, const DisplayLocale& locale, QWidget* parent);

    void show(const ChartModel& model);
    /// What is to be said of a point with this key; while none is near, the chart's description is.
    void setHints(const std::function<QString(std::size_t key)>& hintOf);
    [[nodiscard]] const ChartModel& model() const { return m_model; }

    void setLegendShown(bool isShown);

    enum class Form { Picture, Table };
    void setForm(Form form);
    void toggleForm() override;
    [[nodiscard]] Form form() const { return m_form; }

Q_SIGNALS:
    void pointChosen(std::size_t key);
    /// A movable limit of the model is moved, or removed where there is no value. Those of one drag have
    /// the same number, which is below 0; a key's is 0.
    void limitMoved(std::size_t limit, std::optional<double> at, int drag);

protected:
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void choosePage();
    /// Made when it is wanted first.
    [[nodiscard]] DataTable* table();
    void fillTable();
    void addHandle();
    void placeHandles();
    void moveLimit(std::size_t limit, std::optional<double> at, int drag);
    [[nodiscard]] const ChartAxis& axisOf(const ChartLimit& limit) const;

    ChartModel m_model;
    DisplayLocale m_locale;
    Form m_form = Form::Picture;
    bool m_hasLegend = true;
    QStackedLayout* m_pages = nullptr;
    QWidget* m_picture = nullptr;
    ChartCanvas* m_canvas = nullptr;
    ChartLegend* m_legend = nullptr;
    DataTable* m_table = nullptr; // until it is wanted
    QLabel* m_empty = nullptr;
    std::vector<LimitHandle*> m_handles; // one for each limit, or more
    int m_drag = -1;
};

/// Where there is height for it: each bar has its line of text.
[[nodiscard]] int heightOnPage(const ChartModel& model);

} // namespace outlay::gui
