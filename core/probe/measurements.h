// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The measurements of an experiment: each is read once, and which one answers a question is said here alone.
#pragma once

#include "core/probe/measurement.h"

#include <memory>
#include <span>

namespace outlay::core {

using MeasurementPtr = std::shared_ptr<const Measurement>;

/// What a measurement is asked about: a design, and how it trains and serves.
struct Asked {
    const Model& model;
    const Training& training;
    const Serving& serving;
};

/// Whether what was measured for the one answers the other, too.
[[nodiscard]] bool isSameQuestion(const Asked& a, const Asked& b);

/// Measurements to choose from, newest last. What a question finds is the newest that answers it, null where
/// none does.
class Measured {
public:
    Measured() = default;
    explicit Measured(std::vector<MeasurementPtr> rows) : m_rows(std::move(rows)) {}

    [[nodiscard]] const std::vector<MeasurementPtr>& rows() const { return m_rows; }
    [[nodiscard]] bool isEmpty() const { return m_rows.empty(); }
    [[nodiscard]] MeasurementPtr newest() const;

    /// A probe would do just this again: where the worker can't run what is asked for, it is done all the
    /// same.
    [[nodiscard]] MeasurementPtr answering(const Asked& asked) const;

    // Of just these steps of training.
    [[nodiscard]] MeasurementPtr ofSteps(const Asked& asked) const;
    [[nodiscard]] MeasurementPtr withVariants(const Asked& asked) const;
    [[nodiscard]] MeasurementPtr withProcesses(const Asked& asked) const; // on one machine
    [[nodiscard]] MeasurementPtr withMachines(const Asked& asked) const;  // that trained together
    /// All of these steps, whatever their batch.
    [[nodiscard]] std::vector<MeasurementPtr> inAnyBatch(const Asked& asked) const;

    /// Of sequences of other lengths, which depend on little of the training.
    [[nodiscard]] MeasurementPtr withLengths(const Asked& asked) const;
    [[nodiscard]] MeasurementPtr ofRequest(const Asked& asked) const;
    /// All that timed requests of any kind.
    [[nodiscard]] std::vector<MeasurementPtr> withRequests() const;
    /// Without those whose step is made up of smaller ones.
    [[nodiscard]] Measured ofWholeSteps() const;
    /// That says how fast its machine is.
    [[nodiscard]] MeasurementPtr withRates() const;

private:
    template <typename Is>
    [[nodiscard]] MeasurementPtr newestThat(const Is& is) const;

    std::vector<MeasurementPtr> m_rows;
};

/// As a file holds them. Cheap to copy, and to go on from: each measurement is held once, however many steps of undo
/// have it.
class Measurements {
public:
    Measurements();
    // Copied where they could be moved, too: none is ever without a state.
    Measurements(const Measurements&) = default;
    Measurements& operator=(const Measurements&) = default;
    ~Measurements() = default;
    /// A list. What can't be read of it is kept, and answers nothing.
    explicit Measurements(Json list);
    /// One after the other, so that a long list needn't be held.
    class Reader;

    [[nodiscard]] Measurements with(const Json& row) const;
    /// The list, made for each call.
    [[nodiscard]] Json stored() const;
    [[nodiscard]] Json stored(std::size_t row) const;
    [[nodiscard]] std::size_t size() const { return m_state->rows.size(); }
    [[nodiscard]] bool isEmpty() const { return m_state->rows.empty(); }
    /// Why rows can't be read, each with its place in the list.
    [[nodiscard]] std::vector<Error> unread() const;
    [[nodiscard]] const Measured& all() const { return m_state->all; }
    /// Those made on this machine, not by way of a profile.
    [[nodiscard]] Measured on(const HostMachine& machine) const;
    /// Those made on one of these hosts.
    [[nodiscard]] Measured onHosts(std::span<const std::string> names) const;

    bool operator==(const Measurements& other) const;

private:
    /// One of the list: as text, which is a tenth as large as its JSON in memory.
    struct Row {
        std::string text;
        MeasurementPtr read; // null where it can't be
        Error error;         // of that
    };
    using RowPtr = std::shared_ptr<const Row>;
    struct State {
        std::vector<RowPtr> rows;
        Measured all;
    };

    explicit Measurements(std::vector<RowPtr> rows);
    [[nodiscard]] static RowPtr rowOf(const Json& json);

    std::shared_ptr<const State> m_state; // never null
};

class Measurements::Reader {
public:
    void add(const Json& row) { m_rows.push_back(rowOf(row)); }
    [[nodiscard]] Measurements take() { return Measurements(std::move(m_rows)); }

private:
    std::vector<RowPtr> m_rows;
};

/// What a worker sent when it was done, with the time (UTC) unless it says one; an error where it can't be read.
[[nodiscard]] Result<Json> receivedMeasurement(Json sent, const std::string& now);
/// The same, with the host that it was made on, and what an hour of it costs where that is known.
[[nodiscard]] Json withHost(Json received, const std::string& name, std::optional<double> hourUsd);
/// The phase in which a received one was cancelled; empty where it ran to its end.
[[nodiscard]] std::string cancelledIn(const Json& received);

} // namespace outlay::core
