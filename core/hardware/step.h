// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Seconds of an optimizer step on devices that are laid out in some way, by what they are spent on.
#pragma once

#include "core/hardware/devices.h"
#include "core/hardware/roofline.h"

#include <map>
#include <tuple>

namespace outlay::core {

struct StepTime {
    PassTime kernels; // of one device
    double updateS = 0;
    double overheadS = 0;
    double betweenLayersS = 0; // sums within layers, and what stages send: nothing hides it
    double idleS = 0;          // of stages: while they fill and empty, and for the slowest
    double waitingS = 0;       // for copies, and whatever else makes devices wait
    StepShares shares;         // of this with copies

    [[nodiscard]] double notWorkingS() const { return betweenLayersS + idleS + waitingS; }
    [[nodiscard]] double total() const
    {
        return kernels.total() + updateS + overheadS + notWorkingS();
    }
};

/// Of a pass on each of those that share its layers: all of it, and what is in no block, which one stage has beside
/// its part of them.
struct PassWork {
    PassTime all;
    double endS = 0;
};
/// The same for every number of copies, of stages beyond one, and of chunks.
[[nodiscard]] PassWork passWork(const TrainingDemand& demand, const Attainable& rates,
                                const Layout& layout, const Calibration& c);

/// Of passes of one training on devices of one kind, each timed once, however many devices there are. Refers to the
/// training.
class TimedPasses {
public:
    const PassWork& of(const TrainingDemand& pass, const Attainable& rates, const Layout& layout,
                       const Calibration& c);

private:
    using Key = std::tuple<const TrainingDemand*, std::int64_t, std::int64_t, std::int64_t, bool>;
    std::map<Key, PassWork> m_works;
};

[[nodiscard]] StepTime stepTime(const TrainingDemand& demand, const Attainable& rates,
                                const Layout& layout, const Devices& on);
[[nodiscard]] StepTime stepTime(const PassWork& work, const TrainingDemand& demand,
                                const Attainable& rates, const Layout& layout, const Devices& on);

/// No sharding of that layout takes less. Exact enough to tell whether that is below `enough`, and no further.
[[nodiscard]] double leastSeconds(const PassWork& work, const TrainingDemand& demand,
                                  const Attainable& rates, const Layout& layout, const Devices& on,
                                  double enough);

/// Of a step for a global batch, however its devices are laid out: none of them ever waits.
[[nodiscard]] double leastSeconds(const TrainingDemand& demand, const Devices& on,
                                  TimedPasses& timed);

/// There and back on a device alone, but for what the host takes longer.
[[nodiscard]] PassTime passAlone(const TrainingDemand& demand, const Attainable& rates);

/// Of a device alone, whatever that is.
[[nodiscard]] StepTime stepTime(const TrainingDemand& demand, const Attainable& rates);

/// Seconds for each batch that a copy reads forward, all stages at the same time.
[[nodiscard]] double readingSeconds(const TrainingDemand& demand, const Attainable& rates,
                                    const Layout& layout, const Calibration& c);

} // namespace outlay::core
