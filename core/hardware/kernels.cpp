// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/kernels.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {
double AttentionShape::pairs() const
{
    const double first = past + 1;
    const double last = past + queries;
    if (window <= 0 || last <= window)
        return queries * (first + last) / 2;
    if (first >= window)
        return queries * window;
    const double growing = window - first + 1; // positions that see all before them
    return growing * (first + window) / 2 + (queries - growing) * window;
}

double AttentionShape::tiles() const
{
    constexpr double Positions = 128;
    return batch * heads * std::ceil(queries / Positions);
}

double ExchangeShape::wireBytes() const
{
    const double others = (devices - 1) / devices * bytes;
    return kind == Exchange::Sum ? 2 * others : others;
}

LinkSpeed speedOf(const ExchangeRates& rates, double linkBytesPerS)
{
    return {.bytesPerS = linkBytesPerS * rates.share,
            .callS = rates.latencyUs * Micro,
            .deviceS = rates.deviceUs * Micro,
            .settleS = rates.settleUs * Micro,
            .settlePower = rates.settlePower};
}

double startSeconds(const ExchangeShape& shape, const LinkSpeed& on)
{
    if (shape.devices < 2)
        return 0;
    return on.callS + std::log2(shape.devices) * on.latencyS + on.deviceS * (shape.devices - 1) +
           on.settleS * std::pow(shape.bytes / Mega, on.settlePower);
}

double exchangeSeconds(const ExchangeShape& shape, const LinkSpeed& on)
{
    return startSeconds(shape, on) + shape.wireBytes() / on.bytesPerS;
}

} // namespace outlay::core
