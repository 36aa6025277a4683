// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/import_dialog.h"

#include "core/base/clock.h"
#include "gui/session/price_book_file.h"
#include "gui/style/tokens.h"
#include "gui/view/format.h"
#include "gui/view/import_view.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/setting_form.h"
#include "gui/widgets/titled_table.h"
#include "gui/widgets/word_completer.h"
#include "pricing/date.h"
#include "pricing/price_lists.h"
#include "pricing/provider.h"

#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace outlay::gui {
namespace {

constexpr double MostOfScreen = 0.9;

} // namespace

ImportDialog::ImportDialog(std::string path, const pricing::Catalogs& catalogs,
                           const DisplayLocale& locale, QWidget* parent)
    : QDialog(parent), m_path(std::move(path)), m_locale(locale),
      m_importer(new PriceImporter(this)), m_form(new SettingForm(this)),
      m_summary(makeLabel(QString(), TypeRole::StrongBody, this, Wrap::Yes)),
      m_caution(makeQuietLabel(QString(), TypeRole::Body, this, Wrap::Yes)),
      m_arrivals(
          new TitledTable(QStringLiteral("importMachines"), QStringLiteral("What comes in"), this)),
      m_leftOut(new TitledTable(QStringLiteral("importLeftOut"), QStringLiteral("What is left out"),
                                this)),
      m_preview(new QScrollArea(this))
{
    setObjectName(QStringLiteral("importDialog"));
    setWindowTitle(QStringLiteral("Import prices"));
    setAttribute(Qt::WA_DeleteOnClose);
    setMinimumWidth(size::HelpWidth);
    buildFile();
    buildSources(catalogs);
    buildPreview();
    connect(m_importer, &PriceImporter::finished, this, &ImportDialog::show);
}

void ImportDialog::buildFile()
{
    m_form->addSection(QStringLiteral("A price file"));
    m_file = m_form->makeEdit(QStringLiteral("importFile"), {});
    m_file->setPlaceholderText(
        QStringLiteral("SkyPilot, gpuhunt, AWS, Azure, genai-prices, LiteLLM or Outlay's own"));
    QPushButton* choose =
        m_form->makeButton(QStringLiteral("importChoose"), QStringLiteral("Choose…"),
                           QStringLiteral("Choose a price file"));
    m_note = m_form->addRow(QStringLiteral("File"), m_file, {choose});
    m_provider = m_form->makeEdit(QStringLiteral("importProvider"), {});
    m_provider->setPlaceholderText(QStringLiteral("as the file says"));
    QStringList providers;
    for (const pricing::Provider& provider : pricing::providers())
        providers.append(toQString(provider.id));
    auto* completer = new WordCompleter(providers, m_provider);
    m_provider->setCompleter(completer);
    connect(completer, qOverload<const QString&>(&QCompleter::activated), this,
            &ImportDialog::readAgain, Qt::QueuedConnection);
    m_form->addRow(QStringLiteral("Whose prices"), m_provider);
    m_day = m_form->makeEdit(QStringLiteral("importDay"), {});
    m_day->setPlaceholderText(QStringLiteral("as the file says, or ") +
                              toQString(core::todayUtc()));
    m_form->addRow(QStringLiteral("Valid on the day"), m_day);
    connect(choose, &QPushButton::clicked, this, &ImportDialog::choose);
    for (QLineEdit* edit : {m_file, m_provider, m_day})
        connect(edit, &QLineEdit::editingFinished, this, [this, edit] {
            if (edit->isModified())
                readAgain();
            edit->setModified(false);
        });
}

void ImportDialog::buildSources(const pricing::Catalogs& catalogs)
{
    m_form->addSection(QStringLiteral("Where newer prices are"));
    m_source = m_form->makeChoice(QStringLiteral("importSource"));
    for (const pricing::PriceList& list : pricing::priceLists()) {
        const std::string newest = pricing::newestOf(catalogs.book(), catalogs.tokenPrices(), list);
        m_ages.push_back(newest.empty()    ? QStringLiteral("you have nothing of it")
                         : list.isOfTokens ? QStringLiteral("your newest price of tokens is of ") +
                                                 toQString(newest)
                                           : QStringLiteral("you have it of ") + toQString(newest));
        m_source->addItem(toQString(list.title));
    }
    m_sourceNote = m_form->addRow(QStringLiteral("Public list"), m_source);
    m_line = m_form->makeEdit(QStringLiteral("importLine"), {});
    m_line->setReadOnly(true);
    QPushButton* copy = m_form->makeButton(QStringLiteral("importCopy"), QStringLiteral("Copy"),
                                           QStringLiteral("Copy the line"));
    m_form->addRow(QStringLiteral("Run yourself"), m_line, {copy});
    connect(m_source, &QComboBox::activated, this, &ImportDialog::showSource);
    connect(m_provider, &QLineEdit::textChanged, this, &ImportDialog::showSource);
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_line->text()); });
    showSource();
}

