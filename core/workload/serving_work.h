// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Serving a request on paper: its prompt, one generated token, and the memory that it takes.
#pragma once

#include "core/base/quantity.h"
#include "core/model/model.h"
#include "core/settings/settings.h"
#include "core/workload/work.h"

namespace outlay::core {

/// Whether the model can go on by itself, token after token.
[[nodiscard]] bool generates(const Model& model);

/// The one that is asked for, else what such a model is usually served with.
[[nodiscard]] Engine engineOf(const Model& model, const Serving& serving);
/// The same where processors compute: what serves on accelerators alone is left out. Large models then
/// come as llama.cpp's files, as those in 4 bits do, small ones as they were trained. Who asks for devices that share
/// layers asks for none of these.
[[nodiscard]] Engine engineOnProcessors(const Model& model, const LayerKinds& layers,
                                        const Serving& serving);

/// Several devices each hold a part of the depth and work one after the other; those of the other engines share each
/// layer.
[[nodiscard]] bool worksInTurn(Engine engine);

/// The engine takes requests in while it answers others.
[[nodiscard]] bool takesInAsTheyCome(Engine engine);
/// Requests that it then answers at once at most.
[[nodiscard]] std::int64_t slotsOf(Engine engine, const Serving& serving);

/// The engine can check guessed tokens, of a model that goes on by itself.
[[nodiscard]] bool maySpeculate(const Model& model, const Serving& serving);
/// Tokens that are guessed before each pass; none where nothing is or can be.
[[nodiscard]] std::int64_t guessesOf(const Model& model, const Serving& serving);
/// Tokens that a pass makes on average which checks so many: those that hold, and one of its own after them.
[[nodiscard]] double madeByPass(std::int64_t guesses, double acceptance);

/// Caches of what requests begin with in common are kept, instead of reading that again.
[[nodiscard]] bool keepsPrefixes(const Model& model, const Serving& serving);
/// Tokens that each request has read and kept for itself.
[[nodiscard]] double ownTokens(const Model& model, const Serving& serving);
/// Of a log-normal length, over its mean, as met by tokens: a long one is met more often.
[[nodiscard]] inline double metLength(double spread)
{
    return 1 + spread * spread;
}

/// Of those whose keys and values are made of one.
[[nodiscard]] Latents latentsOf(Engine engine);

struct ServingWork {
    Work prompt;      // of all requests in a batch
    Work token;       // in the middle of the output; nothing where none is generated
    Pass promptShape; // the passes that these are the work of
    Pass tokenShape;
    std::optional<Pass> checkShape; // of one that checks guessed tokens
    double stateBytes = 0;          // caches or states of one request at the end of its output
    double fixedStateBytes = 0;     // of these, whatever its length
    double sharedBytes = 0;         // caches that all requests have in common
    double weightBytes = 0;         // with those of what guesses
    double latentWeightBytes = 0;   // of these, of attention whose keys and values are made of one
    Quantity tokenFlops;            // of one request
    Quantity memory; // weights, caches or states at the end of the output, working space
};

[[nodiscard]] ServingWork servingWork(const Model& model, const LayerKinds& layers,
                                      const Serving& serving);

} // namespace outlay::core
