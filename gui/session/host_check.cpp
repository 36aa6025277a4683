// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/host_check.h"

#include "core/base/text.h"
#include "core/probe/job.h"
#include "gui/view/format.h"

namespace outlay::gui {
namespace {

using Answer = std::function<void(const core::Result<core::HostFacts>&)>;

/// One after the other; the first that fails is the answer.
struct HostStep {
    core::Words words;
    std::string of; // "its queue": what failed then
};

void doSteps(QObject* parent, const QString& host, std::vector<HostStep> steps,
             core::HostFacts facts, Answer answer)
{
    if (steps.empty())
        return answer(facts);
    const HostStep step = steps.front();
    steps.erase(steps.begin());
    HostCommand::run(
        parent, host, step.words, {},
        [parent, host, steps = std::move(steps), facts = std::move(facts), of = step.of,
         answer = std::move(answer)](const core::Result<QByteArray>& said) mutable {
            if (!said) {
                core::Error error = said.error();
                error.what = of + ": " + error.what;
                return answer(tl::unexpected<core::Error>(std::move(error)));
            }
            doSteps(parent, host, std::move(steps), std::move(facts), std::move(answer));
        });
}

core::Result<core::HostFacts> factsFrom(const QByteArray& said, const std::string& host)
{
    auto facts = core::readHostFacts(said.toStdString());
    if (!facts) {
        core::Error error = facts.error().in(host);
        error.code = core::ErrorCode::Measurement;
        return tl::unexpected<core::Error>(std::move(error));
    }
    if (facts->protocol != core::ProtocolVersion)
        return tl::unexpected<core::Error>(core::Error{
            core::ErrorCode::Measurement,
            "the worker there is another version: " + core::printable(facts->build, 100),
            "use the outlay and the outlay-probe of one version",
            {},
            host});
    return facts;
}

} // namespace

void checkHost(QObject* parent, const core::Profile& profile, const core::LaunchSite& site,
               Answer answer)
{
    const QString host = toQString(profile.name);
    std::vector<HostStep> steps;
    if (!profile.folder.empty())
        steps.push_back({core::workerWords(profile, site, {"--accept", profile.folder}),
                         "its folder for results"});
    if (profile.kind == core::ProfileKind::Queue)
        steps.push_back({core::listWords(profile, site, "outlay-check"), "its queue"});
    HostCommand::run(parent, host, core::workerWords(profile, site, {"--machine"}), {},
                     [parent, host, steps = std::move(steps),
                      answer = std::move(answer)](const core::Result<QByteArray>& said) mutable {
                         if (!said)
                             return answer(core::failureOf(said));
                         auto facts = factsFrom(*said, host.toStdString());
                         if (!facts)
                             return answer(facts);
                         doSteps(parent, host, std::move(steps), std::move(*facts),
                                 std::move(answer));
                     });
}

} // namespace outlay::gui
