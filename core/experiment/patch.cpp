// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/patch.h"

#include "core/base/text.h"
#include "core/workload/parameters.h"

#include <algorithm>

namespace outlay::core {
namespace {

struct Operation {
    std::string kind;
    std::string pointer;
    Json value;
};

Result<Operation> operationOf(const Json& json)
{
    const Json* kind = json.find("op");
    const Json* path = json.find("path");
    const Json* value = json.find("value");
    if (kind == nullptr || kind->asString() == nullptr || path == nullptr ||
        path->asString() == nullptr)
        return inputError("an operation of the patch lacks `op` or `path`",
                          "write it as in {\"op\": \"replace\", \"path\": \"/training/batch\", "
                          "\"value\": 64}");
    Operation operation{*kind->asString(), *path->asString(), value == nullptr ? Json() : *value};
    const bool isSetting = operation.kind == "add" || operation.kind == "replace";
    if (!isSetting && operation.kind != "remove")
        return inputError("the operation '" + operation.kind + "' is not known here",
                          "use add, replace or remove", operation.pointer);
    if (isSetting && value == nullptr)
        return inputError("the operation has no `value`", "give one", operation.pointer);
    return operation;
}

/// It would have no effect.
Result<void> refuseUnknown(const UnknownKeys& unknown)
{
    if (unknown.named.empty())
        return {};
    return inputError("an experiment has no such key", "see docs/experiment.md",
                      unknown.named.front());
}

template <typename Part>
Result<void> readPart(const Json& json, const char* key, Part& part)
{
    Part fresh;
    if (json.isNull()) {
        part = std::move(fresh);
        return {};
    }
    FieldReader reader(json, childPointer("", key));
    if (reader.outcome())
        describe(reader, fresh);
    if (const auto outcome = reader.outcome(); !outcome)
        return failureOf(outcome);
    part = std::move(fresh);
    return refuseUnknown(reader.unknownKeys());
}

Result<void> readModelPart(const Json& json, Model& model)
{
    auto read = readCheckedModel(json, "/model");
    if (!read)
        return failureOf(read);
    model = std::move(read->model);
    return refuseUnknown(read->unknownKeys);
}

Result<void> readText(const Json& json, const char* key, std::string& text)
{
    if (!json.isNull() && json.asString() == nullptr)
        return inputError("this is " + std::string(json.typeName()), "give a text",
                          childPointer("", key));
    text = json.isNull() ? std::string() : *json.asString();
    return {};
}

Result<void> readObject(const Json& json, const char* key, Json& object)
{
    if (!json.isNull() && json.asObject() == nullptr)
        return inputError("this is " + std::string(json.typeName()), "give an object",
                          childPointer("", key));
    object = json.isNull() ? Json::object() : json;
    return {};
}

/// The parts of an experiment that a patch names, as JSON; the others stay null.
class Parts {
public:
    /// Null where the experiment has no such part, or none that may be changed.
    Json* of(const Experiment& e, std::string_view key)
    {
        if (Json* there = m_root.find(key))
            return there;
        if (key == "name" || key == "notes")
            return &m_root.set(key, key == "name" ? e.name : e.notes);
        if (key == "model")
            return &m_root.set(key, fieldsOf(e.model));
        if (key == "training")
            return &m_root.set(key, fieldsOf(e.training));
        if (key == "serving")
            return &m_root.set(key, fieldsOf(e.serving));
        if (key == "site")
            return &m_root.set(key, fieldsOf(e.site));
        if (key == "plan")
            return &m_root.set(key, fieldsOf(e.plan));
        if (key == "assumptions")
            return &m_root.set(key, e.assumptions);
        return key == "quality" ? &m_root.set(key, e.quality) : nullptr;
    }

    /// What is removed gets its default again, which null stands for.
    Result<void> apply(const Experiment& e, const Operation& operation)
    {
        const std::string& pointer = operation.pointer;
        if (pointer == "/model/family")
            leaveFamily(e.model, operation.value);
        const auto opened = openList(pointer);
        if (!opened)
            return opened;
        constexpr std::string_view OfAssumptions = "/assumptions/";
        if (operation.kind == "remove" && pointer.starts_with(OfAssumptions)) {
            m_root.find("assumptions")->erase(pointer.substr(OfAssumptions.size()));
            return {};
        }
        return setAt(m_root, pointer, operation.kind == "remove" ? Json() : operation.value);
    }

