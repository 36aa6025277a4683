// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/profile.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <algorithm>
#include <filesystem>

namespace outlay::core {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t LargestProfile = 1U << 20U;
constexpr const char* ProfileEnding = ".json";

/// A name that is an option to ssh would be one.
bool isAddress(const std::string& text)
{
    return !text.empty() && text.front() != '-' &&
           std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c != '\x7f'; });
}

bool isVariable(const std::string& text)
{
    const std::size_t end = text.find('=');
    return end != std::string::npos && end > 0 &&
           std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), [](char c) {
               return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      (c >= '0' && c <= '9');
           });
}

Result<void> check(const Profile& p)
{
    if (p.kind == ProfileKind::Ssh && p.address.empty())
        return inputError("a machine that ssh reaches needs an address",
                          "give what you would write after ssh", "/address");
    if (!p.address.empty() && !isAddress(p.address))
        return inputError(inQuotes(p.address) + " is no address",
                          "give what you would write after ssh, without options", "/address");
    if (p.kind == ProfileKind::Local && p.isRemote())
        return inputError("this machine has no address", "take kind ssh, or leave it out",
                          "/address");
    if (p.kind == ProfileKind::Queue && (p.folder.empty() || p.folder.front() != '/'))
        return inputError("a queue needs a folder that all its machines see",
                          "give its whole path, beginning with /", "/folder");
    // No shell stands between that would know whose home is meant.
    for (const auto& [path, place] :
         {std::pair(&p.worker, "/worker"), std::pair(&p.folder, "/folder")}) {
        if (path->starts_with('~'))
            return inputError("'~' means nothing there", "give the whole path, beginning with /",
                              place);
    }
    const auto bad = std::find_if_not(p.environment.begin(), p.environment.end(), isVariable);
    if (bad != p.environment.end())
        return inputError(inQuotes(*bad) + " sets no variable", "write it as NAME=VALUE",
                          "/environment");
    return {};
}

} // namespace

void describe(FieldVisitor& v, QueueCommands& c)
{
    v.texts({"submit", "words that submit an array of tasks"}, c.submit);
    v.texts({"list", "words that list the tasks that haven't ended"}, c.list);
    v.texts({"cancel", "words that cancel them"}, c.cancel);
}

void describe(FieldVisitor& v, Profile& p)
{
    v.choice(Field{"kind", "local, ssh or queue", 0, 0, Presence::Required}, p.kind,
             ProfileKindNames);
    v.text(Field{"address", "address, as ssh takes it"}, p.address);
    v.texts({"ssh_options", "further options of ssh"}, p.sshOptions);
    v.text(Field{"worker", "path of outlay-probe there"}, p.worker);
    v.text(Field{"folder", "folder for lists of jobs and their results"}, p.folder);
    v.texts({"environment", "variables of the worker, NAME=VALUE"}, p.environment);
    v.choice(Field{"device", "cpu or cuda"}, p.device, HostDeviceNames);
    v.integer({"at_once", "measurements at once", 1, 10000}, p.atOnce);
    v.integer({"cores", "cores of each measurement", 1, 4096}, p.cores);
    v.number({"hour_price_usd", "price of an hour of one machine in dollars", 0, 1e5},
             p.hourPriceUsd);
    v.text(Field{"partition", "partition of the queue"}, p.partition);
    v.text(Field{"account", "account that the queue charges"}, p.account);
    v.number({"memory_gb", "memory of each measurement in GB", 0.1, 1e5}, p.memoryGb);
    v.integer({"minutes", "minutes that a task may take", 1, 100000}, p.minutes);
    v.texts({"submit_options", "further options of the queue"}, p.submitOptions);
    v.object(Field{"commands", "commands of a queue that isn't Slurm"}, p.commands);
}

Result<Profile> readProfile(const Json& json, std::string name)
{
    Profile profile;
    FieldReader reader(json, "");
    if (reader.outcome())
        describe(reader, profile);
    if (const auto outcome = reader.outcome(); !outcome)
        return failureOf(outcome);
    // A slip in a key would be a setting that isn't kept.
    if (const UnknownKeys unknown = reader.unknownKeys(); !unknown.named.empty())
        return inputError("a profile has no such key", "see `outlay hosts --help`",
                          unknown.named.front());
    profile.name = std::move(name);
    if (const auto checked = check(profile); !checked)
        return failureOf(checked);
    return profile;
}

Result<Profile> loadProfile(const std::string& nameOrPath, const std::string& folder)
{
    const bool isPath = nameOrPath.find('/') != std::string::npos ||
                        fs::path(nameOrPath).extension() == ProfileEnding;
    const std::string path = isPath ? nameOrPath : folder + "/" + nameOrPath + ProfileEnding;
    std::error_code error;
    if (!isPath && !fs::exists(path, error)) {
        std::string known;
        for (const Profile& profile : loadProfiles(folder).profiles)
            known += (known.empty() ? "" : ", ") + profile.name;
        return usageError("there is no host '" + printable(nameOrPath, 40) + "'",
                          known.empty() ? "describe it in " + path : "there are: " + known);
    }
    const auto text = loadFile(path, LargestProfile);
    if (!text)
        return failureOf(text);
    const auto json = readJson(*text);
    if (!json)
        return tl::unexpected<Error>(json.error().in(path));
    auto profile = readProfile(*json, fs::path(path).stem().string());
    if (!profile)
        return tl::unexpected<Error>(profile.error().in(path));
    return profile;
}

ProfileFolder loadProfiles(const std::string& folder)
{
    std::vector<std::string> paths;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().extension() == ProfileEnding)
            paths.push_back(entry->path().string());
    }
    std::sort(paths.begin(), paths.end());
    ProfileFolder all;
    for (const std::string& path : paths) {
        auto profile = loadProfile(path, folder);
        if (profile)
            all.profiles.push_back(std::move(*profile));
        else
            all.errors.push_back(profile.error());
    }
    return all;
}

Result<void> saveProfile(const Profile& profile, const std::string& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    Json json = Json::object();
    mergeFields(json, fieldsOf(profile), fieldsOf(Profile{}));
    if (json.find("kind") == nullptr)
        json.set("kind", Json(ProfileKindNames.at(static_cast<std::size_t>(profile.kind))));
    return saveFile(folder + "/" + profile.name + ProfileEnding, writeJson(json) + "\n");
}

} // namespace outlay::core
