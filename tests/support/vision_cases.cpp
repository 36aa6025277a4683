// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Vision transformers are encoders over the patches of a picture: passes and training steps of plain designs, by PyTorch.
#include "core/base/text.h"
#include "core/base/units.h"
#include "tests/support/table.h"
#include "tests/support/truth_cases.h"

#include <algorithm>
#include <cmath>

namespace outlay::tests {
namespace {

using namespace outlay::core;

/// Of the published designs, by the word for it in their names.
struct VisionSize {
    std::string_view word;
    std::int64_t hidden, layers, heads;
};
constexpr std::array VisionSizes{
    VisionSize{"tiny", 192, 12, 3},    VisionSize{"small", 384, 12, 6},
    VisionSize{"medium", 512, 12, 8},  VisionSize{"base", 768, 12, 12},
    VisionSize{"large", 1024, 24, 16}, VisionSize{"huge", 1280, 32, 16}};

/// Words that change nothing of what is computed but an output or two.
constexpr std::array PlainWords{std::string_view("vit"),       std::string_view("deit"),
                                std::string_view("deit3"),     std::string_view("clip"),
                                std::string_view("distilled"), std::string_view("in21ft1k")};

bool isNumber(const std::string& word)
{
    return !word.empty() && std::all_of(word.begin(), word.end(),
                                        [](unsigned char c) { return std::isdigit(c) != 0; });
}

struct Vision {
    const VisionSize* size = nullptr;
    std::int64_t patch = 0;
};

/// Nothing where the name has a word of another design.
std::optional<Vision> visionOf(const std::string& name)
{
    Vision vision;
    for (const std::string& word : split(name.substr(0, name.find('.')), '_')) {
        const auto* size = std::find_if(VisionSizes.begin(), VisionSizes.end(),
                                        [&](const VisionSize& one) { return one.word == word; });
        if (size != VisionSizes.end())
            vision.size = size;
        else if (word.starts_with("patch") && isNumber(word.substr(5)))
            vision.patch = std::strtoll(word.c_str() + 5, nullptr, 10);
        else if (!isNumber(word) &&
                 std::find(PlainWords.begin(), PlainWords.end(), word) == PlainWords.end())
            return std::nullopt;
    }
    if (vision.size == nullptr || vision.patch == 0)
        return std::nullopt;
    return vision;
}

void useDesign(TruthCase& truth, const Vision& vision)
{
    TransformerDesign d;
    d.kind = TransformerKind::Encoder;
    d.vocabulary = 1;
    d.hidden = vision.size->hidden;
    d.layers = vision.size->layers;
    d.heads = vision.size->heads;
    d.tokenTypes = 0;
    d.embeddingNorm = false;
    d.normPosition = NormPosition::Before;
    d.finalNorm = true;
    d.pooler = false;
    Model model;
    model.design = std::move(d);
    truth.layers = expand(model);
    truth.layers.insert(truth.layers.begin() + 1, {"patches",
                                                   Dense{.inputs = 3 * vision.patch * vision.patch,
                                                         .outputs = vision.size->hidden},
                                                   Stream::Tokens});
    truth.model = std::move(model);
}

struct VersionRow {
    std::string_view published;
    std::string_view ours;
    bool fuses = false; // attention, where 16 bits have a kernel for it
};
constexpr std::array Versions{VersionRow{"112", "1.12"},      VersionRow{"113", "1.13"},
                              VersionRow{"210", "2.1", true}, VersionRow{"221", "2.2", true},
                              VersionRow{"240", "2.4", true}, VersionRow{"291", "2.9", true}};

std::optional<TruthCase> visionCase(const Table& table, std::size_t row)
{
    const auto vision = visionOf(table.text(row, "model"));
    const std::string& published = table.text(row, "pytorch");
    const auto* version = std::find_if(Versions.begin(), Versions.end(),
                                       [&](const auto& one) { return one.published == published; });
    const double rate = table.number(row, "samples_per_s");
    const bool isRepeated = table.text(row, "memory_format") == "nhwc"; // nothing here has channels
    if (!vision || version == Versions.end() || rate <= 0 || isRepeated)
        return std::nullopt;
    const bool isCompiled = table.text(row, "compiled") == "1";
    const bool isTrained = table.text(row, "mode") == "train";
    const auto side = static_cast<std::int64_t>(table.number(row, "img_size")) / vision->patch;
    const auto batch = static_cast<std::int64_t>(table.number(row, "batch"));
    TruthCase truth;
    truth.device = table.text(row, "device");
    truth.group = "timm " + std::string(version->ours) + (isCompiled ? " compiled" : "");
    truth.id = truth.group + " " + truth.device + " " + table.text(row, "model");
    truth.kind = isTrained ? TruthKind::Training : TruthKind::Latency;
    useDesign(truth, *vision);
    truth.training.batch = batch;
    truth.serving.batch = batch;
    truth.serving.inputTokens = side * side + 1;
    truth.training.sequence = side * side + 1;
    const bool isFull = table.text(row, "precision") == "fp32";
    truth.training.precision = isFull ? Precision::Fp32 : Precision::Fp16;
    truth.training.optimizer = Optimizer::Momentum;
    truth.serving.outputTokens = 0;
    truth.serving.precision = isFull ? ServingPrecision::Fp32 : ServingPrecision::Fp16;
    truth.serving.engine = isCompiled ? Engine::TorchCompile : Engine::LibTorch;
    if (!version->fuses)
        truth.serving.attention = truth.training.attention = AttentionKernel::Plain;
    truth.seconds = static_cast<double>(batch) / rate;
    return truth;
}

} // namespace

Result<std::vector<TruthCase>> visionCasesIn(const std::string& path)
{
    const auto table = Table::read(path);
    if (!table)
        return failureOf(table);
    std::vector<TruthCase> cases;
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (auto truth = visionCase(*table, row))
            cases.push_back(std::move(*truth));
    }
    return cases;
}

} // namespace outlay::tests
