// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/updates.h"
#include "tests/support/test_class.h"

#include <QTest>

using outlay::core::Optimizer;
using outlay::worker::Updates;
using torch::Tensor;

namespace {

std::vector<Tensor> parameters()
{
    torch::manual_seed(3);
    std::vector<Tensor> all;
    for (const std::int64_t size : {7, 1, 40})
        all.push_back(torch::randn({size, 3}, torch::kDouble).requires_grad_());
    return all;
}

/// Others in each step.
void giveGradients(std::vector<Tensor>& all, std::uint64_t step)
{
    torch::manual_seed(step);
    for (Tensor& parameter : all)
        parameter.mutable_grad() = torch::randn_like(parameter.detach());
}

} // namespace

class TestUpdates : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // LibTorch's own optimizers are the oracle of those that change all parameters in few launches.
    void togetherIsAsOneByOne_data()
    {
        QTest::addColumn<Optimizer>("kind");
        QTest::newRow("sgd") << Optimizer::Sgd;
        QTest::newRow("momentum") << Optimizer::Momentum;
        QTest::newRow("adam") << Optimizer::Adam;
        QTest::newRow("adamw") << Optimizer::AdamW;
        QTest::newRow("adamw 8 bit") << Optimizer::AdamW8bit;
    }
    void togetherIsAsOneByOne()
    {
        QFETCH(const Optimizer, kind);
        std::vector<Tensor> a = parameters();
        std::vector<Tensor> b = parameters();
        const auto together = Updates::together(kind, a);
        const auto oneByOne = Updates::oneByOne(kind, b);
        for (std::uint64_t step = 0; step < 8; ++step) {
            together->forgetGradients();
            oneByOne->forgetGradients();
            giveGradients(a, step);
            giveGradients(b, step);
            together->step();
            oneByOne->step();
            for (std::size_t i = 0; i < a.size(); ++i)
                QVERIFY2(torch::allclose(a[i].detach(), b[i].detach(), 1e-10, 1e-14),
                         qPrintable(QStringLiteral("parameter %1, step %2").arg(i).arg(step)));
        }
        QVERIFY(!torch::allclose(a[0].detach(), parameters()[0].detach()));
    }

    void gradientsAreForgotten()
    {
        std::vector<Tensor> all = parameters();
        const auto updates = Updates::together(Optimizer::AdamW, all);
        giveGradients(all, 0);
        updates->forgetGradients();
        const Tensor before = all[0].detach().clone();
        updates->step();
        QVERIFY(torch::equal(before, all[0].detach()));
        // What has none stays, whatever the others do.
        all[1].mutable_grad() = torch::ones_like(all[1].detach());
        updates->step();
        QVERIFY(torch::equal(before, all[0].detach()));
        QVERIFY(!torch::equal(parameters()[1].detach(), all[1].detach()));
    }
};

OUTLAY_TEST(TestUpdates)
#include "tst_updates.moc"
