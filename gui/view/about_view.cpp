// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/about_view.h"

#include "core/base/version.h"
#include "gui/view/format.h"

#include <QStringList>

#include <algorithm>

namespace outlay::gui {
namespace {

/// The rows of the first table below a heading, each as its cells.
QList<QStringList> tableBelow(const QString& text, const QString& heading)
{
    QList<QStringList> rows;
    const QString below = text.mid(text.indexOf(heading));
    for (const QString& line : below.split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1Char('|')))
            rows.append(line.mid(2, line.size() - 4).split(QStringLiteral(" | ")));
        else if (!rows.isEmpty())
            break;
    }
    return rows.mid(2); // the heads, and the line below them
}

QString rowOf(const QStringList& cells)
{
    return QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
}

/// Nothing in a cell may end it.
QString cell(const std::string& text)
{
    return toQString(text).replace(QLatin1Char('|'), QLatin1Char('/'));
}

QString partsText(const QString& licences, const QString& qtVersion)
{
    QString text = QStringLiteral("\n## Built with\n\n| Part | Licence | For |\n|---|---|---|\n");
    for (QStringList cells : tableBelow(licences, QStringLiteral("## Programs and fonts"))) {
        cells.front().replace(QStringLiteral("Qt 6"), QStringLiteral("Qt ") + qtVersion);
        text += rowOf(cells.mid(0, 3));
    }
    return text;
}

QString dataText(const pricing::Provenance& provenance)
{
    constexpr qsizetype Digits = 12; // of the hash; all of them are in a Report's JSON
    QString text = QStringLiteral("\n## Its data\n\n| What | As of | SHA-256 |\n|---|---|---|\n");
    for (const pricing::DataRow& row : provenance.data)
        text += rowOf({cell(row.name), cell(row.asOf),
                       toQString(row.hash).left(Digits) + QStringLiteral("…")});
    return text;
}

/// What the licence is; the list says beside it how that is known.
QString shortLicence(const QString& licence)
{
    qsizetype end = licence.size();
    for (const char* mark : {";", " (", ":", ". ", ", as", " by "}) {
        if (const qsizetype at = licence.indexOf(QLatin1String(mark)); at > 0)
            end = std::min(end, at);
    }
    return licence.left(end);
}

/// Of what the program holds; the list has sources of its tests, too.
QString sourcesText(const QString& licences)
{
    QString text =
        QStringLiteral("\n## What its data are from\n\nFacts alone; each figure names its source."
                       "\n\n| Source | Licence |\n|---|---|\n");
    for (const QStringList& cells : tableBelow(licences, QStringLiteral("## Data"))) {
        const QString use = cells.value(2);
        if (use.contains(QStringLiteral(".json`")) && !use.startsWith(QStringLiteral("`tests/")) &&
            use != QStringLiteral("the same file"))
            text += rowOf({cells.front(), shortLicence(cells.value(1))});
    }
    return text;
}

} // namespace

QString makeAboutText(const pricing::Provenance& provenance, const QString& qtVersion,
                      const QString& licences)
{
    return QStringLiteral("# Outlay %1\n\nWhat a machine-learning model will cost, before "
                          "you pay for it. It works offline and sends nothing "
                          "anywhere.\n\nCopyright 2026 The Outlay authors; "
                          "GPL-3.0-or-later. Method version %2.\n")
               .arg(toQString(core::ProgramVersion), toQString(provenance.method)) +
           partsText(licences, qtVersion) + dataText(provenance) + sourcesText(licences);
}

} // namespace outlay::gui
