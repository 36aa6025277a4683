// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The only place with colours and sizes in pixels: what each is for, in light and in dark.
#pragma once

#include <QColor>

#include <array>

class QPalette;

namespace outlay::gui {

struct Tokens {
    bool isDark = false;
    QColor window;
    QColor card;
    QColor text;
    QColor secondary; // text
    QColor disabled;  // text
    QColor accent;
    QColor onAccent;
    QColor inputBorder;
    QColor cardBorder; // decoration only
    QColor grid;       // decoration only
    QColor good;
    QColor caution;
    QColor bad;
    std::array<QColor, 6> series; // in this order; a seventh colour does not exist
    QColor rest;                  // grey: what has no colour of its own, together

    /// The colour of a mark: of its series, behind the last one of all the rest.
    [[nodiscard]] const QColor& mark(std::size_t index) const
    {
        return index < series.size() ? series.at(index) : rest;
    }
};

[[nodiscard]] const Tokens& lightTokens();
[[nodiscard]] const Tokens& darkTokens();

/// The tokens that a palette was made from, by the lightness of its window. Widgets take their
/// colours from their own palette, so a picture may have another theme than the window.
[[nodiscard]] const Tokens& tokensOf(const QPalette& palette);

/// Black or white, whichever is read better on this.
[[nodiscard]] QColor textOn(const QColor& ground);

/// Logical pixels on a grid of 4.
namespace size {
inline constexpr int Hairline = 1;
inline constexpr int Tiny = 4;
inline constexpr int Small = 8;
inline constexpr int Medium = 12;
inline constexpr int Large = 16;
inline constexpr int Wide = 24;
inline constexpr int Control = 32; // height of a control and of a row, least target
inline constexpr int Icon = 16;
inline constexpr int CardRadius = 6;
inline constexpr int ControlRadius = 4;
inline constexpr int FocusWidth = 2;
inline constexpr int SliderHeight = 20;
inline constexpr int SliderHandle = 14;
inline constexpr int SliderGroove = 4;
inline constexpr int Check = 16;
inline constexpr int ScrollBar = 10;
inline constexpr double DoughnutHole = 0.62; // of its radius
inline constexpr int ThickestBar = 24;       // of a chart
inline constexpr int Mark = 8;
inline constexpr int Arrow = 8;
inline constexpr int LineWidth = 2;
inline constexpr double LineMiddle = 1.5; // between a hairline and a line
inline constexpr double DotRadius = 2.5;
inline constexpr int BubbleAlpha = 200; // what is behind one is seen; its rim is whole
inline constexpr int MarkerSize = 8;
inline constexpr int Designer = 288;
inline constexpr int FieldWidth = 112;
inline constexpr int LeastCard = 280;
inline constexpr int TwoCards = 2 * LeastCard; // side by side from this width on
inline constexpr int LeastTile = 124;
inline constexpr int BadgeBesideFrom = 190; // narrower figures have their badge below
inline constexpr int ChartInPanel = 150;
inline constexpr int TwoChartsInPanel = 2 * ChartInPanel; // one below the other
inline constexpr int ChartBesideLines = 116;              // in a panel that has rows below it
inline constexpr int LeastChart = 86;                     // of a few bubbles
inline constexpr int GaugeHeight = 120;
inline constexpr int ListBesideFrom = 480; // narrower charts have their list below
inline constexpr int ListBelowFrom = 440;  // so have higher ones
inline constexpr int ChartOnPage = 300;
inline constexpr int LeastPictureWidth = 1200; // smaller pictures are these made smaller
inline constexpr int MostPictureWidth = 2000;  // larger ones are these made larger
inline constexpr int LeastWindowWidth = 1024;
inline constexpr int LeastWindowHeight = 640;
inline constexpr int UsualWindowWidth = 1440;
inline constexpr int UsualWindowHeight = 900;
inline constexpr int Dialog = 480;
inline constexpr int SettingsWidth = 600;
inline constexpr int HelpWidth = 920;
inline constexpr int HelpHeight = 680;
inline constexpr int HelpList = 216;
inline constexpr int ExplainWidth = 360;
inline constexpr int SheetMargin = 40; // of a page on paper
inline constexpr int SheetPreview = 560;
} // namespace size

} // namespace outlay::gui
