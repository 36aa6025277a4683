// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/truth_cases.h"

#include "core/base/text.h"
#include "tests/support/known_models.h"
#include "tests/support/truth_rows.h"

namespace outlay::tests {
namespace {

using namespace outlay::core;

ServingPrecision servingPrecisionOf(std::string text)
{
    for (char& c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (has(text, "int4") || has(text, "q4") || has(text, "mxfp4"))
        return ServingPrecision::Int4;
    if (has(text, "fp8"))
        return ServingPrecision::Fp8;
    if (has(text, "int8"))
        return ServingPrecision::Int8;
    if (has(text, "32"))
        return ServingPrecision::Fp32;
    return has(text, "bf") ? ServingPrecision::Bf16 : ServingPrecision::Fp16;
}

/// GNMT v2: an encoder of four layers, the first in both directions, and a decoder with attention.
std::vector<Layer> gnmt(const Row& row)
{
    const std::int64_t units = row.integer("/config/units");
    const std::int64_t words = row.integer("/config/vocab_size");
    const auto lstm = [&](std::int64_t inputs, bool both) {
        return Recurrent{
            .cell = Cell::Lstm, .inputs = inputs, .hidden = units, .bidirectional = both};
    };
    std::vector<Layer> layers{{"source", Embedding{words, units}, Stream::Memory},
                              {"encoder 1", lstm(units, true), Stream::Memory},
                              {"encoder 2", lstm(2 * units, false), Stream::Memory},
                              {"encoder 3", lstm(units, false), Stream::Memory},
                              {"encoder 4", lstm(units, false), Stream::Memory},
                              {"target", Embedding{words, units}, Stream::Tokens},
                              {"decoder 1", lstm(units, false), Stream::Tokens}};
    // It adds queries and keys: a score for each unit, as of so many heads.
    layers.push_back({"attention",
                      Attention{.width = units,
                                .memory = units,
                                .heads = units,
                                .kvHeads = units,
                                .headSize = 1,
                                .isCross = true},
                      Stream::Tokens});
    for (const char* name : {"decoder 2", "decoder 3", "decoder 4"})
        layers.push_back({name, lstm(2 * units, false), Stream::Tokens});
    layers.push_back({"words", Dense{.inputs = units, .outputs = words, .use = DenseUse::Logits},
                      Stream::Tokens});
    return layers;
}

/// A single layer whose input product was left out of the times.
bool readDeepBench(const Row& row, TruthCase& truth)
{
    const std::string arch = row.text("/config/arch");
    Recurrent layer;
    layer.cell = has(arch, "LSTM") ? Cell::Lstm : has(arch, "GRU") ? Cell::Gru : Cell::Rnn;
    layer.hidden = row.integer("/config/hidden_size");
    truth.kind = TruthKind::Recurrent;
    truth.layers = {{"layer", layer, Stream::Tokens}};
    truth.training.batch = row.integer("/config/batch");
    truth.training.sequence = row.integer("/config/timesteps");
    truth.training.optimizer = Optimizer::Sgd;
    truth.isOfKernels = true;
    truth.seconds = row.number("/measured/total_ms") / 1000;
    return truth.seconds > 0;
}

bool readGnmt(const Row& row, TruthCase& truth, double perDevice)
{
    constexpr double MeanLength = 26;         // tokens of a WMT16 sentence of at most 50
    constexpr std::int64_t PaddedLength = 32; // to the longest of its batch, which isn't counted
    if (row.text("/config/framework") == "TF1" || row.integer("/config/units") == 0 ||
        perDevice < 1)
        return false;
    truth.kind = TruthKind::Recurrent;
    truth.layers = gnmt(row);
    truth.training.attention = AttentionKernel::Plain;
    truth.training.sequence = PaddedLength;
    truth.training.batch = static_cast<std::int64_t>(perDevice);
    // Tokens of both languages were counted.
    truth.seconds = 2 * MeanLength * perDevice * static_cast<double>(truth.count) /
                    row.number("/measured/value");
    return true;
}

/// Fused where the source says so; the older ones had none.
void readAttention(const Row& row, TruthCase& truth)
{
    if (has(row.text("/config/arch"), "flash") || truth.group == "internevo")
        truth.training.attention = AttentionKernel::Fused;
    else if (truth.group != "nemo")
        truth.training.attention = AttentionKernel::Plain;
    if (has(row.text("/config/sharding"), "FULL_SHARD"))
        truth.training.sharding = Sharding::Full;
    else if (row.integer("/config/zero1") > 1)
        truth.training.sharding = Sharding::Optimizer;
    if (truth.group == "bertL" && row.integer("/config/seq_len") == 512 &&
        truth.id.starts_with("tp-bertL-pt"))
        truth.doubt = "more than the peak allows: sequences are probably binned by length";
    else if (has(row.text("/config/arch"), "Transformer-XL"))
        truth.doubt = "its memory and its adaptive softmax can't be expressed";
}

struct Units {
    double perSequence = 1; // what was counted, of a sequence
    bool isPerDevice = false;
    bool isSeconds = false; // of a step
};

bool readTransformer(const Row& row, TruthCase& truth, double perDevice, Units units)
{
    const std::string arch = row.text("/config/arch");
    TransformerDesign d = transformer(row, TransformerKind::Decoder);
    if (has(arch, "bert")) {
        d = transformer(row, TransformerKind::Encoder);
        d.languageHead = false; // a fifth of the words at most go through it
    } else if (has(arch, "bart") || has(arch, "transformer_wmt")) {
        d = transformer(row, TransformerKind::EncoderDecoder);
        d.gatedFeedForward = false;
    } else if (has(arch, "Transformer-XL")) {
        d.vocabulary = 42000; // what a token costs of an adaptive softmax of 267,735 words
    } else if (has(arch, "llama")) {
        d.gatedFeedForward = true;
        d.norm = NormKind::Rms;
        d.positions = Positions::Rotary;
    }
    // Where nobody says how many there are, as many as can be divided.
    if (const std::int64_t tensor = row.integer("/config/tp", 1); d.heads % tensor != 0)
        d.heads = std::max<std::int64_t>(1, d.heads / tensor) * tensor;
    if (d.hidden == 0 || d.layers == 0 || perDevice < 1)
        return false;
    useLayers(truth, d);
    readAttention(row, truth);
    const double accumulation = row.number("/config/grad_accum", 1);
    truth.training.batch = static_cast<std::int64_t>(perDevice);
    truth.training.accumulation = static_cast<std::int64_t>(accumulation);
    truth.training.checkpointing = row.flag("/config/gradient_checkpointing");
    truth.training.reentrant = truth.group == "internevo"; // a function of its own
    truth.interconnect = row.text("/hardware/interconnect");
    double sequences =
        perDevice * accumulation * (units.isPerDevice ? 1 : static_cast<double>(truth.count));
    if (readLayout(row, truth))
        sequences = static_cast<double>(*truth.training.globalBatch) /
                    (units.isPerDevice ? static_cast<double>(truth.count) : 1);
    const double measured = row.number("/measured/value");
    truth.seconds = units.isSeconds ? measured : sequences * units.perSequence / measured;
    return true;
}

bool readTraining(const Row& row, TruthCase& truth)
{
    const std::string unit = row.text("/unit");
    const auto precision = precisionOf(row.text("/config/precision"));
    if (!precision || row.number("/measured/value") <= 0)
        return false;
    truth.training.precision = *precision;
    if (unit.starts_with("ms forward"))
        return readDeepBench(row, truth);
    const auto devices = static_cast<double>(truth.count);
    double perDevice = row.number("/config/global_batch") / devices;
    for (const char* key : {"batch_per_gpu", "micro_batch_per_gpu", "micro_batch"}) {
        if (const double given = row.number(std::string("/config/") + key); given > 0)
            perDevice = given;
    }
    if (has(row.text("/config/arch"), "GNMT"))
        return readGnmt(row, truth, perDevice);
    const std::int64_t sequence = row.integer("/config/seq_len", row.number("/config/tgt_len"));
    truth.training.sequence = sequence;
    if (unit.starts_with("sequences/s"))
        return sequence > 0 && readTransformer(row, truth, perDevice, {});
    if (unit.starts_with("seconds per iteration"))
        return sequence > 0 && readTransformer(row, truth, perDevice, {.isSeconds = true});
    if (!unit.starts_with("tokens/s"))
        return false;
    if (const double tokens = row.number("/config/batch_tokens_per_gpu"); tokens > 0) {
        constexpr std::int64_t MeanLength = 30;
        truth.training.sequence = MeanLength;
        return readTransformer(row, truth, tokens / MeanLength, {MeanLength, false});
    }
    if (const std::int64_t memory = row.integer("/config/mem_len"); memory > 0 && sequence > 0) {
        // Transformer-XL looks back over a memory: as many tokens in sequences that are longer.
        truth.training.sequence = sequence + memory;
        const auto all = static_cast<double>(sequence + memory);
        return readTransformer(row, truth, perDevice * static_cast<double>(sequence) / all,
                               {all, false});
    }
    return sequence > 0 &&
           readTransformer(row, truth, perDevice,
                           {static_cast<double>(sequence), unit.starts_with("tokens/s/GPU")});
}

bool useKnownModel(TruthCase& truth, const std::string& name)
{
    auto model = knownModel(name);
    if (!model)
        return false;
    truth.layers = expand(*model);
    truth.model = std::move(model);
    return true;
}

struct ColumnRow {
    std::string_view begin;
    Engine engine;
};
constexpr std::array Columns{ColumnRow{"TorchScript", Engine::LibTorch},
                             ColumnRow{"TF", Engine::TensorFlow},
                             ColumnRow{"TP1, PP1", Engine::FasterTransformer},
                             ColumnRow{"single GPU", Engine::FasterTransformer},
                             ColumnRow{"FT|Latency (ms)", Engine::FasterTransformer}};

/// Seconds where a table has one column for each framework: the plain one's.
void readColumn(const Json& row, TruthCase& truth)
{
    const Json* latency = valueAt(row, "/measured/latency_ms");
    if (latency == nullptr || latency->asObject() == nullptr)
        return;
    for (const JsonMember& member : *latency->asObject()) {
        for (const ColumnRow& column : Columns) {
            if (!member.value.isNumber() || !has(member.key, column.begin))
                continue;
            truth.seconds = member.value.number() / 1000;
            truth.serving.engine = column.engine;
            return;
        }
    }
}

bool readEncoder(const Json& json, const Row& row, TruthCase& truth)
{
    truth.count = 1;
    truth.kind = TruthKind::Latency;
    TransformerDesign d = transformer(row, TransformerKind::Encoder);
    d.languageHead = false;
    useLayers(truth, d);
    truth.serving.inputTokens = row.integer("/config/seq_len");
    truth.serving.outputTokens = 0;
    const std::string precision = row.text("/config/precision");
    truth.serving.precision = precision == "FP32" || precision == "fp32" ? ServingPrecision::Fp32
                                                                         : ServingPrecision::Fp16;
    readColumn(json, truth);
    truth.serving.attention = AttentionKernel::Plain; // older than its kernel
    if (precision == "TF32")
        truth.doubt = "served precisions have no TF32";
    else if (truth.serving.engine == Engine::FasterTransformer)
        truth.doubt = "faster than the peak allows: padding was probably left out";
    else if (truth.serving.engine == Engine::LibTorch && truth.device == "T4" &&
             truth.serving.batch == 1)
        truth.doubt = "twice as slow as the same software elsewhere";
    return truth.seconds > 0 && truth.serving.inputTokens > 0;
}

bool readDecode(const Row& row, TruthCase& truth)
{
    const std::string name = row.text("/model");
    const bool isListed =
        useKnownModel(truth, row.text("/config/arch")) || useKnownModel(truth, name);
    if (!isListed)
        return false;
    truth.kind = TruthKind::Decode;
    Serving& s = truth.serving;
    s.precision = servingPrecisionOf(row.text("/config/quant") + row.text("/config/precision"));
    const std::string framework = row.text("/config/framework");
    s.engine = framework == "SGLang"       ? Engine::SgLang
               : truth.group == "llamacpp" ? Engine::LlamaCpp
               : truth.group == "mlenergy" ? Engine::Vllm
                                           : Engine::Transformers;
    const bool isQuantised = bytesPerWeight(s.precision) < 2;
    if (s.engine == Engine::Transformers && (isQuantised || has(name, "30B-A3B")))
        truth.doubt = "weights are widened in kernels of their own, or experts run one by one";
    if (has(truth.device, "M2 Ultra") || has(truth.device, "M3 Max"))
        truth.doubt = "a variant that the catalog doesn't list";
    if (const double itl = row.number("/measured/median_itl_ms"); itl > 0) {
        if (has(name, "Qwen3-8B") || has(name, "Qwen3-14B"))
            truth.doubt = has(truth.device, "B200") && row.text("/config/task") == "gpqa"
                              ? "33 to 41 ms a token at any batch: not the device"
                              : truth.doubt;
        s.batch = std::max<std::int64_t>(1, row.integer("/config/avg_batch"));
        s.inputTokens = 200;
        s.outputTokens = row.integer("/config/avg_output_len", 500);
        truth.seconds = itl / 1000;
        truth.watts = row.number("/measured/avg_power_w");
        return row.number("/config/data_parallel", 1) == 1;
    }
    s.inputTokens = std::max<std::int64_t>(1, row.integer("/config/input_len", 16));
    s.outputTokens = row.integer("/config/output_len", row.number("/config/tokens", 128));
    if (const double rate = row.number("/measured/prefill_tok_s"); rate > 0) {
        truth.kind = TruthKind::Prompt;
        s.inputTokens = row.integer("/config/tokens");
        truth.seconds = static_cast<double>(s.inputTokens) / rate;
        if (has(truth.device, "A100 SXM") && has(truth.id, "F16"))
            truth.doubt = "ten times as slow as its like";
        return truth.count == 1 && s.inputTokens > 0;
    }
    if (const double rate = row.number("/measured/decode_tok_s"); rate > 0) {
        truth.seconds = 1 / rate;
        return truth.count == 1; // several were used one after the other
    }
    const double both = row.number("/measured/speed_tok_s_prompt_plus_gen");
    if (both <= 0 || s.inputTokens > 1)
        return false;
    truth.seconds = 1 / both;
    return true;
}

bool readServing(const Json& json, const Row& row, TruthCase& truth)
{
    truth.serving.batch = std::max<std::int64_t>(1, row.integer("/config/batch", 1));
    const std::string arch = row.text("/config/arch");
    if (arch == "bert")
        return readEncoder(json, row, truth);
    if (arch != "gpt")
        return readDecode(row, truth);
    readColumn(json, truth);
    TransformerDesign d = transformer(row, TransformerKind::Decoder);
    if (truth.seconds <= 0 || d.hidden == 0)
        return false;
    truth.kind = TruthKind::Latency;
    truth.count =
        has(json.find("measured") == nullptr ? "" : writeJson(*json.find("measured")), "single GPU")
            ? 1
        : d.hidden > 8000 ? 8
                          : 1;
    useLayers(truth, d);
    truth.serving.precision = ServingPrecision::Fp16;
    truth.serving.inputTokens = row.integer("/config/input_len");
    truth.serving.outputTokens = row.integer("/config/output_len");
    return true;
}

} // namespace

bool TruthCase::isSetAside() const
{
    std::uint64_t hash = 14695981039346656037ULL; // FNV-1a: the same on every machine
    for (const char c : group + "/" + device)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    hash = (hash ^ (hash >> 33U)) * 0xff51afd7ed558ccdULL;
    return (hash >> 33U) % 3 == 0;
}

std::vector<TruthCase> truthCases(const Json& rows)
{
    std::vector<TruthCase> cases;
    if (rows.asArray() == nullptr)
        return cases;
    for (const Json& json : *rows.asArray()) {
        const Row row(json);
        TruthCase truth;
        truth.id = row.text("/id");
        const std::vector<std::string> parts = split(truth.id, '-');
        truth.group = parts.size() > 1 ? parts[1] : "";
        if (truth.group == "lambda" && parts.size() > 2)
            truth.group += " " + parts[2];
        truth.device = row.text("/hardware/gpu");
        truth.count = std::max<std::int64_t>(1, row.integer("/hardware/num_gpus", 1));
        const bool isRead = truth.id.starts_with("tp-")   ? readTraining(row, truth)
                            : truth.id.starts_with("tr-") ? readRun(row, truth)
                                                          : readServing(json, row, truth);
        if (isRead)
            cases.push_back(std::move(truth));
    }
    return cases;
}

} // namespace outlay::tests
