// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/layers_view.h"

#include "gui/view/format.h"

namespace outlay::gui {
namespace {

TableCell scaledCell(double value, QStringView unit, const QLocale& locale)
{
    return {scaledText(value, unit, locale), value};
}

std::vector<TableCell> rowOf(const pricing::LayerRow& layer, const QLocale& locale)
{
    const auto count = static_cast<double>(layer.parameters);
    return {{toQString(layer.name)},
            {toQString(layer.kind)},
            {countText(count, locale), count},
            scaledCell(layer.flops, u"FLOP", locale),
            scaledCell(layer.bytes, u"B", locale),
            layer.activationBytes
                ? scaledCell(*layer.activationBytes, u"B", locale)
                : TableCell{QStringLiteral("unavailable"), -1,
                            QStringLiteral("a file of weights doesn't say how they are used")}};
}

} // namespace

LayersView makeLayersView(const pricing::Report& report, const QLocale& locale)
{
    LayersView view;
    view.table.columns = {
        {QStringLiteral("Layer"), false},      {QStringLiteral("Kind"), false},
        {QStringLiteral("Parameters"), true},  {QStringLiteral("Forward work"), true},
        {QStringLiteral("Bytes moved"), true}, {QStringLiteral("Activations"), true}};
    double flops = 0;
    for (const pricing::LayerRow& layer : report.model.layers) {
        view.table.rows.push_back(rowOf(layer, locale));
        flops += layer.flops;
    }
    view.summary = QStringLiteral("%1 layers, %2 parameters, %3 forward for one training batch")
                       .arg(locale.toString(qulonglong{report.model.layers.size()}),
                            countText(static_cast<double>(report.model.parameters), locale),
                            scaledText(flops, u"FLOP", locale));
    return view;
}

} // namespace outlay::gui
