// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Twelve tasks that people really have, each with what published recipes take for it: the plan is of that kind, fits, and
// ends within the days that a plan may take. docs/tasks.md shows them; OUTLAY_WRITE_TASKS=1 writes it anew.
#include "core/base/text.h"
#include "pricing/report/assumption.h"
#include "pricing/report/make_report.h"
#include "tests/support/reports.h"
#include "tests/support/stored_text.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay::core;
using namespace outlay::pricing;
using outlay::tests::experimentOf;
using outlay::tests::Today;

namespace {

const std::string Page = std::string(OUTLAY_SOURCE_DIR) + "/docs/tasks.md";

/// Memory of all devices in GB, as a recipe says it, and how many devices a plan of that kind may have.
struct Recipe {
    double gb = 0;
    double least = 1;
    double most = 1;
    const char* source = "";
};

struct Task {
    const char* name;
    Model model;
    Method method;
    FrozenWeights frozen;
    Recipe recipe;
};

Model llama(std::int64_t hidden, std::int64_t layers, std::int64_t heads, std::int64_t kvHeads,
            std::int64_t feedForward)
{
    Model model = experimentOf("llama-7b").model;
    auto& design = std::get<TransformerDesign>(model.design);
    design.hidden = hidden;
    design.layers = layers;
    design.heads = heads;
    design.kvHeads = kvHeads;
    design.feedForward = feedForward;
    return model;
}

constexpr const char* Table = "LLaMA-Factory's table of requirements, as copied on 2024-02-21 "
                              "(gist.github.com/bigsnarfdude/50319bbab6c19fced1584f06d0d3e63f)";
constexpr const char* Axolotl = "axolotl, examples/llama-2/README.md: on one GPU of 24 GB";
constexpr const char* Qlora = "Dettmers et al. 2023 (QLoRA): 65B on one GPU of 48 GB";

std::vector<Task> tasks()
{
    const Model m8 = experimentOf("llama-3.1-8b").model;
    const Model m13 = llama(5120, 40, 40, 40, 13824);
    const Model m34 = llama(8192, 48, 64, 8, 22016);
    const Model m70 = experimentOf("llama-3.1-70b-qlora").model;
    const Model experts = experimentOf("mixtral-8x7b").model;
    constexpr auto Same = FrozenWeights::Same;
    constexpr auto Nf4 = FrozenWeights::Nf4;
    return {{"8B, QLoRA", m8, Method::Lora, Nf4, {17, 1, 1, Axolotl}},
            {"8B, LoRA", m8, Method::Lora, Same, {20, 1, 1, Axolotl}},
            {"8B, everything", m8, Method::Full, Same, {160, 2, 8, Table}},
            {"13B, QLoRA", m13, Method::Lora, Nf4, {12, 1, 1, Table}},
            {"13B, LoRA", m13, Method::Lora, Same, {32, 1, 1, Table}},
            {"13B, everything", m13, Method::Full, Same, {320, 4, 8, Table}},
            {"34B, QLoRA", m34, Method::Lora, Nf4, {24, 1, 1, Table}},
            {"34B, LoRA", m34, Method::Lora, Same, {80, 1, 4, Table}},
            {"70B, QLoRA", m70, Method::Lora, Nf4, {48, 1, 8, Qlora}},
            {"70B, LoRA", m70, Method::Lora, Same, {160, 2, 8, Table}},
            {"8x7B, QLoRA", experts, Method::Lora, Nf4, {32, 1, 1, Table}},
            {"8x7B, LoRA", experts, Method::Lora, Same, {120, 1, 8, Table}}};
}

/// Ten million tokens, 16 samples of 2,048 in a step, one at once, on one machine.
Experiment experimentFor(const Task& task)
{
    Experiment e;
    e.name = task.name;
    e.model = task.model;
    e.training = {.tokens = 1e7, .sequence = 2048, .batch = 1, .globalBatch = 16};
    e.training.precision = Precision::Bf16;
    e.training.optimizer = Optimizer::AdamW;
    e.training.checkpointing = true;
    e.training.method = task.method;
    e.training.frozenWeights = task.frozen;
    e.serving.requestsPerDay = 0;
    e.plan.maxMachines = 1;
    return e;
}

struct Planned {
    std::string machine;
    double devices = 0;
    double gbEach = 0;
    double hours = 0;
    double usd = 0;
    double tokensPerS = 0;
    Fits fits = Fits::Unknown;
};

std::optional<Planned> plannedFor(const Task& task)
{
    const Report report = figuresOf(experimentFor(task), Today);
    const Recommendation& chosen = report.training.recommended;
    if (!chosen.option || !chosen.chosen)
        return std::nullopt;
    const Machine& machine = chosen.option->offer.machine;
    const TrainingForecast& f = report.training.forecasts[chosen.chosen->forecast];
    return Planned{.machine = machine.provider + " " + machine.instance + " (" +
                              plainNumber(machine.accelerators) + " x " + machine.accelerator + ")",
                   .devices = machine.accelerators,
                   .gbEach = f.memory.value() / 1e9,
                   .hours = chosen.option->hours.value(),
                   .usd = chosen.option->usd.value(),
                   .tokensPerS = f.tokensPerS.value(),
                   .fits = f.fits};
}

std::string roundedText(double value)
{
    return plainNumber(std::stod(QString::number(value, 'g', 3).toStdString()));
}

std::string page()
{
    std::string text = "# Typical tasks\n\nWhat Outlay plans for tasks that people have, beside "
                       "what published recipes say they take. "
                       "Each trains on 10 million\ntokens in bf16 with checkpointing and AdamW, 16 "
                       "samples of 2,048 tokens in a step and "
                       "one at once, on one machine; prices\nare of 2026-11-20. Hours are those "
                       "that are paid, with the start. A recipe's "
                       "memory is of all devices, with its own\nlengths and batches, so it says "
                       "the kind and not the figure. Written by "
                       "`tests/pricing/tst_tasks.cpp`, which holds the\nplans to it: memory of all "
                       "devices within half and twice the "
                       "recipe's (two and a half times where several divide it, for each has "
                       "working memory of its\nown), and no more devices than recipes of that "
                       "kind take, or than one machine has that divides frozen weights.\n\n"
                       "| Task | Plan | Memory of a device | Tokens a second | Hours | USD | "
                       "Recipe |\n|---|---|---|---|---|---|---|\n";
    for (const Task& task : tasks()) {
        const auto plan = plannedFor(task);
        text += std::string("| ") + task.name + " | ";
        if (plan)
            text += plan->machine + " | " + roundedText(plan->gbEach) + " GB | " +
                    roundedText(plan->tokensPerS) + " | " + roundedText(plan->hours) + " | " +
                    roundedText(plan->usd) + " | ";
        text += roundedText(task.recipe.gb) + " GB: " + task.recipe.source + " |\n";
    }
    return text;
}

} // namespace