void ImportDialog::buildPreview()
{
    m_summary->setObjectName(QStringLiteral("importSummary"));
    auto* buttons = new QDialogButtonBox(this);
    m_merge = buttons->addButton(QStringLiteral("Take into my book"), QDialogButtonBox::AcceptRole);
    m_merge->setObjectName(QStringLiteral("importMerge"));
    m_merge->setEnabled(false);
    buttons->addButton(QDialogButtonBox::Cancel)->setObjectName(QStringLiteral("importCancel"));
    for (QPushButton* button : findChildren<QPushButton*>())
        button->setAutoDefault(button == m_merge); // Return in a field presses no other one
    connect(buttons, &QDialogButtonBox::accepted, this, &ImportDialog::mergeNow);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(size::Wide, size::Wide, size::Wide, size::Wide);
    layout->setSpacing(size::Large);
    // The tables may be longer than the screen is high; what they lead to stays in sight.
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(size::Large);
    for (QWidget* part :
         std::initializer_list<QWidget*>{m_summary, m_caution, m_arrivals, m_leftOut})
        column->addWidget(part);
    column->addStretch(1);
    m_preview->setObjectName(QStringLiteral("importPreview"));
    m_preview->setAccessibleName(QStringLiteral("What the file has"));
    m_preview->setWidget(page);
    m_preview->setWidgetResizable(true);
    m_preview->setFrameShape(QFrame::NoFrame);
    m_preview->hide();
    layout->addWidget(m_form);
    layout->addWidget(m_preview, 1);
    layout->addStretch(0);
    layout->addWidget(buttons);
}

void ImportDialog::choose()
{
    auto* dialog = new QFileDialog(this, QStringLiteral("Choose a price file"));
    dialog->setObjectName(QStringLiteral("importFileDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setNameFilters(
        {QStringLiteral("Price files (*.csv *.json)"), QStringLiteral("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &ImportDialog::look);
    dialog->open();
}

void ImportDialog::look(const QString& file)
{
    m_file->setText(QDir::toNativeSeparators(file));
    readAgain();
}

void ImportDialog::readAgain()
{
    m_read.reset();
    m_merge->setEnabled(false);
    m_note->setProblem({});
    const QString file = QDir::fromNativeSeparators(m_file->text().trimmed());
    if (file.isEmpty())
        return;
    const std::string day = m_day->text().trimmed().toStdString();
    const std::string today = core::todayUtc();
    if (!day.empty() && (!pricing::dayOf(day) || pricing::isNewer(day, today)))
        return m_note->setProblem(
            QStringLiteral("The day is no date up to today; write it as year-month-day."));
    m_note->setInfo(QStringLiteral("It is being read…"));
    const std::string provider = m_provider->text().trimmed().toStdString();
    m_importer->read(file, {std::string(pricing::providerNamed(provider)), day, today}, m_path);
}

void ImportDialog::show(const core::Result<ReadPrices>& read)
{
    const bool isRead = read.has_value();
    m_merge->setEnabled(isRead);
    const bool isFirst = isRead && !m_preview->isVisible();
    m_preview->setVisible(isRead);
    m_note->setProblem(isRead ? QString() : toQString(read.error().sentence()));
    if (!isRead)
        return m_summary->setText({});
    m_read = *read;
    const ImportView view = makeImportView(m_read->import, m_read->counts, m_locale);
    m_summary->setText(view.summary);
    m_caution->setText(view.caution);
    m_caution->setVisible(!view.caution.isEmpty());
    m_arrivals->show(view.arrivals, {});
    m_leftOut->show(view.leftOut, QStringLiteral("Nothing: every row can be used."));
    const int most = qRound(MostOfScreen * screen()->availableGeometry().height());
    if (isFirst && height() < most)
        resize(width(), std::min(height() + m_preview->widget()->sizeHint().height(), most));
}

void ImportDialog::mergeNow()
{
    if (!m_read)
        return;
    const auto counts = mergeIntoBook(m_read->import, m_path);
    if (!counts)
        return m_note->setProblem(toQString(counts.error().sentence()));
    Q_EMIT merged();
    accept();
}

void ImportDialog::showSource()
{
    const auto at = static_cast<std::size_t>(m_source->currentIndex());
    const pricing::PriceList& list = pricing::priceLists()[at];
    const auto command = pricing::fetchCommand(list, m_provider->text().trimmed().toStdString());
    m_line->setText(toQString(command ? *command : command.error().sentence()));
    m_line->setCursorPosition(0);
    m_sourceNote->setInfo(QStringLiteral("%1; licence: %2; size: %3; %4")
                              .arg(toQString(list.covers), toQString(list.licence),
                                   toQString(list.size), m_ages.at(at)));
}

} // namespace outlay::gui
