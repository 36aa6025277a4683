// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/export/picture.h"

#include "gui/export/comparison_page.h"
#include "gui/panels/dashboard.h"
#include "gui/style/theme.h"
#include "gui/widgets/labels.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QPushButton>
#include <QSaveFile>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSvgGenerator>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace outlay::gui {
namespace {

void addSubject(QVBoxLayout& layout, const PanelInput& input, PictureSubject subject,
                const DisplayLocale& locale, QWidget* page)
{
    if (subject == PictureSubject::Comparison)
        return layout.addWidget(makeComparisonPage(input, locale, page), 1);
    auto* verdict = new VerdictLine(locale, page);
    auto* tiles = new TileRow(locale, page);
    auto* dashboard = new Dashboard(locale, page);
    verdict->setInput(input);
    tiles->setInput(input);
    dashboard->setInput(input);
    layout.addWidget(verdict);
    layout.addWidget(tiles);
    layout.addWidget(dashboard, 1);
}

/// Nobody can scroll a picture: lists show the rows that they have whole.
void cutLists(const QWidget& page)
{
    for (QScrollArea* list : page.findChildren<QScrollArea*>()) {
        list->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        list->verticalScrollBar()->hide(); // a list that was never shown keeps it until then
        const int room = list->viewport()->height();
        for (QWidget* row : list->widget()->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
            if (row->geometry().bottom() >= room)
                row->hide();
        }
    }
}

/// A small picture is the usual one made smaller, and a large one is made larger: cards keep their
/// places, and words can be read.
double factorFor(const QSize& wanted, const QWidget& page)
{
    const double factor = std::clamp(1.0, wanted.width() / double{size::MostPictureWidth},
                                     wanted.width() / double{size::LeastPictureWidth});
    const int width = qRound(wanted.width() / factor);
    const double height = page.layout()->totalMinimumHeightForWidth(width);
    return std::min(factor, wanted.height() / height);
}

/// The picture as widgets that are never shown.
std::unique_ptr<QWidget> compose(const PanelInput& input, const PictureRequest& request,
                                 const DisplayLocale& locale)
{
    const PictureView view =
        makePictureView(input.experiment, input.report, request.subject, locale);
    auto made = std::make_unique<QWidget>();
    QWidget* page = made.get();
    page->setPalette(paletteOf(request.isDark ? darkTokens() : lightTokens()));
    page->setAutoFillBackground(true);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(size::Wide, size::Wide, size::Wide, size::Large);
    layout->setSpacing(size::Large);
    auto* head = new QVBoxLayout;
    head->setSpacing(size::Tiny);
    head->addWidget(makeLabel(view.title, TypeRole::PageTitle, page));
    head->addWidget(makeQuietLabel(view.subtitle, TypeRole::Body, page));
    layout->addLayout(head);
    addSubject(*layout, input, request.subject, locale, page);
    for (QPushButton* button : page->findChildren<QPushButton*>())
        button->hide(); // nobody can press it
    for (QToolButton* chip : page->findChildren<QToolButton*>()) {
        const QSignalBlocker quiet(chip); // it names a series, and shows it
        chip->setCheckable(false);
        chip->setAutoRaise(true);
    }
    auto* foot = new QVBoxLayout;
    foot->setSpacing(size::Tiny);
    for (const QString& line :
         QStringList{view.work, view.places + QStringLiteral(" · ") + view.assumptions, view.dates,
                     view.provenance})
        foot->addWidget(makeQuietLabel(line, TypeRole::Axis, page, Wrap::Yes));
    layout->addLayout(foot);
    page->setFixedSize((QSizeF(request.size) / factorFor(request.size, *page)).toSize());
    // The first picture settles layouts that depend on the final width.
    static_cast<void>(page->grab(QRect(0, 0, 1, 1)));
    cutLists(*page);
    return made;
}

void paint(QPaintDevice& device, const PanelInput& input, const PictureRequest& request,
           const DisplayLocale& locale)
{
    const std::unique_ptr<QWidget> page = compose(input, request, locale);
    QPainter painter(&device);
    painter.scale(static_cast<double>(painter.window().width()) / page->width(),
                  static_cast<double>(painter.window().height()) / page->height());
    page->render(&painter);
}

QByteArray paintPdf(const PanelInput& input, const PictureRequest& request,
                    const DisplayLocale& locale)
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
    pdf.setTitle(makePictureView(input.experiment, input.report, request.subject, locale).title);
    paint(pdf, input, request, locale);
    return content;
}

QByteArray paintSvg(const PanelInput& input, const PictureRequest& request,
                    const DisplayLocale& locale)
{
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setSize(request.size);
    svg.setViewBox(QRect(QPoint(), request.size));
    svg.setTitle(makePictureView(input.experiment, input.report, request.subject, locale).title);
    paint(svg, input, request, locale);
    return content;
}

} // namespace

std::string_view fileStem(PictureSubject subject)
{
    return subject == PictureSubject::Comparison ? "cost_comparison" : "cost_dashboard";
}

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
    constexpr double MostPixels = 1.5e8; // 600 MB in memory
    if (s.width() * request.scale * s.height() * request.scale > MostPixels)
        return core::usageError("the picture has too many pixels",
                                "give a smaller size or scale, up to 150 million pixels in all");
    return {};
}

QImage paintImage(const PanelInput& input, const PictureRequest& request,
                  const DisplayLocale& locale)
{
    QImage image((QSizeF(request.size) * request.scale).toSize(), QImage::Format_RGB32);
    if (image.isNull())
        return image;
    paint(image, input, request, locale);
    return image;
}

QByteArray paintVector(const PanelInput& input, const PictureRequest& request, PictureFormat format,
                       const DisplayLocale& locale)
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

} // namespace outlay::gui
