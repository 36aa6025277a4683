// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/style/tokens.h"

#include <QPalette>

#include <cmath>

namespace outlay::gui {

const Tokens& lightTokens()
{
    static const Tokens Light{
        .isDark = false,
        .window = QColor(0xF4F6F8),
        .card = QColor(0xFFFFFF),
        .text = QColor(0x1A1D21),
        .secondary = QColor(0x525A66),
        .disabled = QColor(0x6B7480),
        .accent = QColor(0x094DB2),
        .onAccent = QColor(0xFFFFFF),
        .inputBorder = QColor(0x868E99),
        .cardBorder = QColor(0xD5DAE1),
        .grid = QColor(0xE6E9EE),
        .good = QColor(0x107F72),
        .caution = QColor(0x936E0C),
        .bad = QColor(0x8F1D2C),
        .series = {QColor(0x094DB2), QColor(0xD57910), QColor(0x16A192), QColor(0x7E1B4A),
                   QColor(0x9F7EF4), QColor(0x555200)},
        .rest = QColor(0x868E99),
    };
    return Light;
}

const Tokens& darkTokens()
{
    static const Tokens Dark{
        .isDark = true,
        .window = QColor(0x14171B),
        .card = QColor(0x1B1F24),
        .text = QColor(0xE8EAED),
        .secondary = QColor(0xA9B1BC),
        .disabled = QColor(0x87909C),
        .accent = QColor(0x7FB0FF),
        .onAccent = QColor(0x0B1220),
        .inputBorder = QColor(0x6E7783),
        .cardBorder = QColor(0x343B45),
        .grid = QColor(0x2A3038),
        .good = QColor(0x71E4D4),
        .caution = QColor(0xFEC66C),
        .bad = QColor(0xE0747A),
        .series = {QColor(0x3E7FEB), QColor(0xFFBB5A), QColor(0x79E7CF), QColor(0xCD5A86),
                   QColor(0xC4BBFE), QColor(0x928509)},
        .rest = QColor(0x6E7783),
    };
    return Dark;
}

QColor textOn(const QColor& ground)
{
    // The relative luminance of WCAG 2, at which black and white have the same contrast.
    constexpr double Middle = 0.179;
    constexpr double Gamma = 2.4;
    const auto linear = [](int part) {
        const double c = part / 255.0;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, Gamma);
    };
    const double luminance = 0.2126 * linear(ground.red()) + 0.7152 * linear(ground.green()) +
                             0.0722 * linear(ground.blue());
    return luminance > Middle ? Qt::black : Qt::white;
}

const Tokens& tokensOf(const QPalette& palette)
{
    constexpr int MidLightness = 128;
    return palette.color(QPalette::Window).lightness() < MidLightness ? darkTokens()
                                                                      : lightTokens();
}

} // namespace outlay::gui
