// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/patch.h"

#include "core/base/text.h"
#include "core/workload/parameters.h"

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

/// A key that nobody knows is an error where an operation names it: it would have no effect. One that the
/// experiment has anyway, as the sizes of another family, is kept out.
Result<void> checkKnown(const UnknownKeys& unknown, const std::vector<std::string>& named)
{
    for (const std::string& pointer : named) {
        for (const std::string& row : unknown.named) {
            const std::string key = row.substr(0, row.find(" (")); // before what was meant
            if (pointer == key || pointer.starts_with(key + "/"))
                return inputError("an experiment has no such key", "see docs/experiment.md", row);
        }
    }
    return {};
}

template <typename Part>
Result<void> readPart(const Json& json, const char* key, Part& part,
                      const std::vector<std::string>& named)
{
    Part fresh;
    FieldReader reader(json, childPointer("", key));
    if (reader.outcome())
        describe(reader, fresh);
    if (const auto outcome = reader.outcome(); !outcome)
        return failureOf(outcome);
    part = std::move(fresh);
    return checkKnown(reader.unknownKeys(), named);
}

Result<void> readModelPart(const Json& json, Model& model, const std::vector<std::string>& named)
{
    auto read = readModel(json, "/model");
    if (!read)
        return failureOf(read);
    if (const auto size = checkSize(expand(read->model)); !size) {
        Error error = size.error();
        error.place = "/model";
        return tl::unexpected<Error>(error);
    }
    model = std::move(read->model);
    return checkKnown(read->unknownKeys, named);
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
    Result<void> apply(const Operation& operation)
    {
        m_named.push_back(operation.pointer);
        return setAt(m_root, operation.pointer,
                     operation.kind == "remove" ? Json() : operation.value);
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
            return [&](const Json& json, const char* key) {
                return readPart(json, key, part, m_named);
            };
        };
        write("name", [&](const Json& json, auto* key) { return readText(json, key, e.name); });
        write("notes", [&](const Json& json, auto* key) { return readText(json, key, e.notes); });
        write("model",
              [&](const Json& json, auto*) { return readModelPart(json, e.model, m_named); });
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
    Json m_root = Json::object();
    std::vector<std::string> m_named; // pointers
};

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
        if (const auto done = parts.apply(*operation); !done)
            return failureOf(done);
    }
    Experiment result = experiment;
    if (const auto done = parts.writeTo(result); !done)
        return failureOf(done);
    return result;
}

Result<Experiment> withValue(const Experiment& experiment, std::string_view pointer, Json value)
{
    return patched(experiment, Json::Array{setting(pointer, std::move(value))});
}

} // namespace outlay::core
