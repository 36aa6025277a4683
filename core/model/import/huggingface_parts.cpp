// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/import/huggingface_parts.h"

#include <algorithm>

namespace outlay::core {
namespace {

/// Of each of the first `count` layers, whether it has the window; nothing where the list doesn't say it of all.
std::optional<std::vector<bool>> listedWindows(const Json::Array& types, std::int64_t count)
{
    std::vector<bool> windows;
    for (const Json& type : types) {
        const std::string* name = type.asString();
        if (static_cast<std::int64_t>(windows.size()) == count)
            break;
        const bool isFull = name != nullptr && *name == "full_attention";
        const bool isWindow =
            name != nullptr && (*name == "sliding_attention" || *name == "chunked_attention");
        if (!isFull && !isWindow)
            return std::nullopt;
        windows.push_back(isWindow);
    }
    return static_cast<std::int64_t>(windows.size()) == count ? std::optional(windows)
                                                              : std::nullopt;
}

bool isSo(WindowLayers layers, const std::vector<bool>& windows)
{
    for (std::size_t i = 0; i < windows.size(); ++i) {
        if (windows[i] != isWindowed(layers, static_cast<std::int64_t>(i) + 1))
            return false;
    }
    return true;
}

} // namespace

void addDropout(ConfigReader& c, TransformerDesign& d, double usual)
{
    d.dropout = c.share({"resid_pdrop", "hidden_dropout_prob", "hidden_dropout", "resid_dropout",
                         "residual_dropout", "dropout_rate", "dropout"},
                        usual);
}

void asLlama(ConfigReader& c, TransformerDesign& d)
{
    d.kind = TransformerKind::Decoder;
    d.norm = NormKind::Rms;
    d.positions = Positions::Rotary;
    d.positionCount.reset();
    d.biases = false;
    d.gatedFeedForward = true;
    addDropout(c, d, 0);
}

std::int64_t windowOf(ConfigReader& c, std::int64_t usual)
{
    const bool isNamed = c.names("sliding_window");
    return c.size({"sliding_window"}, OptionalWidths, isNamed ? 0 : usual);
}

void seesAll(ConfigReader& c, TransformerDesign& d, const std::string& key)
{
    d.window = 0;
    d.windowLayers = WindowLayers::All;
    c.note("the windows of `" + key + "` follow no known pattern: attention is counted in full.");
}

void windowed(ConfigReader& c, TransformerDesign& d, WindowLayers usual)
{
    d.windowLayers = usual;
    const Json* listed = c.find({"layer_types"});
    if (listed == nullptr || listed->asArray() == nullptr || d.window == 0)
        return;
    const auto windows = listedWindows(*listed->asArray(), d.layers);
    if (windows && std::find(windows->begin(), windows->end(), true) == windows->end()) {
        d.window = 0;
        return;
    }
    for (const WindowLayers layers :
         {usual, WindowLayers::All, WindowLayers::Odd, WindowLayers::Even,
          WindowLayers::ThreeOfFour, WindowLayers::FiveOfSix}) {
        if (windows && isSo(layers, *windows)) {
            d.windowLayers = layers;
            return;
        }
    }
    seesAll(c, d, "layer_types");
}

void windowedBut(ConfigReader& c, TransformerDesign& d, std::int64_t usual)
{
    const std::int64_t period =
        c.size({"sliding_window_pattern", "_sliding_window_pattern"}, {1, LayerCounts.high}, usual);
    switch (period) {
    case 1: d.window = 0; break;
    case 2: windowed(c, d, WindowLayers::Odd); break;
    case 4: windowed(c, d, WindowLayers::ThreeOfFour); break;
    case 6: windowed(c, d, WindowLayers::FiveOfSix); break;
    default: seesAll(c, d, "sliding_window_pattern");
    }
}

void attentionBiasSwitch(ConfigReader& c, TransformerDesign& d, AttentionBiases meant)
{
    if (c.flag({"attention_bias"}, false))
        d.attentionBiases = meant;
}

} // namespace outlay::core
