// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/form_view.h"

#include "core/base/text.h"
#include "core/base/whole.h"
#include "core/experiment/field_meaning.h"
#include "gui/view/field_presentation.h"
#include "gui/view/format.h"
#include "pricing/stack.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <set>

namespace outlay::gui {
namespace {

using core::Field;
using core::Json;

/// Visits a struct's fields and notes a form field for each; objects have pages of their own.
class FormMaker final : public core::FieldVisitor {
public:
    explicit FormMaker(std::string_view section) : m_section(section) {}

    void integer(const Field& f, std::int64_t& value) override { addWhole(f, Json(value), false); }
    void integer(const Field& f, std::optional<std::int64_t>& value) override
    {
        addWhole(f, value ? Json(*value) : Json(), f.presence == core::Presence::Optional);
    }
    void number(const Field& f, double& value) override { addReal(f, Json(value), false); }
    void number(const Field& f, std::optional<double>& value) override
    {
        addReal(f, value ? Json(*value) : Json(), true);
    }
    void flag(const Field& f, bool& value) override
    {
        add(f, FormField::Kind::Flag, Json(value), false);
    }
    void flag(const Field& f, std::optional<bool>& value) override
    {
        // Three states: a choice says more than a half-checked box.
        FormField& field =
            add(f, FormField::Kind::Choice, value ? Json(*value ? "yes" : "no") : Json(), true);
        field.options = {QStringLiteral("yes"), QStringLiteral("no")};
    }
    void text(const Field& f, std::string& value) override
    {
        add(f, FormField::Kind::Text, Json(value), false);
    }
    void text(const Field& f, std::optional<std::string>& value) override
    {
        add(f, FormField::Kind::Text, value ? Json(*value) : Json(), true);
    }
    void texts(const Field& f, std::vector<std::string>& values) override
    {
        Json list = Json::array();
        for (const std::string& value : values)
            list.append(Json(value));
        add(f, FormField::Kind::Texts, std::move(list), true);
    }
    void integers(const Field& f, std::vector<std::int64_t>& values) override
    {
        // One size is a number like any other; several are a list to type.
        if (values.size() == 1)
            return addWhole(f, Json(values.front()), false);
        Json list = Json::array();
        for (const std::int64_t value : values)
            list.append(Json(value));
        add(f, FormField::Kind::Integers, std::move(list), true);
    }
    void choice(const Field& f, std::optional<std::size_t>& index,
                std::span<const std::string_view> names) override
    {
        // A choice with a default of its own always has a value.
        FormField& field = add(f, FormField::Kind::Choice, index ? Json(names[*index]) : Json(),
                               !index.has_value());
        for (const std::string_view name : names)
            field.options.push_back(toQString(name));
    }
    void objects(const Field&, const core::ObjectList&) override {}
    using FieldVisitor::choice;

    [[nodiscard]] std::vector<FormField> take()
    {
        std::stable_partition(m_fields.begin(), m_fields.end(),
                              [](const FormField& field) { return field.isMain; });
        return std::move(m_fields);
    }

private:
    FormField& add(const Field& f, FormField::Kind kind, Json value, bool isOptional)
    {
        const FieldName name = nameOf(f.key);
        FormField field{.kind = kind,
                        .pointer = core::childPointer("/" + std::string(m_section), f.key),
                        .label = name.label,
                        .unit = name.unit,
                        .hint = hintOf(f),
                        .isOptional = isOptional,
                        .isMain = isMainField(m_section, f.key),
                        .low = f.low,
                        .high = f.high,
                        .value = std::move(value)};
        m_fields.push_back(std::move(field));
        return m_fields.back();
    }

    void addWhole(const Field& f, Json value, bool isOptional)
    {
        add(f, FormField::Kind::Integer, std::move(value), isOptional).slider =
            sliderRangeOf(f, Whole::Yes);
    }
    void addReal(const Field& f, Json value, bool isOptional)
    {
        add(f, FormField::Kind::Number, std::move(value), isOptional).slider =
            sliderRangeOf(f, Whole::No);
    }

    static QString hintOf(const Field& f)
    {
        QString hint = toQString(f.what);
        hint[0] = hint[0].toUpper();
        if (f.low < f.high)
            hint +=
                QStringLiteral("; from %1 to %2")
                    .arg(toQString(core::plainNumber(f.low)), toQString(core::plainNumber(f.high)));
        return hint;
    }

