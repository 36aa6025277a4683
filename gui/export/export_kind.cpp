// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/export/export_kind.h"

#include "gui/view/format.h"

#include <QFileInfo>

#include <algorithm>
#include <array>

namespace outlay::gui {
namespace {

struct TitleRow {
    std::string_view format;
    const char16_t* title;
};
constexpr std::array Titles{TitleRow{"json", u"Cost analysis, an experiment with its figures"},
                            TitleRow{"csv", u"All figures as a table"},
                            TitleRow{"md", u"All figures as a page of text"},
                            TitleRow{"application", u"Application for compute time"},
                            TitleRow{"focus", u"Charges of a month in FOCUS 1.2"},
                            TitleRow{"emissions", u"A run as CodeCarbon writes it"},
                            TitleRow{"boamps", u"A run as a BoAmps report"}};

QString suffixOf(const pricing::ExportFormat& format)
{
    return QFileInfo(toQString(format.file)).suffix();
}

QString filterOf(const pricing::ExportFormat& format)
{
    const auto* const row = std::find_if(
        Titles.begin(), Titles.end(), [&](const TitleRow& r) { return r.format == format.name; });
    const QString title =
        row == Titles.end() ? toQString(format.name) : QString::fromUtf16(row->title);
    return QStringLiteral("%1 (*.%2)").arg(title, suffixOf(format));
}

} // namespace

QStringList exportFilters()
{
    QStringList filters{QStringLiteral("Pictures (*.png *.svg *.pdf)")};
    for (const pricing::ExportFormat& format : pricing::exportFormats())
        filters.append(filterOf(format));
    return filters;
}

core::Result<ExportKind> exportKindOf(const QString& path, const QString& filter)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    const auto* const picture =
        std::find(PictureFormatNames.begin(), PictureFormatNames.end(), suffix.toStdString());
    if (picture != PictureFormatNames.end())
        return ExportKind(static_cast<PictureFormat>(picture - PictureFormatNames.begin()));
    const pricing::ExportFormat* first = nullptr;
    for (const pricing::ExportFormat& format : pricing::exportFormats()) {
        if (suffixOf(format) != suffix)
            continue;
        if (filterOf(format) == filter)
            return ExportKind(&format);
        if (first == nullptr)
            first = &format;
    }
    if (first != nullptr)
        return ExportKind(first);
    return tl::unexpected<core::Error>(
        core::inputError("nothing is written to a file with this ending",
                         "end its name in .png, .svg, .pdf, .json, .csv or .md")
            .value()
            .in(path.toStdString()));
}

} // namespace outlay::gui
