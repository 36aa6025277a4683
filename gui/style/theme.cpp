// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/style/theme.h"

#include "gui/style/flat_style.h"

#include <QApplication>

namespace outlay::gui {
namespace {

struct TypeRow {
    double pixels;
    QFont::Weight weight;
};

/// In the order of TypeRole.
constexpr std::array<TypeRow, 8> TypeRows{{{24, QFont::DemiBold},
                                           {20, QFont::DemiBold},
                                           {14, QFont::DemiBold},
                                           {13, QFont::Normal},
                                           {13, QFont::DemiBold},
                                           {12, QFont::Normal},
                                           {11, QFont::Normal},
                                           {12, QFont::Normal}}};

QFont makeFont(const TypeRow& row, bool isMono)
{
    constexpr double PointsPerPixel = 0.75;
    QFont font;
    // The first family that is installed is taken.
    if (isMono)
        font.setFamilies({QStringLiteral("JetBrains Mono"), QStringLiteral("DejaVu Sans Mono"),
                          QStringLiteral("monospace")});
    else
        font.setFamilies({QStringLiteral("Inter"), QStringLiteral("Open Sans"),
                          QStringLiteral("DejaVu Sans"), QStringLiteral("sans-serif")});
    font.setPointSizeF(row.pixels * PointsPerPixel);
    font.setWeight(row.weight);
    // Letters that can be read without it are not shaped: it took a quarter of a slider's tick. Qt still
    // shapes the scripts that need it.
    font.setStyleStrategy(QFont::PreferNoShaping);
    return font;
}

std::array<QFont, TypeRows.size()> makeFonts()
{
    std::array<QFont, TypeRows.size()> fonts;
    for (std::size_t i = 0; i < fonts.size(); ++i)
        fonts.at(i) = makeFont(TypeRows.at(i), static_cast<TypeRole>(i) == TypeRole::Mono);
    return fonts;
}

const Tokens& chosenTokens(ThemeChoice choice, const QPalette& platform)
{
    switch (choice) {
    case ThemeChoice::Light: return lightTokens();
    case ThemeChoice::Dark: return darkTokens();
    case ThemeChoice::System: break;
    }
    return tokensOf(platform);
}

} // namespace

QFont fontOf(TypeRole role)
{
    // A font remembers what it was matched with; kept, it isn't matched again for each label. Never
    // destroyed: the fonts' own caches end before statics do.
    static const auto& all = *new std::array<QFont, TypeRows.size()>(makeFonts());
    return all.at(static_cast<std::size_t>(role));
}

QPalette paletteOf(const Tokens& tokens)
{
    QPalette p(tokens.text, tokens.card, tokens.card, tokens.cardBorder, tokens.inputBorder,
               tokens.text, tokens.text, tokens.card, tokens.window);
    p.setColor(QPalette::AlternateBase, tokens.window);
    p.setColor(QPalette::Button, tokens.card);
    p.setColor(QPalette::ButtonText, tokens.text);
    p.setColor(SecondaryText, tokens.secondary);
    p.setColor(BadText, tokens.bad);
    p.setColor(QPalette::Highlight, tokens.accent);
    p.setColor(QPalette::HighlightedText, tokens.onAccent);
    p.setColor(QPalette::Link, tokens.accent);
    p.setColor(QPalette::ToolTipBase, tokens.card);
    p.setColor(QPalette::ToolTipText, tokens.text);
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, tokens.disabled);
    return p;
}

QPalette paletteFor(ThemeChoice choice, const QPalette& platform)
{
    return paletteOf(chosenTokens(choice, platform));
}

void applyTheme(ThemeChoice choice, const QPalette& platform)
{
    if (qobject_cast<FlatStyle*>(QApplication::style()) == nullptr)
        QApplication::setStyle(FlatStyle::make()); // which owns it from now on
    QApplication::setFont(fontOf(TypeRole::Body));
    QApplication::setPalette(paletteFor(choice, platform));
}

} // namespace outlay::gui
