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

TypeRow typeOf(TypeRole role)
{
    switch (role) {
    case TypeRole::Figure: return {24, QFont::DemiBold};
    case TypeRole::PageTitle: return {20, QFont::DemiBold};
    case TypeRole::CardTitle: return {14, QFont::DemiBold};
    case TypeRole::Body: return {13, QFont::Normal};
    case TypeRole::StrongBody: return {13, QFont::DemiBold};
    case TypeRole::Secondary: return {12, QFont::Normal};
    case TypeRole::Axis: return {11, QFont::Normal};
    case TypeRole::Mono: return {12, QFont::Normal};
    }
    return {13, QFont::Normal};
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
    constexpr double PointsPerPixel = 0.75;
    const TypeRow row = typeOf(role);
    QFont font;
    // The first family that is installed is taken.
    if (role == TypeRole::Mono)
        font.setFamilies({QStringLiteral("JetBrains Mono"), QStringLiteral("DejaVu Sans Mono"),
                          QStringLiteral("monospace")});
    else
        font.setFamilies({QStringLiteral("Inter"), QStringLiteral("Open Sans"),
                          QStringLiteral("DejaVu Sans"), QStringLiteral("sans-serif")});
    font.setPointSizeF(row.pixels * PointsPerPixel);
    font.setWeight(row.weight);
    return font;
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
