// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/step_kernels.h"

#include "core/base/units.h"
#include "core/model/layer.h"

#include <cmath>

namespace outlay::core {
namespace {

bool isMultiple(double value, double of)
{
    return std::fmod(value, of) == 0;
}

bool isSmall(const StepShape& shape, StepNumbers numbers, bool isBackward)
{
    if (numbers == StepNumbers::Bf16)
        return false;
    if (shape.cell == Cell::Rnn)
        return shape.hidden <= (isBackward ? 256 : 384);
    return shape.hidden <= (isBackward ? 128 : 192);
}

bool isWide(const StepShape& shape, double batch)
{
    constexpr double Widest = 1024;
    constexpr double Tile = 128;
    constexpr double Samples = 8;
    const bool isTooMuch = shape.cell == Cell::Rnn && batch >= 96 && shape.hidden >= 896;
    return shape.cell != Cell::Gru && shape.directions < 2 && shape.hidden <= Widest &&
           isMultiple(shape.hidden, Tile) && batch <= Tile && isMultiple(batch, Samples) &&
           !isTooMuch;
}

} // namespace

StepKernel stepKernel(const StepShape& shape, double batch, StepNumbers numbers, bool isBackward,
                      bool holdsHalf)
{
    if (shape.hidden <= 0 || shape.isProjected)
        return StepKernel::Plain;
    if (isSmall(shape, numbers, isBackward))
        return StepKernel::Small;
    const bool hasWide = holdsHalf && numbers == StepNumbers::Fp16;
    return hasWide && isWide(shape, batch) ? StepKernel::Wide : StepKernel::Plain;
}

double residentSeconds(const ResidentRates& rates, StepKernel kernel, const StepWork& work)
{
    constexpr double Weights = 65536;
    constexpr double Crowded = 100'000;
    const bool isCrowded = kernel == StepKernel::Small && work.weights > Crowded;
    return Micro * (rates.stepUs + rates.weightsUs * work.weights / Weights +
                    (isCrowded ? rates.crowdedMegaflopUs : rates.megaflopUs) * work.flops / Mega);
}

} // namespace outlay::core
