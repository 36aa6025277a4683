// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Recurrent against attention: a design and its twin, in which each layer that carries information from
// token to token is exchanged for one of the other kind and of equal width.
#pragma once

#include "core/workload/work.h"

namespace outlay::core {

enum class Mixing { Recurrent, Attention };
inline constexpr std::array<std::string_view, 2> MixingNames{"recurrent", "attention"};

struct Twins {
    std::optional<Mixing> own; // the kind of the design; nothing where there is no twin
    std::string why;           // there is none
    std::vector<Layer> twin;   // the whole design of the other kind
    LayerKinds recurrent;
    LayerKinds attention;
};

/// A recurrence becomes self-attention as wide as what it hands on, with heads of about 64 and behind a
/// dense layer where its input has another width; self-attention becomes an LSTM as wide as its stream.
/// Everything else stays, but for learned distances, which only attention has.
[[nodiscard]] Twins twinsOf(const std::vector<Layer>& layers);

/// What one sequence costs on paper.
struct SequenceWork {
    double flops = 0;           // a forward pass
    double stateBytes = 0;      // that serving keeps after its last token
    double activationBytes = 0; // that wait for the backward pass
};
inline constexpr std::array SequenceMeasures{&SequenceWork::flops, &SequenceWork::stateBytes,
                                             &SequenceWork::activationBytes};

struct SequenceWidths {
    double trainingBytes = 4; // per value
    double servingBytes = 4;
    Latents latents = Latents::Remade; // as serving keeps them
};

[[nodiscard]] SequenceWork sequenceWork(const LayerKinds& layers, double tokens,
                                        const SequenceWidths& widths);

/// The shortest sequence for which attention costs more than the recurrence; nothing if it never does up to
/// `MostTokensCompared`.
inline constexpr std::int64_t MostTokensCompared = std::int64_t{1} << 20;
[[nodiscard]] std::optional<std::int64_t> crossingOf(const Twins& twins,
                                                     double SequenceWork::*measure,
                                                     const SequenceWidths& widths);

} // namespace outlay::core
