// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/variants/makers.h"

namespace outlay::worker {

using namespace outlay::core;
using torch::Tensor;

void addInt8(const Context& c, Rows& rows)
{
    Network& network = *c.plain.sharedNetwork();
    const torch::NoGradGuard guard;
    network.eval();
    const auto passIn = [&](std::shared_ptr<Int8Weights> int8) {
        PassForm form = network.form();
        form.int8 = std::move(int8);
        network.setForm(std::move(form));
    };
    VariantMeasurement m = tried([&] {
        if (!c.plain.device().is_cpu() || !Int8Weights::isAvailable())
            return missing("this LibTorch has no 8-bit kernels for the device");
        const Input input =
            network.randomInput(batchOf(c.job().serving), c.job().serving.inputTokens);
        const auto int8 = std::make_shared<Int8Weights>();
        const auto pass = [&](const std::shared_ptr<Int8Weights>& weights) {
            passIn(weights);
            return network.forward(input);
        };
        const Tensor expected = pass(nullptr);
        const Tensor actual = pass(int8);
        const auto work = static_cast<double>(batchOf(c.job().serving));
        VariantMeasurement row = compare(c.bench, {[&] { (void)pass(nullptr); }, work},
                                         {[&] { (void)pass(int8); }, work}, c.seconds);
        row.difference = relativeDifference({expected}, {actual});
        row.proof = "outputs of random weights, relative; recurrent matrices stay in fp32";
        return row;
    });
    passIn(nullptr);
    network.train();
    m.subject = VariantSubject::Request;
    m.pointer = "/serving/precision";
    m.value = "\"int8\"";
    rows.add(named(std::move(m), "int8 weights"));
}

} // namespace outlay::worker
