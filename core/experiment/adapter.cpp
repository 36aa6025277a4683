// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/adapter.h"

#include "core/base/text.h"

#include <algorithm>
#include <span>

namespace outlay::core {
namespace {

constexpr std::string_view TypeKey = "peft_type";
constexpr std::string_view RankKey = "r";
constexpr std::string_view ModulesKey = "target_modules";
constexpr std::string_view SavedKey = "modules_to_save";

struct PeftName {
    std::string_view module;
    std::array<std::string_view, 3> meant; // empty ones are none
};

/// The last part of a module's name, as families of models have it: matrices with adapters, of AdapterTargetNames.
constexpr std::array<PeftName, 37> PeftModules{{
    {"q_proj", {"query"}},
    {"query", {"query"}},
    {"q_lin", {"query"}},
    {"q", {"query"}},
    {"wq", {"query"}},
    {"q_a_proj", {"query_down"}},
    {"q_b_proj", {"query"}},
    {"kv_a_proj_with_mqa", {"latent"}},
    {"kv_b_proj", {"key_value"}},
    {"k_proj", {"key"}},
    {"key", {"key"}},
    {"k_lin", {"key"}},
    {"k", {"key"}},
    {"wk", {"key"}},
    {"v_proj", {"value"}},
    {"value", {"value"}},
    {"v_lin", {"value"}},
    {"v", {"value"}},
    {"wv", {"value"}},
    {"query_key_value", {"query", "key", "value"}},
    {"qkv_proj", {"query", "key", "value"}},
    {"c_attn", {"query", "key", "value"}},
    {"Wqkv", {"query", "key", "value"}},
    {"o_proj", {"output"}},
    {"out_proj", {"output"}},
    {"out_lin", {"output"}},
    {"o", {"output"}},
    {"gate_proj", {"gate"}},
    {"w1", {"gate"}},
    {"gate_up_proj", {"gate", "up"}},
    {"up_proj", {"up"}},
    {"w3", {"up"}},
    {"fc1", {"up"}},
    {"c_fc", {"up"}},
    {"down_proj", {"down"}},
    {"w2", {"down"}},
    {"fc2", {"down"}},
}};

/// And layers that are trained whole, of WholeLayerNames.
constexpr std::array<PeftName, 17> PeftLayers{{
    {"embed_tokens", {"embedding"}},
    {"wte", {"embedding"}},
    {"word_embeddings", {"embedding"}},
    {"embed_in", {"embedding"}},
    {"tok_embeddings", {"embedding"}},
    {"shared", {"embedding"}},
    {"embed", {"embedding"}},
    {"lm_head", {"output"}},
    {"embed_out", {"output"}},
    {"output", {"output"}},
    {"norm", {"norm"}},
    {"input_layernorm", {"norm"}},
    {"post_attention_layernorm", {"norm"}},
    {"ln_1", {"norm"}},
    {"ln_2", {"norm"}},
    {"ln_f", {"norm"}},
    {"LayerNorm", {"norm"}},
}};

std::string lastModule(std::string_view module)
{
    const std::size_t dot = module.rfind('.');
    return std::string(dot == std::string_view::npos ? module : module.substr(dot + 1));
}

/// The last parts of the names in a list.
Result<std::vector<std::string>> namesOf(const Json& list, std::string_view key)
{
    std::vector<std::string> names;
    if (list.asArray() == nullptr)
        return inputError("the modules are " + std::string(list.typeName()), "give a list of names",
                          childPointer("", key));
    for (const Json& one : *list.asArray()) {
        if (one.asString() == nullptr)
            return inputError("the name of a module is " + std::string(one.typeName()),
                              "give texts", childPointer("", key));
        names.push_back(lastModule(*one.asString()));
    }
    return names;
}

/// Names of modules; one may stand for all.
Result<std::vector<std::string>> modulesOf(const Json& json, bool& isAll)
{
    std::vector<std::string> modules;
    const Json* found = json.find(ModulesKey);
    isAll = false;
    if (found == nullptr || found->isNull())
        return std::vector<std::string>{"q_proj", "v_proj"}; // as PEFT does for most models
    if (const std::string* one = found->asString()) {
        isAll = *one == "all-linear";
        if (!isAll)
            return inputError("the modules are given as a pattern, which can't be read",
                              "name them in a list, or take \"all-linear\"",
                              childPointer("", ModulesKey));
        return modules;
    }
    if (found->asArray() == nullptr)
        return inputError("the modules are " + std::string(found->typeName()),
                          "give a list of names, or \"all-linear\"", childPointer("", ModulesKey));
    return namesOf(*found, ModulesKey);
}

/// What each module stands for, once; gives those that the table doesn't have.
std::vector<std::string_view> addMeant(const std::vector<std::string>& modules,
                                       std::span<const PeftName> names,
                                       std::vector<std::string>& all)
{
    std::vector<std::string_view> unknown;
    for (const std::string& module : modules) {
        const auto known = std::find_if(names.begin(), names.end(), [&](const PeftName& name) {
            return name.module == module;
        });
        if (known == names.end()) {
            unknown.push_back(module);
            continue;
        }
        for (const std::string_view meant : known->meant) {
            if (!meant.empty() && std::find(all.begin(), all.end(), meant) == all.end())
                all.emplace_back(meant);
        }
    }
    return unknown;
}

Result<void> setTargets(const Json& json, Training& training, std::vector<std::string>& notes)
{
    bool isAll = false;
    const auto modules = modulesOf(json, isAll);
    if (!modules)
        return failureOf(modules);
    training.adapterTargets.clear();
    if (const Json* found = json.find(ModulesKey); found == nullptr || found->isNull())
        notes.emplace_back("it names no modules: queries and values get adapters, as PEFT does for "
                           "most models.");
    const auto unknown = addMeant(*modules, PeftModules, training.adapterTargets);
    if (!isAll && training.adapterTargets.empty())
        return inputError("none of its modules is known: " + printable(joined(unknown, ", "), 200),
                          "name matrices as q_proj, v_proj or down_proj",
                          childPointer("", ModulesKey));
    if (!unknown.empty())
        notes.push_back("modules that aren't known get no adapter here: " +
                        printable(joined(unknown, ", "), 200) + ".");
    return {};
}

/// Modules that are trained whole beside the adapters.
Result<void> setWhole(const Json& json, Training& training, std::vector<std::string>& notes)
{
    training.trainedWhole.clear();
    const Json* saved = json.find(SavedKey);
    if (saved == nullptr || saved->isNull())
        return {};
    const auto modules = namesOf(*saved, SavedKey);
    if (!modules)
        return failureOf(modules);
    const auto unknown = addMeant(*modules, PeftLayers, training.trainedWhole);
    if (!unknown.empty())
        notes.push_back(
            "modules that are trained whole and aren't known are left out of the figures: " +
            printable(joined(unknown, ", "), 200) + ".");
    return {};
}

} // namespace

bool looksLikeAdapter(const Json& json)
{
    return json.find(TypeKey) != nullptr;
}

Result<std::vector<std::string>> applyAdapter(const Json& json, Training& training)
{
    std::vector<std::string> notes;
    const Json* type = json.find(TypeKey);
    const bool isNamed = type != nullptr && type->asString() != nullptr;
    if (!isNamed || *type->asString() != "LORA")
        return inputError("these adapters are of another kind than LoRA",
                          "give an adapter_config.json whose `peft_type` is \"LORA\"",
                          childPointer("", TypeKey));
    const Json* rank = json.find(RankKey);
    constexpr double Highest = 65536;
    const double number = rank != nullptr && rank->isNumber() ? rank->number() : 0;
    if (number < 1 || number > Highest ||
        number != static_cast<double>(static_cast<std::int64_t>(number)))
        return inputError("the rank is missing or not a whole number from 1 to 65,536",
                          "give it as `r`", childPointer("", RankKey));
    if (const auto targets = setTargets(json, training, notes); !targets)
        return failureOf(targets);
    if (const auto whole = setWhole(json, training, notes); !whole)
        return failureOf(whole);
    training.method = Method::Lora;
    training.adapterRank = static_cast<std::int64_t>(number);
    return notes;
}

} // namespace outlay::core
