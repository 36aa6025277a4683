// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/about_view.h"

#include "core/base/version.h"
#include "gui/view/format.h"

#include <array>

namespace outlay::gui {
namespace {

struct PartRow {
    const char16_t* name;
    const char16_t* licence;
    const char16_t* use;
};
constexpr std::array PartsOfOthers{
    PartRow{u"Qt %1: Core, GUI, Widgets, SVG, Concurrent", u"LGPL-3.0", u"the window"},
    PartRow{u"Qt %1 Charts", u"GPL-3.0", u"the charts"},
    PartRow{u"LibTorch", u"BSD-3-Clause", u"measuring, in outlay-probe alone"},
    PartRow{u"OpenBLAS", u"BSD-3-Clause", u"the worker's products"},
    PartRow{u"oneDNN", u"Apache-2.0", u"the worker's recurrences, where it is installed"},
    PartRow{u"Gloo", u"BSD-3-Clause", u"exchange between the worker's processes"},
    PartRow{u"nlohmann/json", u"MIT", u"reading JSON"},
    PartRow{u"tl::expected", u"CC0-1.0", u"results that may be errors"},
    PartRow{u"Inter", u"OFL-1.1", u"the window's font"},
    PartRow{u"JetBrains Mono", u"OFL-1.1, Apache-2.0", u"the font of numbers"}};

/// Nothing in a cell may end it.
QString cell(const std::string& text)
{
    return toQString(text).replace(QLatin1Char('|'), QLatin1Char('/'));
}

} // namespace

QString makeAboutText(const pricing::Provenance& provenance, const QString& qtVersion)
{
    QString text = QStringLiteral("# Outlay %1\n\nWhat a machine-learning model will cost, before "
                                  "you pay for it. It works offline and sends nothing "
                                  "anywhere.\n\nCopyright 2026 The Outlay authors; "
                                  "GPL-3.0-or-later. Method version %2.\n\n## Built with\n\n"
                                  "| Part | Licence | For |\n|---|---|---|\n")
                       .arg(toQString(core::ProgramVersion), toQString(provenance.method));
    for (const PartRow& row : PartsOfOthers) {
        QString name = QString::fromUtf16(row.name);
        name.replace(QStringLiteral("%1"), qtVersion);
        text += QStringLiteral("| %1 | %2 | %3 |\n")
                    .arg(name, QString::fromUtf16(row.licence), QString::fromUtf16(row.use));
    }
    text += QStringLiteral("\n## Its data\n\n| What | As of |\n|---|---|\n");
    for (const pricing::DataRow& row : provenance.data)
        text += QStringLiteral("| %1 | %2 |\n").arg(cell(row.name), cell(row.asOf));
    text += QStringLiteral(
        "\nThey are facts, each with the source that its figure names. Epoch AI's data on "
        "accelerators, and the countries' energy mixes of Our World in Data and Ember, "
        "are used under CC BY 4.0, which asks for their names; hours of grids are relative values "
        "from Electricity Maps' data, under ODbL.\n");
    return text;
}

} // namespace outlay::gui
