// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure/layer_times.h"

namespace outlay::worker {

using namespace outlay::core;

std::vector<LayerTime> measureLayers(const Bench& bench, Trainer& trainer, double seconds)
{
    const std::shared_ptr<Network> network = trainer.sharedNetwork();
    const auto clock = std::make_shared<LayerClock>(trainer.device());
    PassForm form = network->form();
    form.clock = clock;
    network->setForm(std::move(form));
    const std::size_t count = network->layers().size();
    std::vector<std::vector<double>> forwardS(count);
    std::vector<std::vector<double>> backwardS(count);
    const double end = wallClock() + seconds;
    constexpr int MostSteps = 9;
    for (int step = 0; step < MostSteps && (step < 1 || wallClock() < end); ++step) {
        bench.tick("layers", step);
        trainer.step();
        auto times = clock->take();
        for (std::size_t i = 0; i < count; ++i) {
            const LayerClock::Times& time = times[network->pieces()[i].get()];
            forwardS[i].push_back(time.forwardS);
            backwardS[i].push_back(time.backwardS);
        }
    }
    PassForm plain = network->form();
    plain.clock = nullptr;
    network->setForm(std::move(plain));
    std::vector<LayerTime> layers;
    for (std::size_t i = 0; i < count; ++i)
        layers.push_back({network->layers()[i].name, median(forwardS[i]), median(backwardS[i])});
    return layers;
}

} // namespace outlay::worker
