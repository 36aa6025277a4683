// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/quality_view.h"

#include "gui/view/figure_view.h"
#include "gui/view/format.h"

namespace outlay::gui {
namespace {

constexpr int Digits = 8; // what was typed is shown as it was

} // namespace

QualityView makeQualityView(const core::Json& quality, const QLocale& locale)
{
    const core::Quality known = core::qualityOf(quality);
    QualityView view;
    for (const core::QualityFigure& figure : known.figures)
        view.lines.push_back(
            {toQString(figure.name), locale.toString(figure.value, 'g', Digits), figure.better});
    if (!known.curve.empty())
        view.curve = QStringLiteral("Loss over %1 epochs: %2 to %3")
                         .arg(numberText(known.curve.back().epoch, locale),
                              numberText(known.curve.front().loss, locale),
                              numberText(known.curve.back().loss, locale));
    return view;
}

core::Result<core::QualityFigure> readQualityLine(const QualityLine& line, const QLocale& locale)
{
    bool isNumber = false;
    double value = locale.toDouble(line.value.trimmed(), &isNumber);
    if (!isNumber)
        value = QLocale::c().toDouble(line.value.trimmed(), &isNumber);
    if (!isNumber)
        return core::inputError("the value can't be read", "give a number such as 0.93");
    return core::QualityFigure{line.name.simplified().toStdString(), value, line.better};
}

} // namespace outlay::gui