    std::string_view m_section;
    std::vector<FormField> m_fields;
};

template <typename T>
concept Resolvable = requires(const T& part)
{
    resolved(part);
};

template <typename T>
T resolvedOf(const T& part)
{
    if constexpr (Resolvable<T>)
        return resolved(part);
    else
        return part;
}

template <typename T>
FormSection sectionOf(const char* id, const QString& title, T& part,
                      const core::Experiment& experiment)
{
    FormMaker maker(id);
    describe(maker, part);
    FormSection section{QLatin1String(id), title, maker.take()};
    // What isn't given but follows from the rest is shown where it would be typed.
    T full = resolvedOf(part);
    FormMaker fullMaker(id);
    describe(fullMaker, full);
    for (FormField& whole : fullMaker.take()) {
        for (FormField& field : section.fields) {
            if (field.pointer == whole.pointer && field.value.isNull())
                field.resolved = std::move(whole.value);
        }
    }
    // What is empty in a fresh one may become empty again.
    T usual{};
    FormMaker usualMaker(id);
    describe(usualMaker, usual);
    for (const FormField& blank : usualMaker.take()) {
        for (FormField& field : section.fields) {
            if (field.pointer == blank.pointer && field.kind == blank.kind)
                field.isOptional = field.isOptional || blank.value.isNull();
        }
    }
    for (FormField& field : section.fields)
        field.isShown = core::hasMeaning(field.pointer, experiment);
    return section;
}

core::Error fieldError(const FormField& field, const QString& what)
{
    std::string remedy = "give " + what.toStdString();
    if (field.low < field.high)
        remedy += " from " + core::plainNumber(field.low) + " to " + core::plainNumber(field.high);
    return {core::ErrorCode::Input,
            field.label.toStdString() + " can't be read",
            remedy,
            field.pointer,
            {}};
}

/// "1.5M" -> 1500000: prefixes as people type sizes.
std::optional<double> numberOf(QString text, const QLocale& locale)
{
    double factor = 1;
    const QString prefixes = QStringLiteral("kMGT");
    text = text.simplified();
    if (!text.isEmpty() && prefixes.indexOf(text.back()) >= 0) {
        constexpr double Step = 1000;
        factor = std::pow(Step, 1 + prefixes.indexOf(text.back()));
        text.chop(1);
        text = text.trimmed();
    }
    bool isNumber = false;
    double number = locale.toDouble(text, &isNumber);
    if (!isNumber)
        number = QLocale::c().toDouble(text, &isNumber);
    if (!isNumber || !std::isfinite(number))
        return std::nullopt;
    return number * factor;
}

core::Result<Json> readNumber(const FormField& field, const QString& text, const QLocale& locale)
{
    const bool isWhole = field.kind == FormField::Kind::Integer;
    const auto number = numberOf(text, locale);
    const bool isInside =
        number && (field.low >= field.high || (*number >= field.low && *number <= field.high));
    const auto whole = core::wholeOf(number.value_or(0));
    if (!isInside || (isWhole && !whole))
        return tl::unexpected<core::Error>(fieldError(
            field, isWhole ? QStringLiteral("a whole number") : QStringLiteral("a number")));
    if (isWhole)
        return Json(*whole);
    return Json(*number);
}

core::Result<Json> readWholeNumbers(const FormField& field, const QString& text)
{
    Json list = Json::array();
    for (const QString& word : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        FormField one = field;
        one.kind = FormField::Kind::Integer;
        auto number = readNumber(one, word, QLocale::c());
        if (!number)
            return tl::unexpected<core::Error>(
                fieldError(field, QStringLiteral("whole numbers with commas between,")));
        list.append(std::move(*number));
    }
    return list;
}

QString numberText(const Json& value, const QLocale& locale)
{
    constexpr int Digits = 6;
    constexpr double LargestPlain = 1e15;
    const double number = value.number();
    if (number == std::floor(number) && std::abs(number) < LargestPlain)
        return countText(number, locale);
    return locale.toString(number, 'g', Digits);
}

} // namespace

std::vector<FormSection> makeFormView(const core::Experiment& experiment)
{
    core::Experiment copy = experiment;
    std::vector<FormSection> sections;
    std::visit(
        [&](auto& design) {
            sections.push_back(sectionOf("model", QStringLiteral("Model"), design, experiment));
        },
        copy.model.design);
    sections.push_back(
        sectionOf("training", QStringLiteral("Training"), copy.training, experiment));
    sections.push_back(sectionOf("serving", QStringLiteral("Serving"), copy.serving, experiment));
    sections.push_back(sectionOf("site", QStringLiteral("Place"), copy.site, experiment));
    sections.push_back(sectionOf("plan", QStringLiteral("Plan"), copy.plan, experiment));
    return sections;
}

bool isSameForm(const std::vector<FormSection>& a, const std::vector<FormSection>& b)
{
    const auto isSameField = [](const FormField& x, const FormField& y) {
        return x.pointer == y.pointer && x.kind == y.kind && x.options == y.options &&
               x.isOptional == y.isOptional && x.isMain == y.isMain;
    };
    return std::equal(
        a.begin(), a.end(), b.begin(), b.end(), [&](const FormSection& x, const FormSection& y) {
            return x.id == y.id && std::equal(x.fields.begin(), x.fields.end(), y.fields.begin(),
                                              y.fields.end(), isSameField);
        });
}

QString fieldText(const FormField& field, const QLocale& locale)
{
    if (field.value.isNumber())
        return numberText(field.value, locale);
    if (const std::string* text = field.value.asString())
        return toQString(*text);
    QStringList words;
    if (const Json::Array* items = field.value.asArray()) {
        for (const Json& item : *items)
            words.append(item.isNumber() ? QString::number(item.number(), 'f', 0)
                                         : toQString(*item.asString()));
    }
    return words.join(QStringLiteral(", "));
}

QString placeholderText(const FormField& field, const QLocale& locale)
{
    if (!field.isOptional)
        return {};
    if (field.resolved.isNull())
        return absentTitle(field.pointer);
    FormField taken = field;
    taken.value = field.resolved;
    return fieldText(taken, locale);
}

core::Result<Json> readField(const FormField& field, const QString& text, const QLocale& locale)
{
    const QString trimmed = text.trimmed();
    switch (field.kind) {
    case FormField::Kind::Integer:
    case FormField::Kind::Number:
        if (trimmed.isEmpty() && field.isOptional)
            return Json();
        return readNumber(field, trimmed, locale);
    case FormField::Kind::Integers: return readWholeNumbers(field, trimmed);
    case FormField::Kind::Texts: {
        Json list = Json::array();
        for (const QString& word : trimmed.split(QLatin1Char(','), Qt::SkipEmptyParts))
            list.append(Json(word.trimmed().toStdString()));
        return list;
    }
    case FormField::Kind::Flag: return Json(trimmed == QLatin1String("yes"));
    case FormField::Kind::Choice:
        // Flags with a default are shown as such a choice.
        if (field.options.size() == 2 && field.options.front() == QLatin1String("yes"))
            return trimmed.isEmpty() ? Json() : Json(trimmed == QLatin1String("yes"));
        return trimmed.isEmpty() ? Json() : Json(trimmed.toStdString());
    case FormField::Kind::Text:
        return trimmed.isEmpty() && field.isOptional ? Json() : Json(trimmed.toStdString());
    }
    return Json();
}

FieldWords fieldWords(const pricing::Catalogs& catalogs)
{
    std::set<QString> providers;
    std::set<QString> regions;
    const pricing::PriceBook& book = catalogs.book();
    for (const pricing::OfferRow& row : book.rows()) {
        const std::string& provider = book.machine(row).provider;
        providers.insert(toQString(provider));
        regions.insert(toQString(provider + "/" + book.region(row)));
    }
    FieldWords words;
    words["/plan/providers"].assign(providers.begin(), providers.end());
    words["/plan/regions"].assign(regions.begin(), regions.end());
    for (const pricing::Stack& stack : pricing::stacks())
        words["/plan/stacks"].push_back(toQString(stack.id));
    for (const core::GridRegion& region : catalogs.carbon().regions())
        words["/site/region"].push_back(toQString(region.id));
    for (const core::GridCountry& country : catalogs.carbon().countries())
        words["/site/country"].push_back(toQString(country.code));
    return words;
}

std::vector<FamilyRow> familyRows()
{
    return {{"lstm", QStringLiteral("LSTM")},
            {"gru", QStringLiteral("GRU")},
            {"rnn", QStringLiteral("Plain RNN")},
            {"gated-rnn", QStringLiteral("Gated RNN")},
            {"transformer", QStringLiteral("Transformer")},
            {"mlp", QStringLiteral("Perceptron (MLP)")},
            {"layers", QStringLiteral("List of layers")}};
}

} // namespace outlay::gui
