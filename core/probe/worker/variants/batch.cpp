// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/variants/makers.h"

namespace outlay::worker {

using namespace outlay::core;

void addBatches(const Context& c, Rows& rows)
{
    for (const double factor : {0.5, 2.0, 4.0}) {
        Training training = c.job().training;
        training.batch = static_cast<std::int64_t>(factor * static_cast<double>(training.batch));
        if (training.batch < 1)
            continue;
        VariantMeasurement m = tried([&] {
            if (!fits(c.job(), training))
                return missing("it needs more memory than is free");
            Trainer trainer(c.plain.sharedNetwork(), training, c.plain.device());
            VariantMeasurement row =
                compare(c.bench, Context::training(c.plain), Context::training(trainer), c.seconds);
            row.proof = "trains on other batches: the result differs, and the learning rate may "
                        "have to";
            return row;
        });
        m.pointer = "/training/batch";
        m.value = std::to_string(training.batch);
        rows.add(named(m, "batch " + m.value));
    }
}

} // namespace outlay::worker
