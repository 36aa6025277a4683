// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/export/markdown_table.h"

#include "core/base/text.h"

namespace outlay::pricing {
namespace {

using core::Quantity;

/// A cell of a table, whatever the text holds.
std::string cell(std::string_view text)
{
    std::string out;
    for (const char c : core::printable(text)) {
        if (c == '|' || c == '\\')
            out += '\\';
        out += c;
    }
    return out;
}

std::string numberText(double value, core::Unit unit)
{
    const std::string number = core::plainNumber(value);
    return unit == core::Unit::One ? number : number + " " + std::string(core::symbol(unit));
}

} // namespace

std::string tableRow(const std::vector<std::string>& cells)
{
    std::string out = "|";
    for (const std::string& text : cells)
        out += " " + cell(text) + " |";
    return out + "\n";
}

std::string tableHead(const std::vector<std::string>& cells)
{
    std::string out = tableRow(cells) + "|";
    for (std::size_t i = 0; i < cells.size(); ++i)
        out += "---|";
    return out + "\n";
}

std::string plainValue(const Quantity& figure)
{
    return figure.isAvailable() ? numberText(figure.value(), figure.unit()) : "unavailable";
}

std::string plainInterval(const Quantity& figure)
{
    if (!figure.isAvailable() || figure.low() == figure.high())
        return {};
    return numberText(figure.low(), figure.unit()) + " to " +
           numberText(figure.high(), figure.unit());
}

std::string basisText(const Quantity& figure)
{
    return figure.isAvailable() ? std::string(core::name(figure.basis())) : std::string();
}

std::string figureRow(const std::string& label, const Quantity& figure)
{
    return tableRow({label, plainValue(figure), plainInterval(figure), basisText(figure),
                     figure.how().sentence()});
}

std::string briefText(const Quantity& figure)
{
    const std::string interval = plainInterval(figure);
    return plainValue(figure) + (interval.empty() ? "" : " (" + interval + ")");
}

} // namespace outlay::pricing
