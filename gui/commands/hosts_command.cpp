// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "gui/commands/event_loop.h"
#include "gui/commands/experiment_file.h"
#include "gui/session/host_check.h"
#include "gui/session/launcher.h"
#include "gui/view/format.h"
#include "gui/view/hosts_text.h"

#include <QCoreApplication>

#include <ostream>

namespace outlay::gui {
namespace {

core::Result<std::vector<core::Profile>> chosenProfiles(std::span<const std::string> names,
                                                        const Streams& streams)
{
    std::vector<core::Profile> profiles;
    for (const std::string& name : names) {
        auto profile = core::loadProfile(name, profileFolder());
        if (!profile)
            return core::failureOf(profile);
        profiles.push_back(std::move(*profile));
    }
    if (!names.empty())
        return profiles;
    core::ProfileFolder all = core::loadProfiles(profileFolder());
    for (const core::Error& error : all.errors)
        streams.err << "outlay: " << error.sentence() << '\n';
    return std::move(all.profiles);
}

core::Result<void> listHosts(const std::vector<core::Profile>& profiles, const Streams& streams)
{
    if (profiles.empty())
        streams.out << "No hosts are described in " << profileFolder()
                    << ": one file a host, as in\n"
                       "  gpu1.json: {\"kind\": \"ssh\", \"address\": \"me@gpu1\"}\n";
    for (const core::Profile& profile : profiles)
        streams.out << profile.name << ": "
                    << profileText(profile, QLocale(QLocale::English)).toStdString() << '\n';
    return {};
}

/// All at once; the sentences come in the order of the profiles.
core::Result<void> checkHosts(const std::vector<core::Profile>& profiles, const Streams& streams)
{
    const EventLoop loop;
    const core::LaunchSite site = launchSite();
    std::vector<std::optional<core::Result<core::HostFacts>>> answers(profiles.size());
    std::size_t missing = profiles.size();
    for (std::size_t i = 0; i < profiles.size(); ++i)
        checkHost(QCoreApplication::instance(), profiles[i], site,
                  [&, i](const core::Result<core::HostFacts>& answer) {
                      answers[i] = answer;
                      if (--missing == 0)
                          EventLoop::end();
                  });
    if (missing > 0)
        EventLoop::run();
    std::vector<core::Error> errors;
    for (std::size_t i = 0; i < profiles.size(); ++i) {
        const auto& answer = *answers[i];
        if (!answer) {
            errors.push_back(answer.error());
            continue;
        }
        streams.out << profiles[i].name << ": "
                    << factsText(*answer, QLocale(QLocale::English)).toStdString() << '\n';
        if (const QString hint = deviceHint(profiles[i], *answer); !hint.isEmpty())
            streams.out << "  " << hint.toStdString() << '\n';
    }
    return outcomeWith(errors, streams);
}

core::Result<void> runHosts(const Arguments& arguments, const Streams& streams)
{
    const std::vector<std::string>& words = arguments.files();
    const std::string action = words.empty() ? std::string("list") : words.front();
    if (action != "list" && action != "check")
        return core::usageError("there is no action " + core::inQuotes(action),
                                "give list, or check HOST");
    const std::span<const std::string> names =
        words.empty() ? std::span<const std::string>() : std::span(words).subspan(1);
    const auto profiles = chosenProfiles(names, streams);
    if (!profiles)
        return core::failureOf(profiles);
    return action == "list" ? listHosts(*profiles, streams) : checkHosts(*profiles, streams);
}

} // namespace

Command hostsCommand()
{
    constexpr std::size_t MostHosts = 1000;
    return {{.name = "hosts",
             .synopsis = "[list | check] [HOST...]",
             .summary = "Lists the machines that measurements can be made on, or tries them.",
             .options = {},
             .mostFiles = MostHosts},
            runHosts};
}

} // namespace outlay::gui
