// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/command_words.h"

#include <algorithm>
#include <map>

namespace outlay::core {
namespace {

using Places = std::map<std::string, std::string, std::less<>>;

/// "{name}" by what it stands for.
std::string filled(std::string text, const Places& places)
{
    for (const auto& [name, value] : places) {
        const std::string place = "{" + name + "}";
        for (std::size_t at = text.find(place); at != std::string::npos;
             at = text.find(place, at + value.size()))
            text.replace(at, place.size(), value);
    }
    return text;
}

Words filledAll(const Words& words, const Places& places)
{
    Words all;
    for (const std::string& word : words)
        all.push_back(filled(word, places));
    return all;
}

std::string inShell(const Words& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : " ") + quotedForShell(word);
    return text;
}

Words sshWords(const Profile& profile, const LaunchSite& site)
{
    // A connection that says nothing for a quarter of a minute is gone; nobody is asked for a password.
    // Of an option that is given twice ssh takes the first.
    Words words{"ssh", "-T"};
    words.insert(words.end(), profile.sshOptions.begin(), profile.sshOptions.end());
    for (const char* option :
         {"BatchMode=yes", "ConnectTimeout=10", "ServerAliveInterval=5", "ServerAliveCountMax=3"})
        words.insert(words.end(), {"-o", option});
    if (!site.sockets.empty())
        words.insert(words.end(),
                     {"-o", "ControlMaster=auto", "-o", "ControlPath=" + site.sockets + "/%C", "-o",
                      "ControlPersist=60"});
    words.push_back(profile.address);
    return words;
}

std::string workerOf(const Profile& profile, const LaunchSite& site)
{
    if (!profile.worker.empty())
        return profile.worker;
    return profile.isRemote() || site.worker.empty() ? "outlay-probe" : site.worker;
}

/// Threads that spin while they wait would take the cores of the measurement beside.
Words environmentOf(const Profile& profile, const Slots& slots)
{
    Words all;
    if (slots.cores > 0)
        all = {"OMP_NUM_THREADS=" + std::to_string(slots.cores), "OMP_WAIT_POLICY=passive"};
    all.insert(all.end(), profile.environment.begin(), profile.environment.end());
    return all;
}

Words slurmSubmitWords(const Profile& profile)
{
    // What the desktop's environment holds doesn't leak into the job. The shell that Slurm starts becomes the worker:
    // else the worker would outlive it.
    Words words{"sbatch",
                "--parsable",
                "--job-name={name}",
                "--array={tasks}{throttle}",
                "--requeue",
                "--open-mode=append",
                "--time={minutes}",
                "--ntasks=1",
                "--cpus-per-task={cores}",
                "--chdir={folder}",
                "--output={folder}/logs/%A_%a.out",
                "--export=NIL",
                "--wrap=exec {command} --task $SLURM_ARRAY_TASK_ID"};
    if (!profile.partition.empty())
        words.push_back("--partition=" + profile.partition);
    if (!profile.account.empty())
        words.push_back("--account=" + profile.account);
    if (profile.memoryGb)
        words.push_back("--mem={memory}");
    words.insert(words.end(), profile.submitOptions.begin(), profile.submitOptions.end());
    return words;
}

/// Tasks that have still to run or are running, each on a line.
const Words SlurmList{"squeue",   "-h",     "-r",
                      "-n",       "{name}", "-o",
                      "%K %T %r", "-t",     "PD,R,CG,CF,S,ST,RQ,RS,RF,RH,SE,SI,SO"};
const Words SlurmCancel{"scancel", "-n", "{name}"};

Words chosen(const Profile& profile, Words QueueCommands::*own, const Words& slurm)
{
    const bool isOwn = profile.commands && !((*profile.commands).*own).empty();
    return isOwn ? (*profile.commands).*own : slurm;
}

} // namespace

std::string quotedForShell(std::string_view word)
{
    std::string text = "'";
    for (const char c : word) {
        if (c == '\'')
            text += "'\\''";
        else
            text += c;
    }
    return text + "'";
}

Slots slotsOf(const Profile& profile, const LaunchSite& site)
{
    Slots slots{.cores = profile.cores.value_or(0)};
    if (profile.atOnce)
        slots.count = *profile.atOnce;
    else if (profile.kind == ProfileKind::Local && profile.cores)
        slots.count = std::max<std::int64_t>(1, site.cores / *profile.cores);
    if (profile.kind == ProfileKind::Queue && slots.cores == 0)
        slots.cores = 1; // as a queue has it
    // Several that each take all cores would measure one another.
    if (profile.kind == ProfileKind::Local && slots.count > 1 && slots.cores == 0)
        slots.cores = std::max<std::int64_t>(1, site.cores / slots.count);
    return slots;
}

Words wordsOn(const Profile& profile, const LaunchSite& site, const Words& words)
{
    if (!profile.isRemote())
        return words;
    Words all = sshWords(profile, site);
    all.push_back("exec " + inShell(words));
    return all;
}

Words workerWords(const Profile& profile, const LaunchSite& site, const Words& options)
{
    Words words{"env"};
    const Words environment = environmentOf(profile, slotsOf(profile, site));
    words.insert(words.end(), environment.begin(), environment.end());
    words.push_back(workerOf(profile, site));
    words.insert(words.end(), options.begin(), options.end());
    return wordsOn(profile, site, words);
}

std::string rangesOf(std::span<const std::int64_t> numbers)
{
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        text += (text.empty() ? "" : ",") + std::to_string(numbers[i]);
        if (last > i)
            text += "-" + std::to_string(numbers[last]);
        i = last + 1;
    }
    return text;
}

Words submitWords(const Profile& profile, const LaunchSite& site, const QueueTask& task)
{
    const Slots slots = slotsOf(profile, site);
    Words environment = environmentOf(profile, slots);
    // Nothing of the environment is passed on: not even where programs are.
    environment.insert(environment.begin(), "PATH=/usr/local/bin:/usr/bin:/bin");
    Words command{"/usr/bin/env"};
    command.insert(command.end(), environment.begin(), environment.end());
    command.insert(command.end(), {workerOf(profile, site), "--manifest", task.manifest, "--each",
                                   std::to_string(task.each), "--results", profile.folder});
    constexpr double MegabytesInGb = 1000;
    const Places places{
        {"name", task.name},
        {"tasks", rangesOf(task.tasks)},
        {"throttle", profile.atOnce ? "%" + std::to_string(*profile.atOnce) : std::string()},
        {"minutes", std::to_string(std::max(profile.minutes, task.leastMinutes))},
        {"cores", std::to_string(std::max<std::int64_t>(1, slots.cores))},
        {"memory",
         std::to_string(static_cast<std::int64_t>(profile.memoryGb.value_or(0) * MegabytesInGb))},
        {"folder", profile.folder},
        {"command", inShell(command)}};
    const Words words = chosen(profile, &QueueCommands::submit, slurmSubmitWords(profile));
    return wordsOn(profile, site, filledAll(words, places));
}

Words listWords(const Profile& profile, const LaunchSite& site, const std::string& name)
{
    return wordsOn(profile, site,
                   filledAll(chosen(profile, &QueueCommands::list, SlurmList), {{"name", name}}));
}

Words cancelWords(const Profile& profile, const LaunchSite& site, const std::string& name)
{
    return wordsOn(
        profile, site,
        filledAll(chosen(profile, &QueueCommands::cancel, SlurmCancel), {{"name", name}}));
}

} // namespace outlay::core
