// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Machines to measure on, as somebody describes them once, in a file that a lab can share.
#pragma once

#include "core/base/fields.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace outlay::core {

/// This machine, one that ssh reaches, or many behind a queue.
enum class ProfileKind { Local, Ssh, Queue };
inline constexpr std::array<std::string_view, 3> ProfileKindNames{"local", "ssh", "queue"};

/// What is measured on there.
enum class HostDevice { Cpu, Cuda };
inline constexpr std::array<std::string_view, 2> HostDeviceNames{"cpu", "cuda"};

/// How a queue is asked, each a list of words with {names} in it; empty: as Slurm is. What `list` prints has a line a
/// task: its number, its state, and why it waits.
struct QueueCommands {
    std::vector<std::string> submit;
    std::vector<std::string> list;
    std::vector<std::string> cancel;

    bool operator==(const QueueCommands&) const = default;
};

struct Profile {
    std::string name; // its file's
    ProfileKind kind = ProfileKind::Local;
    std::string address; // as ssh takes it; of a queue: where its commands are, empty for here
    std::vector<std::string> sshOptions; // "-p", "2222"
    std::string worker; // empty: the one of this program, or the one on the path there
    std::string folder; // for manifests and results; of a queue: all its machines see it
    std::vector<std::string> environment; // "NAME=VALUE"
    std::optional<HostDevice> device;     // none: as the job says
    std::optional<std::int64_t> atOnce;   // measurements
    std::optional<std::int64_t> cores;    // of each
    std::optional<double> hourPriceUsd;   // of one machine
    std::string partition;
    std::string account;
    std::optional<double> memoryGb;
    std::int64_t minutes = 60; // that a task may take, at least
    std::vector<std::string> submitOptions;
    std::optional<QueueCommands> commands;

    /// Not on this machine, or by way of another.
    [[nodiscard]] bool isRemote() const { return !address.empty(); }
    bool operator==(const Profile&) const = default;
};

void describe(FieldVisitor& v, QueueCommands& c);
void describe(FieldVisitor& v, Profile& p);

/// An error names the key; so does one for a profile that can't be used.
[[nodiscard]] Result<Profile> readProfile(const Json& json, std::string name);

/// "name": one of `folder`; with a "/" or ".json" a file anywhere.
[[nodiscard]] Result<Profile> loadProfile(const std::string& nameOrPath, const std::string& folder);
/// Sorted; a file that can't be read is one more error.
struct ProfileFolder {
    std::vector<Profile> profiles;
    std::vector<Error> errors;
};
[[nodiscard]] ProfileFolder loadProfiles(const std::string& folder);
[[nodiscard]] Result<void> saveProfile(const Profile& profile, const std::string& folder);

} // namespace outlay::core
