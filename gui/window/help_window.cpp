// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/help_window.h"

#include "gui/style/tokens.h"
#include "gui/widgets/text_page.h"
#include "gui/window/help_topics.h"

#include <QHBoxLayout>
#include <QListWidget>
#include <QUrl>

namespace outlay::gui {

HelpWindow::HelpWindow(QWidget* window)
    : QDialog(window), m_topics(new QListWidget(this)),
      m_text(new TextPage(QStringLiteral("helpText"), QStringLiteral("Help"), this))
{
    setObjectName(QStringLiteral("helpWindow"));
    setWindowTitle(QStringLiteral("Help"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(size::HelpWidth, size::HelpHeight);
    m_topics->setObjectName(QStringLiteral("helpTopics"));
    m_topics->setAccessibleName(QStringLiteral("Pages of the help"));
    m_topics->setFixedWidth(size::HelpList);
    m_topics->setFrameShape(QFrame::NoFrame);
    for (const HelpTopic& row : helpTopics()) {
        auto* item = new QListWidgetItem(row.title, m_topics);
        item->setData(Qt::UserRole, row.id);
        item->setSizeHint({0, size::Control});
    }
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(size::Hairline);
    layout->addWidget(m_topics);
    layout->addWidget(m_text, 1);
    connect(m_topics, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        showTopic(item->data(Qt::UserRole).toString());
    });
    // Pages name each other.
    connect(m_text, &QTextBrowser::sourceChanged, this, [this](const QUrl& source) {
        for (int i = 0; i < m_topics->count(); ++i) {
            const QString id = m_topics->item(i)->data(Qt::UserRole).toString();
            if (source.fileName() == id + QStringLiteral(".md"))
                m_topics->setCurrentRow(i);
        }
    });
}

void HelpWindow::showTopic(const QString& id)
{
    const QUrl source(QStringLiteral("qrc:/help/%1.md").arg(id));
    if (m_text->source() != source)
        m_text->setSource(source);
}

QString HelpWindow::topic() const
{
    const QListWidgetItem* item = m_topics->currentItem();
    return item == nullptr ? QString() : item->data(Qt::UserRole).toString();
}

QString helpTopicAt(const QWidget* focus, const QString& page)
{
    for (const QWidget* at = focus; at != nullptr; at = at->parentWidget()) {
        if (const HelpTopic* topic = helpTopicOf(at->objectName()))
            return topic->id;
    }
    const HelpTopic* topic = helpTopicOf(page);
    return topic == nullptr ? helpTopics().front().id : topic->id;
}

void showHelpAt(const QWidget* focus, const QString& page, QWidget& window)
{
    auto* help = window.findChild<HelpWindow*>();
    if (help == nullptr)
        help = new HelpWindow(&window);
    help->showTopic(helpTopicAt(focus, page));
    help->show();
    help->raise();
    help->activateWindow();
}

} // namespace outlay::gui
