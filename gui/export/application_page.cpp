// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/export/application_page.h"

#include "gui/style/theme.h"
#include "gui/view/format.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/plain_table.h"
#include "pricing/application/application_content.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <memory>

namespace outlay::gui {
namespace {

void addHeading(QVBoxLayout& layout, std::string_view text, QWidget* page)
{
    layout.addSpacing(size::Small);
    layout.addWidget(makeLabel(toQString(text), TypeRole::CardTitle, page));
}

/// With all of its rows: there is nowhere to scroll to.
void addTable(QVBoxLayout& layout, const TableData& data, QWidget* page)
{
    auto* table = new PlainTable(page);
    table->show(data);
    table->setFixedHeight(table->sizeHint().height());
    layout.addWidget(table);
}

void addTerms(QVBoxLayout& layout, const ApplicationView& view, QWidget* page)
{
    addHeading(layout, pricing::AssumptionsHeading, page);
    for (const auto& [what, value] : view.terms)
        layout.addWidget(
            makeLabel(QStringLiteral("%1: %2").arg(what, value), TypeRole::Axis, page, Wrap::Yes));
    layout.addWidget(makeLabel(view.assumptions, TypeRole::Axis, page, Wrap::Yes));
    layout.addSpacing(size::Small);
    layout.addWidget(makeQuietLabel(view.foot, TypeRole::Axis, page, Wrap::Yes));
}

std::unique_ptr<QWidget> composeSheet(const ApplicationView& view, const DisplayLocale& locale)
{
    auto made = std::make_unique<QWidget>();
    QWidget* page = made.get();
    page->setPalette(paletteOf(lightTokens()));
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(size::SheetMargin, size::SheetMargin, size::SheetMargin,
                               size::SheetMargin);
    layout->setSpacing(size::Tiny);
    layout->addWidget(makeLabel(view.title, TypeRole::PageTitle, page, Wrap::Yes));
    layout->addWidget(makeQuietLabel(view.model, TypeRole::Body, page, Wrap::Yes));
    layout->addWidget(makeQuietLabel(view.place, TypeRole::Body, page, Wrap::Yes));
    layout->addSpacing(size::Small);
    if (!view.asked.isEmpty())
        layout->addWidget(makeLabel(view.asked, TypeRole::Figure, page));
    layout->addWidget(makeLabel(view.askedFor, TypeRole::Body, page, Wrap::Yes));
    addHeading(*layout, pricing::AmountsHeading, page);
    addTable(*layout, view.amounts, page);
    layout->addWidget(makeQuietLabel(view.measured, TypeRole::Secondary, page, Wrap::Yes));
    if (!view.scaling.rows.empty()) {
        addHeading(*layout, pricing::ScalingHeading, page);
        addTable(*layout, view.scaling, page);
        if (!view.scalingNote.isEmpty())
            layout->addWidget(
                makeQuietLabel(view.scalingNote, TypeRole::Secondary, page, Wrap::Yes));
    }
    if (!view.chart.isEmpty()) {
        auto* chart = new Chart(QStringLiteral("applicationChart"), locale, page);
        chart->setMinimumHeight(size::ChartInPanel);
        chart->show(view.chart);
        for (QToolButton* chip : chart->findChildren<QToolButton*>()) {
            const QSignalBlocker quiet(chip); // it names a series, and nobody can press it
            chip->setCheckable(false);
            chip->setAutoRaise(true);
        }
        layout->addWidget(chart, 1);
    } else {
        layout->addStretch(1);
    }
    addHeading(*layout, pricing::NeedsHeading, page);
    addTable(*layout, view.needs, page);
    addTerms(*layout, view, page);
    return made;
}

const QPageSize& paper()
{
    static const QPageSize Paper(QPageSize::A4);
    return Paper;
}

/// What doesn't fit onto the sheet at its usual size is made smaller until it does.
std::unique_ptr<QWidget> fittedSheet(const ApplicationView& view, const DisplayLocale& locale)
{
    std::unique_ptr<QWidget> page = composeSheet(view, locale);
    constexpr int ScreenDpi = 96;
    const QSizeF sheet = paper().sizePixels(ScreenDpi);
    constexpr double Step = 0.95;
    constexpr double Least = 0.4;
    double factor = 1;
    const auto tooHigh = [&] {
        const int width = qRound(sheet.width() / factor);
        return page->layout()->totalMinimumHeightForWidth(width) > sheet.height() / factor;
    };
    while (tooHigh() && factor > Least)
        factor *= Step;
    page->setFixedSize((sheet / factor).toSize());
    // The first picture settles layouts that depend on the final width.
    static_cast<void>(page->grab(QRect(0, 0, 1, 1)));
    return page;
}

void paintSheet(QPaintDevice& device, const ApplicationView& view, const DisplayLocale& locale)
{
    const std::unique_ptr<QWidget> page = fittedSheet(view, locale);
    QPainter painter(&device);
    painter.scale(static_cast<double>(painter.window().width()) / page->width(),
                  static_cast<double>(painter.window().height()) / page->height());
    page->render(&painter, {}, {}, QWidget::DrawChildren);
}

} // namespace

QByteArray paintApplication(const ApplicationView& view, const DisplayLocale& locale)
{
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter pdf(&buffer);
    constexpr int ScreenDpi = 96;
    pdf.setResolution(ScreenDpi);
    pdf.setPageSize(paper());
    pdf.setPageMargins(QMarginsF());
    pdf.setTitle(view.title);
    paintSheet(pdf, view, locale);
    return content;
}

QImage previewApplication(const ApplicationView& view, const DisplayLocale& locale, int width)
{
    const QSizeF sheet = paper().size(QPageSize::Point);
    QImage image(width, qRound(width * sheet.height() / sheet.width()), QImage::Format_RGB32);
    image.fill(lightTokens().card);
    paintSheet(image, view, locale);
    return image;
}

} // namespace outlay::gui
