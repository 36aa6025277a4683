// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/export/picture.h"

#include "gui/style/theme.h"
#include "gui/view/format.h"
#include "gui/view/picture_view.h"
#include "gui/widgets/labels.h"
#include "gui/window/dashboard.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QVBoxLayout>

#include <algorithm>

namespace outlay::gui {
namespace {

/// The picture as widgets that are never shown.
std::unique_ptr<QWidget> compose(const PanelInput& input, const PictureRequest& request,
                                 const QLocale& locale)
{
    const PictureView view = makePictureView(input.report, locale);
    auto page = std::make_unique<QWidget>();
    page->setPalette(paletteOf(request.isDark ? darkTokens() : lightTokens()));
    page->setAutoFillBackground(true);
    auto* layout = new QVBoxLayout(page.get());
    layout->setContentsMargins(size::Wide, size::Wide, size::Wide, size::Large);
    layout->setSpacing(size::Large);
    auto* head = new QVBoxLayout;
    head->setSpacing(size::Tiny);
    head->addWidget(makeLabel(view.title, TypeRole::PageTitle, page.get()));
    head->addWidget(makeQuietLabel(view.subtitle, TypeRole::Body, page.get()));
    layout->addLayout(head);
    auto* tiles = new TileRow(locale, page.get());
    auto* dashboard = new Dashboard(locale, page.get());
    tiles->setInput(input);
    dashboard->setInput(input);
    layout->addWidget(tiles);
    layout->addWidget(dashboard, 1);
    for (const QString& line : {view.assumptions, view.provenance})
        layout->addWidget(makeQuietLabel(line, TypeRole::Axis, page.get(), Wrap::Yes));
    page->setFixedSize(request.size);
    return page;
}

void paint(QPaintDevice& device, const PanelInput& input, const PictureRequest& request,
           const QLocale& locale)
{
    const std::unique_ptr<QWidget> page = compose(input, request, locale);
    // The first picture settles layouts that depend on the final width.
    static_cast<void>(page->grab(QRect(0, 0, 1, 1)));
    QPainter painter(&device);
    const double across = static_cast<double>(painter.window().width()) / request.size.width();
    const double down = static_cast<double>(painter.window().height()) / request.size.height();
    painter.scale(std::min(across, down), std::min(across, down));
    page->render(&painter);
}

QByteArray paintPdf(const PanelInput& input, const PictureRequest& request, const QLocale& locale)
{
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter pdf(&buffer);
    constexpr int ScreenDpi = 96;
    constexpr double PointsPerPixel = 0.75;
    pdf.setResolution(ScreenDpi);
    pdf.setPageSize(QPageSize(QSizeF(request.size) * PointsPerPixel, QPageSize::Point, QString(),
                              QPageSize::ExactMatch));
    pdf.setPageMargins(QMarginsF());
    pdf.setTitle(toQString(input.report.name));
    paint(pdf, input, request, locale);
    return content;
}

QByteArray paintSvg(const PanelInput& input, const PictureRequest& request, const QLocale& locale)
{
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setSize(request.size);
    svg.setViewBox(QRect(QPoint(), request.size));
    svg.setTitle(toQString(input.report.name));
    paint(svg, input, request, locale);
    return content;
}

} // namespace

core::Result<void> check(const PictureRequest& request)
{
    const QSize s = request.size;
    const bool isSizeFine =
        s.width() >= LeastPicture.width() && s.height() >= LeastPicture.height() &&
        s.width() <= LargestPicture.width() && s.height() <= LargestPicture.height();
    if (!isSizeFine)
        return core::usageError("a picture of " + std::to_string(s.width()) + " x " +
                                    std::to_string(s.height()) + " can't be made",
                                "give a size from 800 x 600 to 8192 x 8192");
    constexpr double LeastScale = 0.5;
    constexpr double MostScale = 4;
    if (!(request.scale >= LeastScale && request.scale <= MostScale))
        return core::usageError("the scale of the picture is out of range",
                                "give a number from 0.5 to 4");
    return {};
}

QImage paintImage(const PanelInput& input, const PictureRequest& request, const QLocale& locale)
{
    QImage image((QSizeF(request.size) * request.scale).toSize(), QImage::Format_RGB32);
    image.fill(request.isDark ? darkTokens().window : lightTokens().window);
    image.setDevicePixelRatio(request.scale);
    const std::unique_ptr<QWidget> page = compose(input, request, locale);
    static_cast<void>(page->grab(QRect(0, 0, 1, 1)));
    page->render(&image);
    return image;
}

QByteArray paintVector(const PanelInput& input, const PictureRequest& request, PictureFormat format,
                       const QLocale& locale)
{
    return format == PictureFormat::Pdf ? paintPdf(input, request, locale)
                                        : paintSvg(input, request, locale);
}

QByteArray encodePng(const QImage& image)
{
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    constexpr int FastCompression = 80; // a third of the time for a tenth of the size
    image.save(&buffer, "PNG", FastCompression);
    return content;
}

core::Result<void> savePicture(const QByteArray& content, const QString& path)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit())
        return tl::unexpected<core::Error>(
            core::inputError("the picture can't be written: " + file.errorString().toStdString(),
                             "choose another folder, or make room")
                .value()
                .in(path.toStdString()));
    return {};
}

PictureFormat formatOf(const QString& path)
{
    const std::string suffix = QFileInfo(path).suffix().toLower().toStdString();
    const auto* found =
        std::find(PictureFormatNames.begin(), PictureFormatNames.end(), std::string_view(suffix));
    return found == PictureFormatNames.end()
               ? PictureFormat::Png
               : static_cast<PictureFormat>(found - PictureFormatNames.begin());
}

} // namespace outlay::gui
