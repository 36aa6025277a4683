// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A chart of a ChartModel, with a legend of its own and a table twin (Ctrl+T). The one way to Qt Charts.
#pragma once

#include "gui/view/chart_model.h"

#include <QLocale>
#include <QWidget>

#include <memory>

class QLabel;
class QStackedLayout;

namespace outlay::gui {

class ChartCanvas;
class ChartLegend;
class DataTable;

class Chart final : public QWidget {
    Q_OBJECT
public:
    Chart(const QString& name, const QLocale& locale, QWidget* parent);

    void show(const ChartModel& model);
    [[nodiscard]] const ChartModel& model() const { return m_model; }

    enum class Form { Picture, Table };
    void setForm(Form form);
    void toggleForm();
    [[nodiscard]] Form form() const { return m_form; }

Q_SIGNALS:
    void pointChosen(std::size_t key);

protected:
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void choosePage();

    ChartModel m_model;
    QLocale m_locale;
    Form m_form = Form::Picture;
    QStackedLayout* m_pages = nullptr;
    QWidget* m_picture = nullptr;
    ChartCanvas* m_canvas = nullptr;
    ChartLegend* m_legend = nullptr;
    DataTable* m_table = nullptr;
    QLabel* m_empty = nullptr;
};

} // namespace outlay::gui
