// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Steps in what programs print for people: progress bars that are written over and lines that count ("37/500"), as
// tqdm, Keras, Lightning and hand-written loops make them.
#pragma once

#include "core/program/lines.h"
#include "core/program/step_mark.h"

#include <map>
#include <vector>

namespace outlay::core {

/// One count in a line.
struct Count {
    std::string label; // what stands before it, without its digits; in lower case
    double done = 0;
    double of = 0;

    bool operator==(const Count&) const = default;
};

/// The last count of a line that looks like progress; nothing in dates, paths, fractions and the like.
[[nodiscard]] std::optional<Count> countIn(std::string_view line);
/// The epoch that a line names, as in "Epoch 2/10".
[[nodiscard]] std::optional<Count> epochIn(std::string_view line);

class ProgressText {
public:
    /// As it comes, in pieces of any size.
    void feed(std::string_view bytes, double atS);

    /// Of the counter that tells most: the steps of all epochs, one after the other. Counters of validation, of
    /// downloads and of epochs alone count for less than others.
    [[nodiscard]] std::vector<StepMark> marks() const;
    /// It starts again with each epoch, and nobody said how many there are.
    [[nodiscard]] bool isOfOneEpoch() const;

private:
    struct Counter {
        double of = 0;
        double before = 0; // of what was counted until it began again
        double last = -1;
        int rounds = 1;
        bool isOfEpochs = false;   // it counts these, and nothing finer
        bool isOfOneEpoch = false; // it begins again with each
        bool isOfAll = false;      // it goes on through them
        int epoch = 0;             // changes of these that it has seen
        std::vector<StepMark> marks;
    };

    void take(std::string_view line, double atS);
    void takeEpoch(const Count& epoch);
    [[nodiscard]] const Counter* best() const;

    Lines m_text{"\r\n", 4096};                // longer ones are no progress
    std::map<std::string, Counter> m_counters; // by label and what they count to
    std::optional<double> m_epochs;
    bool m_isFromZero = false;
    double m_lastEpoch = -1;
    int m_epochChanges = 0;
};

} // namespace outlay::core
