// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// "Import prices": a price file is looked at, and comes into the own book when the person says so. Nothing is fetched:
// public lists are named with the line that a person runs.
#pragma once

#include "gui/session/price_importer.h"
#include "gui/view/display_locale.h"
#include "pricing/report/catalogs.h"

#include <QDialog>

#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;

namespace outlay::gui {

class SettingForm;
class SettingNote;
class TitledTable;

class ImportDialog final : public QDialog {
    Q_OBJECT
public:
    /// `path`: of the own book.
    ImportDialog(std::string path, const pricing::Catalogs& catalogs, const DisplayLocale& locale,
                 QWidget* parent);

    void look(const QString& file);

Q_SIGNALS:
    void merged();

private:
    void buildFile();
    void buildSources(const pricing::Catalogs& catalogs);
    void buildPreview();
    void choose();
    void readAgain();
    void show(const core::Result<ReadPrices>& read);
    void mergeNow();
    void showSource();

    std::string m_path;
    DisplayLocale m_locale;
    PriceImporter* m_importer;
    std::optional<ReadPrices> m_read;
    SettingForm* m_form;
    QLineEdit* m_file = nullptr;
    QLineEdit* m_provider = nullptr;
    QLineEdit* m_day = nullptr;
    SettingNote* m_note = nullptr;
    QLabel* m_summary;
    QLabel* m_caution;
    TitledTable* m_arrivals;
    TitledTable* m_leftOut;
    QScrollArea* m_preview;
    QPushButton* m_merge = nullptr;
    QComboBox* m_source = nullptr;
    SettingNote* m_sourceNote = nullptr;
    QLineEdit* m_line = nullptr;
    std::vector<QString> m_ages; // of what there is of each list
};

} // namespace outlay::gui
