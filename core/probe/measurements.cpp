// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/measurements.h"

#include "core/workload/serving_work.h"
#include "core/workload/trained.h"

#include <algorithm>
#include <iterator>

namespace outlay::core {
namespace {

/// Of two ways to train all of a design only one is known.
bool isSameMethod(const Training& a, const Training& b)
{
    return a.method == b.method &&
           (a.method != Method::Lora ||
            (a.adapterRank == b.adapterRank && a.adapterTargets == b.adapterTargets &&
             a.trainedWhole == b.trainedWhole)) &&
           (a.method == Method::Full || a.frozenWeights == b.frozenWeights);
}

bool isSameButBatch(const Training& a, const Training& b)
{
    return a.sequence == b.sequence &&
           onDevices(a, 1).accumulation == onDevices(b, 1).accumulation &&
           a.precision == b.precision && a.optimizer == b.optimizer && recomputeAlike(a, b) &&
           isSameMethod(a, b);
}

bool isSameStep(const Training& a, const Training& b)
{
    return onDevices(a, 1).batch == onDevices(b, 1).batch && isSameButBatch(a, b);
}

bool isSameRequest(const Model& model, const Serving& a, const Serving& b)
{
    return a.inputTokens == b.inputTokens && a.precision == b.precision &&
           (!generates(model) || a.outputTokens == b.outputTokens);
}

/// Whether lengths of samples and ends of blocks that run again are the same, where the design has either.
bool waitsAndEndsAlike(const Model& model, const Training& a, const Training& b)
{
    if (a.packed == b.packed && a.reentrant == b.reentrant)
        return true;
    const LayerKinds layers = expand(model);
    return (a.packed == b.packed || !layers.has<Attention>()) &&
           (a.reentrant == b.reentrant || !leavesUnread(layers, b));
}

/// All that changes what an accelerator runs, or of a processor whether it keeps freed memory.
bool runsThoseKernels(const Measurement& m, const Asked& asked)
{
    const Training& its = m.trainingSettings;
    if (isProcessor(m.machine))
        return its.keepMemory == asked.training.keepMemory;
    return its.compiled == asked.training.compiled &&
           its.chunkedLoss == asked.training.chunkedLoss &&
           waitsAndEndsAlike(asked.model, its, asked.training);
}

bool hasStepsOf(const Measurement& m, const Asked& asked)
{
    return m.training.step.meanS > 0 && isSameStep(m.trainingSettings, asked.training) &&
           m.model == asked.model && runsThoseKernels(m, asked);
}

bool hasProcesses(const Measurement& m)
{
    return m.processes && m.processes->aloneStepS > 0;
}

bool hasRequests(const Measurement& m)
{
    return m.inference.count > 0 && (m.inference.p50Ms > 0 || m.inference.firstTokenMs);
}

} // namespace

template <typename Is>
MeasurementPtr Measured::newestThat(const Is& is) const
{
    // What was cancelled says less than what ran to its end, even if that is older.
    for (const bool isWhole : {true, false}) {
        const auto found =
            std::find_if(m_rows.rbegin(), m_rows.rend(), [&](const MeasurementPtr& m) {
                return m->cancelledIn.empty() == isWhole && is(*m);
            });
        if (found != m_rows.rend())
            return *found;
    }
    return nullptr;
}

MeasurementPtr Measured::newest() const
{
    return m_rows.empty() ? nullptr : m_rows.back();
}

bool isSameQuestion(const Asked& a, const Asked& b)
{
    return isSameStep(a.training, b.training) && a.training.keepMemory == b.training.keepMemory &&
           isSameRequest(b.model, a.serving, b.serving) && a.model == b.model;
}

MeasurementPtr Measured::answering(const Asked& asked) const
{
    return newestThat([&](const Measurement& m) {
        return isSameQuestion({m.model, m.askedTraining, m.askedServing}, asked);
    });
}

MeasurementPtr Measured::ofSteps(const Asked& asked) const
{
    return newestThat([&](const Measurement& m) { return hasStepsOf(m, asked); });
}

MeasurementPtr Measured::withVariants(const Asked& asked) const
{
    return newestThat(
        [&](const Measurement& m) { return !m.variants.empty() && hasStepsOf(m, asked); });
}

MeasurementPtr Measured::withProcesses(const Asked& asked) const
{
    return newestThat([&](const Measurement& m) {
        return hasProcesses(m) && m.processes->hosts.empty() && hasStepsOf(m, asked);
    });
}

MeasurementPtr Measured::withMachines(const Asked& asked) const
{
    return newestThat([&](const Measurement& m) {
        return hasProcesses(m) && !m.processes->hosts.empty() && hasStepsOf(m, asked);
    });
}

std::vector<MeasurementPtr> Measured::inAnyBatch(const Asked& asked) const
{
    std::vector<MeasurementPtr> found;
    std::copy_if(m_rows.begin(), m_rows.end(), std::back_inserter(found),
                 [&](const MeasurementPtr& m) {
                     return isSameButBatch(m->trainingSettings, asked.training) &&
                            m->model == asked.model && runsThoseKernels(*m, asked);
                 });
    return found;
}

MeasurementPtr Measured::withLengths(const Asked& asked) const
{
    return newestThat([&](const Measurement& m) {
        const Training& then = m.trainingSettings;
        return !m.lengths.empty() && then.precision == asked.training.precision &&
               recomputeAlike(then, asked.training) && m.model == asked.model;
    });
}

MeasurementPtr Measured::ofRequest(const Asked& asked) const
{
    return newestThat([&](const Measurement& m) {
        return hasRequests(m) && isSameRequest(asked.model, m.servingSettings, asked.serving) &&
               m.model == asked.model;
    });
}

std::vector<MeasurementPtr> Measured::withRequests() const
{
    std::vector<MeasurementPtr> found;
    std::copy_if(m_rows.begin(), m_rows.end(), std::back_inserter(found),
                 [](const MeasurementPtr& m) { return hasRequests(*m); });
    return found;
}

Measured Measured::ofWholeSteps() const
{
    std::vector<MeasurementPtr> found;
    std::copy_if(m_rows.begin(), m_rows.end(), std::back_inserter(found),
                 [](const MeasurementPtr& m) { return m->training.step.meanS > 0 && !m->part; });
    return Measured(std::move(found));
}

MeasurementPtr Measured::withRates() const
{
    return newestThat([](const Measurement& m) {
        return m.machine.matrixFlopsPerSecond.value_or(0) > 0 &&
               m.machine.memoryBytesPerSecond.value_or(0) > 0 && m.machine.memoryBytes > 0;
    });
}

Measurements::Measurements() : m_state(std::make_shared<const State>()) {}

Measurements::RowPtr Measurements::rowOf(const Json& json)
{
    Row row{.text = writeJson(json, JsonStyle::Compact), .read = nullptr, .error = {}};
    if (auto read = readMeasurement(json); read)
        row.read = std::make_shared<const Measurement>(std::move(*read));
    else
        row.error = read.error();
    return std::make_shared<const Row>(std::move(row));
}

Measurements::Measurements(std::vector<RowPtr> rows)
{
    std::vector<MeasurementPtr> read;
    for (const RowPtr& row : rows) {
        if (row->read)
            read.push_back(row->read);
    }
    m_state = std::make_shared<const State>(State{std::move(rows), Measured(std::move(read))});
}

Measurements::Measurements(Json list) : m_state(std::make_shared<const State>())
{
    Reader reader;
    for (Json& json : *list.asArray())
        reader.add(std::exchange(json, Json()));
    *this = reader.take();
}

Measurements Measurements::with(const Json& row) const
{
    std::vector<RowPtr> rows = m_state->rows;
    rows.push_back(rowOf(row));
    return Measurements(std::move(rows));
}

Json Measurements::stored() const
{
    Json list = Json::array();
    for (std::size_t row = 0; row < size(); ++row)
        list.append(stored(row));
    return list;
}

Json Measurements::stored(std::size_t row) const
{
    return readJson(m_state->rows.at(row)->text).value_or(Json());
}

std::vector<Error> Measurements::unread() const
{
    std::vector<Error> errors;
    for (std::size_t i = 0; i < m_state->rows.size(); ++i) {
        const Row& row = *m_state->rows[i];
        if (row.read)
            continue;
        errors.push_back(row.error);
        errors.back().place = childPointer("", i) + row.error.place;
    }
    return errors;
}

Measured Measurements::on(const HostMachine& machine) const
{
    std::vector<MeasurementPtr> rows;
    std::copy_if(all().rows().begin(), all().rows().end(), std::back_inserter(rows),
                 [&](const MeasurementPtr& m) {
                     return m->host.empty() && isSameMachine(m->machine, machine);
                 });
    return Measured(std::move(rows));
}

Measured Measurements::onHosts(std::span<const std::string> names) const
{
    std::vector<MeasurementPtr> rows;
    for (const MeasurementPtr& m : all().rows()) {
        if (std::find(names.begin(), names.end(), m->host) != names.end())
            rows.push_back(m);
    }
    return Measured(std::move(rows));
}

bool Measurements::operator==(const Measurements& other) const
{
    return m_state == other.m_state ||
           std::equal(m_state->rows.begin(), m_state->rows.end(), other.m_state->rows.begin(),
                      other.m_state->rows.end(), [](const RowPtr& a, const RowPtr& b) {
                          return a == b || a->text == b->text;
                      });
}

Result<Json> receivedMeasurement(Json sent, const std::string& now)
{
    const Json* created = sent.find("created");
    const bool hasTime =
        created != nullptr && created->asString() != nullptr && !created->asString()->empty();
    if (sent.asObject() != nullptr && !hasTime)
        sent.set("created", Json(now));
    if (const auto read = readMeasurement(sent); !read)
        return tl::unexpected<Error>(
            Error{ErrorCode::Measurement,
                  "the worker's measurement can't be read: " + read.error().what,
                  "use the outlay and the outlay-probe of one version",
                  {},
                  {}});
    return sent;
}

Json withHost(Json received, const std::string& name, std::optional<double> hourUsd)
{
    received.set("host", Json(name));
    if (hourUsd)
        received.set("host_hour_usd", Json(*hourUsd));
    return received;
}

std::string cancelledIn(const Json& received)
{
    const Json* phase = received.find("cancelled_in");
    return phase == nullptr || phase->asString() == nullptr ? std::string() : *phase->asString();
}

} // namespace outlay::core
