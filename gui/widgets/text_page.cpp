// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/text_page.h"

#include "gui/style/theme.h"

#include <QEvent>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextTable>

namespace outlay::gui {
namespace {

/// Headings in the roles of the scale, and air between paragraphs.
void styleBlock(const QTextBlock& block)
{
    QTextCursor cursor(block);
    QTextBlockFormat format = block.blockFormat();
    const int level = format.headingLevel();
    const bool isInTable = cursor.currentTable() != nullptr;
    constexpr int LineHeight = 130;
    format.setLineHeight(LineHeight, QTextBlockFormat::ProportionalHeight);
    format.setTopMargin(level > 1 ? size::Large : 0);
    format.setBottomMargin(isInTable ? 0 : size::Small);
    cursor.setBlockFormat(format);
    if (level == 0)
        return;
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    QTextCharFormat letters;
    letters.setFont(fontOf(level == 1 ? TypeRole::PageTitle : TypeRole::CardTitle));
    cursor.setCharFormat(letters); // not merged: Markdown's own adjustment of the size would win
}

void styleTable(QTextTable& table, const Tokens& tokens)
{
    QTextTableFormat format = table.format();
    format.setBorder(size::Hairline);
    format.setBorderCollapse(true);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderBrush(tokens.cardBorder);
    format.setCellPadding(size::Tiny + 1);
    format.setCellSpacing(0);
    format.setBottomMargin(size::Medium);
    constexpr double Whole = 100;
    format.setWidth(QTextLength(QTextLength::PercentageLength, Whole));
    table.setFormat(format);
}

} // namespace

TextPage::TextPage(const QString& name, const QString& spoken, QWidget* parent)
    : QTextBrowser(parent)
{
    setObjectName(name);
    setAccessibleName(spoken);
    setFrameShape(NoFrame);
}

void TextPage::showMarkdown(const QString& text)
{
    setMarkdown(text);
    applyStyle();
}

void TextPage::doSetSource(const QUrl& name, QTextDocument::ResourceType type)
{
    QTextBrowser::doSetSource(name, type);
    applyStyle();
}

void TextPage::applyStyle()
{
    document()->setDocumentMargin(size::Wide);
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
        styleBlock(block);
    for (QTextFrame* frame : document()->rootFrame()->childFrames()) {
        if (auto* table = qobject_cast<QTextTable*>(frame))
            styleTable(*table, tokensOf(palette()));
    }
    moveCursor(QTextCursor::Start);
}

void TextPage::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyStyle();
}

} // namespace outlay::gui
