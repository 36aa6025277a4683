// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/about_dialog.h"

#include "gui/style/tokens.h"
#include "gui/view/about_view.h"
#include "gui/widgets/text_page.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QPushButton>
#include <QVBoxLayout>

namespace outlay::gui {
namespace {

QString licences()
{
    QFile file(QStringLiteral(":/about/licences.md")); // linked into the program
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

void showAbout(const pricing::Provenance& provenance, QWidget* window)
{
    auto* dialog = new QDialog(window);
    dialog->setObjectName(QStringLiteral("aboutDialog"));
    dialog->setWindowTitle(QStringLiteral("About Outlay"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->resize(size::HelpHeight, size::HelpHeight);
    auto* text = new TextPage(QStringLiteral("aboutText"), QStringLiteral("About Outlay"), dialog);
    text->showMarkdown(makeAboutText(provenance, QLatin1String(qVersion()), licences()));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    buttons->button(QDialogButtonBox::Close)->setObjectName(QStringLiteral("aboutClose"));
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(0, 0, size::Large, size::Large);
    layout->addWidget(text, 1);
    layout->addWidget(buttons);
    dialog->open();
}

} // namespace outlay::gui
