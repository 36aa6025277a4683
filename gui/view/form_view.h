// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The designer's form, made from the experiment's own description of its fields: a field that is added
// there appears here by itself.
#pragma once

#include "core/experiment/experiment.h"
#include "gui/view/slider_scale.h"
#include "pricing/report/catalogs.h"

#include <QLocale>
#include <QString>

#include <map>
#include <optional>
#include <vector>

namespace outlay::gui {

struct FormField {
    enum class Kind { Integer, Number, Flag, Text, Texts, Integers, Choice };

    Kind kind = Kind::Number;
    std::string pointer; // in the experiment's file
    QString label;
    QString unit;
    QString hint;            // what it means, and its limits
    bool isOptional = false; // may be left to its default
    bool isMain = false;     // shown at once; the others on request
    bool isShown = true;     // it says something about this design
    double low = 0;          // low == high: no limits
    double high = 0;
    std::optional<SliderRange> slider;
    std::vector<QString> options; // of a choice
    core::Json value;             // null: not given
    core::Json resolved;          // what is taken then, where something is

    bool operator==(const FormField&) const = default;
};

struct FormSection {
    QString id;
    QString title;
    std::vector<FormField> fields;

    bool operator==(const FormSection&) const = default;
};

/// Model, training, serving, place and plan; the main fields first.
[[nodiscard]] std::vector<FormSection> makeFormView(const core::Experiment& experiment);

/// Whether two forms have the same fields, whatever their values.
[[nodiscard]] bool isSameForm(const std::vector<FormSection>& a, const std::vector<FormSection>& b);

/// What a field shows: "2,048", "64, 128", "" for a value that isn't given.
[[nodiscard]] QString fieldText(const FormField& field, const QLocale& locale);

/// What stands in place of a value that isn't given: "10,000", "not set".
[[nodiscard]] QString placeholderText(const FormField& field, const QLocale& locale);

/// What was typed, as the field's value. Takes "2048", "2,048", "2k", "1.5M", and "" for the default.
[[nodiscard]] core::Result<core::Json> readField(const FormField& field, const QString& text,
                                                 const QLocale& locale);

/// The names that some fields take, to choose from: by the fields' places in the file.
using FieldWords = std::map<std::string, std::vector<QString>>;
[[nodiscard]] FieldWords fieldWords(const pricing::Catalogs& catalogs);

/// The families that a person can choose, and how each is called.
struct FamilyRow {
    std::string name;
    QString title;
};
[[nodiscard]] std::vector<FamilyRow> familyRows();

} // namespace outlay::gui