    [[nodiscard]] Result<void> writeTo(Experiment& e) const
    {
        Result<void> outcome;
        const auto write = [&](const char* key, const auto& read) {
            const Json* json = m_root.find(key);
            if (json != nullptr && outcome)
                outcome = read(*json, key);
        };
        const auto to = [&](auto& part) {
            return [&](const Json& json, const char* key) { return readPart(json, key, part); };
        };
        write("name", [&](const Json& json, auto* key) { return readText(json, key, e.name); });
        write("notes", [&](const Json& json, auto* key) { return readText(json, key, e.notes); });
        write("model", [&](const Json& json, auto*) { return readModelPart(json, e.model); });
        write("training", to(e.training));
        write("serving", to(e.serving));
        write("site", to(e.site));
        write("plan", to(e.plan));
        write("assumptions",
              [&](const Json& json, auto* key) { return readObject(json, key, e.assumptions); });
        write("quality",
              [&](const Json& json, auto* key) { return readObject(json, key, e.quality); });
        return outcome ? check(e.training) : outcome;
    }

private:
    /// The next family has defaults and keys of its own: only sizes that both have, and that were set, stay.
    void leaveFamily(const Model& model, const Json& next)
    {
        Json& fields = *m_root.find("model");
        const Json usual = usualFieldsOf(model);
        const auto known =
            next.asString() == nullptr ? std::vector<std::string>() : keysOf(*next.asString());
        for (const std::string& key : keysOf(familyOf(model))) {
            const Json* value = fields.find(key);
            const Json* byDefault = usual.find(key);
            const bool isSet = value != nullptr && (byDefault == nullptr || *byDefault != *value);
            if (!isSet || std::find(known.begin(), known.end(), key) == known.end())
                fields.erase(key);
        }
    }

    /// A list of one is written as its only number.
    Result<void> openList(std::string_view pointer)
    {
        const std::size_t slash = pointer.rfind('/');
        const std::string_view token = pointer.substr(slash + 1);
        const bool isPlace =
            token == "-" || (!token.empty() && token.find_first_not_of("0123456789") == token.npos);
        const Json* list = isPlace ? valueAt(m_root, pointer.substr(0, slash)) : nullptr;
        if (list == nullptr || !list->isNumber())
            return {};
        Json opened = Json::Array{*list};
        return setAt(m_root, pointer.substr(0, slash), std::move(opened));
    }

    Json m_root = Json::object();
};

/// The keys of a part that an operation names: one, or those of the object that takes the part's place.
std::vector<std::string> keysNamed(std::string_view rest, const Json& value)
{
    if (!rest.empty())
        return {std::string(rest.substr(1, rest.find('/', 1) - 1))};
    std::vector<std::string> keys;
    for (std::size_t i = 0; value.asObject() != nullptr && i < value.asObject()->size(); ++i)
        keys.push_back((*value.asObject())[i].key);
    return keys;
}

/// What somebody sets is no default any more, even where it is the same: the file names it.
void nameIn(Json& document, const Operation& operation)
{
    for (const char* part : {"model", "training", "serving", "site", "plan"}) {
        const std::string start = childPointer("", part);
        const std::string_view pointer = operation.pointer;
        if (pointer != start && !pointer.starts_with(start + "/"))
            continue;
        for (const std::string& key : keysNamed(pointer.substr(start.size()), operation.value)) {
            Json* fields = document.find(part);
            if (fields == nullptr || fields->asObject() == nullptr)
                fields = &document.set(part, Json::object());
            if (operation.kind == "remove" || operation.value.isNull())
                fields->erase(key);
            else if (fields->find(key) == nullptr)
                fields->set(key, Json()); // `toJson` knows its value
        }
    }
}

std::string_view firstKey(std::string_view pointer)
{
    pointer.remove_prefix(pointer.empty() ? 0 : 1);
    return pointer.substr(0, pointer.find('/'));
}

} // namespace

Json setting(std::string_view pointer, Json value)
{
    return Json::Object{{"op", "replace"}, {"path", pointer}, {"value", std::move(value)}};
}

Result<Experiment> patched(const Experiment& experiment, const Json& patch)
{
    const Json::Array* list = patch.asArray();
    if (list == nullptr)
        return inputError("the patch is " + std::string(patch.typeName()),
                          "give a list of operations");
    Parts parts;
    for (const Json& row : *list) {
        const auto operation = operationOf(row);
        if (!operation)
            return failureOf(operation);
        const bool isPointer = operation->pointer.starts_with('/'); // else `apply` says so
        if (isPointer && parts.of(experiment, firstKey(operation->pointer)) == nullptr)
            return inputError("an experiment has no such part, or none that is set by hand",
                              "name a key of model, training, serving, site, plan, assumptions or "
                              "quality, or /name or /notes",
                              printable(operation->pointer, 60));
        if (const auto done = parts.apply(experiment, *operation); !done)
            return failureOf(done);
    }
    Experiment result = experiment;
    if (const auto done = parts.writeTo(result); !done)
        return failureOf(done);
    return result;
}

Result<Experiment> edited(const Experiment& experiment, const Json& patch)
{
    auto result = patched(experiment, patch);
    if (!result)
        return result;
    if (result->document.find("format") == nullptr) {
        Experiment before = experiment;
        before.measurements = {};
        result->document = toJson(before);
    }
    for (const Json& row : *patch.asArray()) {
        if (const auto operation = operationOf(row))
            nameIn(result->document, *operation);
    }
    return result;
}

Result<Experiment> withValue(const Experiment& experiment, std::string_view pointer, Json value)
{
    return edited(experiment, Json::Array{setting(pointer, std::move(value))});
}

} // namespace outlay::core
