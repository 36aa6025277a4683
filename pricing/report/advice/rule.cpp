// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/advice/rule.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/workload/training_work.h"
#include "pricing/report/offers/training_machines.h"

namespace outlay::pricing {

using core::Json;

Json patchOf(const Situation& situation, std::initializer_list<Change> changes)
{
    Json patch = Json::array();
    std::string made; // the one part that a patch may have to make
    for (const Change& change : changes) {
        const std::size_t end = change.pointer.find('/', 1);
        const std::string part(change.pointer.substr(0, end));
        if (part != made && core::valueAt(situation.file, part) == nullptr) {
            patch.append(Json::Object{{"op", "add"}, {"path", part}, {"value", Json::object()}});
            made = part;
        }
        patch.append(
            Json::Object{{"op", "add"}, {"path", change.pointer}, {"value", change.value}});
    }
    return patch;
}

std::optional<core::Devices> devicesThere(const Situation& situation)
{
    return chosenDevices(situation.subject, situation.report.training);
}

bool isTuned(const Situation& situation)
{
    constexpr double Large = 1e9;
    const core::Training& t = situation.subject.experiment.training;
    const double weights = core::real(situation.report.model.parameters);
    return weights >= Large && core::samplesOf(t) * core::real(t.sequence) * t.epochs < weights;
}

std::string fromTo(double before, double after)
{
    return core::plainNumber(before) + " -> " + core::plainNumber(after);
}

} // namespace outlay::pricing