class TestTasks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void plansAreOfTheKind_data()
    {
        QTest::addColumn<int>("index");
        const std::vector<Task> all = tasks();
        for (std::size_t i = 0; i < all.size(); ++i)
            QTest::newRow(all[i].name) << static_cast<int>(i);
    }
    void plansAreOfTheKind()
    {
        QFETCH(int, index);
        const Task task = tasks()[static_cast<std::size_t>(index)];
        const auto plan = plannedFor(task);
        QVERIFY(plan.has_value());
        QCOMPARE(plan->fits, Fits::Yes);
        QVERIFY(plan->hours < LongestRunDays.byDefault * 24);
        QVERIFY2(plan->devices >= task.recipe.least && plan->devices <= task.recipe.most,
                 plan->machine.c_str());
        // Where several devices divide it, each has working memory of its own.
        const double gb = plan->gbEach * plan->devices;
        const bool isOne = plan->devices <= 1;
        QVERIFY2(gb > 0.5 * task.recipe.gb && gb < (isOne ? 2 : 2.5) * task.recipe.gb,
                 qPrintable(QStringLiteral("%1 GB, the recipe %2").arg(gb).arg(task.recipe.gb)));
        QVERIFY(!isOne || gb < 80);
    }

    void thePageSaysSo()
    {
        const QString difference =
            outlay::tests::differenceFromStored(Page, page(), "OUTLAY_WRITE_TASKS");
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }
};

OUTLAY_TEST(TestTasks)
#include "tst_tasks.moc"
