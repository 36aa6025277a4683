// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model.h"

#include "core/base/text.h"

#include <algorithm>

namespace outlay::core {
namespace {

struct Family {
    std::string_view name;
    Design usual;
};

const std::vector<Family>& families()
{
    static const std::vector<Family> Rows{
        {"lstm", RecurrentDesign{.cell = Cell::Lstm}},
        {"gru", RecurrentDesign{.cell = Cell::Gru}},
        {"rnn", RecurrentDesign{.cell = Cell::Rnn}},
        {"gated-rnn", GatedRnnDesign{}},
        {"transformer", TransformerDesign{}},
        {"mlp", MlpDesign{}},
        {"layers", LayerListDesign{}},
    };
    return Rows;
}

bool isOfFamily(const Design& design, const Family& family)
{
    if (design.index() != family.usual.index())
        return false;
    const auto* recurrent = std::get_if<RecurrentDesign>(&design);
    return recurrent == nullptr || recurrent->cell == std::get<RecurrentDesign>(family.usual).cell;
}

const Family& family(const Model& model)
{
    return *std::find_if(families().begin(), families().end(),
                         [&](const Family& f) { return isOfFamily(model.design, f); });
}

Result<Design> usualDesign(const Json& json, const std::string& pointer)
{
    std::vector<std::string_view> names;
    for (const Family& row : families())
        names.push_back(row.name);
    const std::string place = childPointer(pointer, "family");
    const Json* given = json.find("family");
    if (given == nullptr || given->asString() == nullptr)
        return inputError("the model's family is missing", "give one of " + joined(names, ", "),
                          place);
    for (const Family& row : families()) {
        if (row.name == *given->asString())
            return row.usual;
    }
    return inputError("the family " + inQuotes(*given->asString()) + " is unknown",
                      "give one of " + joined(names, ", "), place);
}

constexpr Field ConventionField{"convention", "convention of counting"};

} // namespace

OUTLAY_VALUE_DEFAULTED(Design);

bool Design::operator==(const Design& other) const
{
    return static_cast<const AnyDesign&>(*this) == static_cast<const AnyDesign&>(other);
}

std::string_view familyOf(const Model& model)
{
    return family(model).name;
}

Result<ModelReading> readModel(const Json& json, const std::string& pointer)
{
    FieldReader reader(json, pointer);
    if (const auto outcome = reader.outcome(); !outcome)
        return failureOf(outcome);
    auto usual = usualDesign(json, pointer);
    if (!usual)
        return failureOf(usual);
    Model model{Convention::PyTorch, std::move(*usual)};
    reader.raw("family");
    reader.choice(ConventionField, model.convention, ConventionNames);
    std::visit([&](auto& design) { describe(reader, design); }, model.design);
    if (const auto outcome = reader.outcome(); !outcome)
        return failureOf(outcome);
    if (const auto sound = check(model); !sound) {
        Error error = sound.error();
        error.place = pointer + error.place;
        return tl::unexpected<Error>(error);
    }
    return ModelReading{std::move(model), reader.unknownKeys()};
}

Result<void> check(const Model& model)
{
    return std::visit([](const auto& design) { return check(design); }, model.design);
}

namespace {

Json writtenFields(Model model, FieldContent content)
{
    FieldWriter writer(content);
    writer.choice(ConventionField, model.convention, ConventionNames);
    std::visit([&](auto& design) { describe(writer, design); }, model.design);
    return writer.take();
}

} // namespace

Json fieldsOf(const Model& model)
{
    Json fields = writtenFields(model, FieldContent::All);
    fields.set("family", Json(familyOf(model)));
    return fields;
}

Json usualFieldsOf(const Model& model)
{
    return writtenFields({Convention::PyTorch, family(model).usual}, FieldContent::Defaults);
}

std::vector<std::string> keysOf(std::string_view familyName)
{
    std::vector<std::string> keys;
    for (const Family& row : families()) {
        if (row.name != familyName)
            continue;
        const Json fields = writtenFields({Convention::PyTorch, row.usual}, FieldContent::All);
        for (const JsonMember& member : *fields.asObject())
            keys.push_back(member.key);
    }
    return keys;
}

std::vector<Layer> expand(const Model& model)
{
    return std::visit([&](const auto& design) { return expand(design, model.convention); },
                      model.design);
}

} // namespace outlay::core
