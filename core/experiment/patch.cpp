// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/patch.h"

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

/// What is removed gets its default again, which null stands for.
Result<void> applyTo(Json& root, const Operation& operation)
{
    return setAt(root, operation.pointer, operation.kind == "remove" ? Json() : operation.value);
}

template <typename Part>
Result<void> readPart(const Json& json, const char* key, Part& part)
{
    Part fresh;
    FieldReader reader(json, childPointer("", key));
    describe(reader, fresh);
    if (const auto outcome = reader.outcome(); !outcome)
        return failureOf(outcome);
    if (const UnknownKeys unknown = reader.unknownKeys(); !unknown.named.empty())
        return inputError("an experiment has no such key", "see docs/experiment.md",
                          unknown.named.front());
    part = std::move(fresh);
    return {};
}

Result<void> readModelPart(const Json& json, Model& model)
{
    auto read = readModel(json, "/model");
    if (!read)
        return failureOf(read);
    if (const auto size = checkSize(expand(read->model)); !size)
        return failureOf(size);
    model = std::move(read->model);
    return {};
}

/// The parts of an experiment that the patch names, as JSON; the others stay null.
struct Parts {
    Json root = Json::object();

    Json* of(const Experiment& e, std::string_view key)
    {
        if (Json* there = root.find(key))
            return there;
        if (key == "model")
            return &root.set(key, fieldsOf(e.model));
        if (key == "training")
            return &root.set(key, fieldsOf(e.training));
        if (key == "serving")
            return &root.set(key, fieldsOf(e.serving));
        if (key == "site")
            return &root.set(key, fieldsOf(e.site));
        if (key == "plan")
            return &root.set(key, fieldsOf(e.plan));
        if (key == "assumptions")
            return &root.set(key, e.assumptions);
        return key == "quality" ? &root.set(key, e.quality) : nullptr;
    }

    Result<void> writeTo(Experiment& e) const
    {
        Result<void> outcome;
        const auto read = [&](const char* key, auto& part) {
            const Json* json = root.find(key);
            if (json != nullptr && outcome)
                outcome = readPart(*json, key, part);
        };
        if (const Json* model = root.find("model"))
            outcome = readModelPart(*model, e.model);
        read("training", e.training);
        read("serving", e.serving);
        read("site", e.site);
        read("plan", e.plan);
        if (const Json* assumptions = root.find("assumptions"))
            e.assumptions = *assumptions;
        if (const Json* quality = root.find("quality"))
            e.quality = *quality;
        return outcome;
    }
};

std::string_view firstKey(std::string_view pointer)
{
    pointer.remove_prefix(pointer.empty() ? 0 : 1);
    return pointer.substr(0, pointer.find('/'));
}

} // namespace

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
        if (parts.of(experiment, firstKey(operation->pointer)) == nullptr)
            return inputError("this part of an experiment can't be patched",
                              "name a key of model, training, serving, site, plan, assumptions or "
                              "quality",
                              operation->pointer);
        if (const auto done = applyTo(parts.root, *operation); !done)
            return failureOf(done);
    }
    Experiment result = experiment;
    if (const auto done = parts.writeTo(result); !done)
        return failureOf(done);
    return result;
}

} // namespace outlay::core
