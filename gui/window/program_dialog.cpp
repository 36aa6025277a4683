// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/program_dialog.h"

#include "gui/style/tokens.h"
#include "gui/view/command_words.h"
#include "gui/view/format.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/setting_form.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>

#include <cmath>
#include <utility>

namespace outlay::gui {
namespace {

enum class Length { Seconds, Steps, Whole }; // as the list has them

/// A queue has none: what runs there can't be watched.
QStringList watchedHosts(const std::vector<core::Profile>& hosts)
{
    QStringList names;
    for (const core::Profile& host : hosts) {
        if (host.kind == core::ProfileKind::Ssh)
            names.append(toQString(host.name));
    }
    return names;
}

} // namespace

ProgramDialog::ProgramDialog(Settings& settings, const std::vector<core::Profile>& hosts,
                             const DisplayLocale& locale, QWidget* parent)
    : QDialog(parent), m_settings(settings), m_locale(locale), m_form(new SettingForm(this))
{
    setObjectName(QStringLiteral("programDialog"));
    setWindowTitle(QStringLiteral("Measure a program"));
    buildForm(hosts);
    layOutForm(
        *this, m_form,
        QStringLiteral("It runs as it is, and nothing of its code is read. What is measured "
                       "becomes part of the open experiment, which has to be the design that the "
                       "program trains, with its batch."),
        makeButtons());
    showLength();
    showPlace();
}

void ProgramDialog::buildForm(const std::vector<core::Profile>& hosts)
{
    m_form->addSection(QStringLiteral("What to run"));
    m_command = m_form->makeEdit(QStringLiteral("programCommand"),
                                 m_settings.value(setting::programCommand()));
    m_command->setPlaceholderText(QStringLiteral("python3 train.py --epochs 3"));
    m_commandNote = m_form->addRow(QStringLiteral("Command"), m_command);
    if (const QStringList names = watchedHosts(hosts); !names.isEmpty()) {
        m_host = m_form->makeChoice(QStringLiteral("programHost"));
        m_host->addItem(QStringLiteral("this machine"));
        m_host->addItems(names);
        m_form->addRow(QStringLiteral("On"), m_host);
        connect(m_host, &QComboBox::currentIndexChanged, this, &ProgramDialog::showPlace);
    }
    const QString last = m_settings.value(setting::programFolder());
    m_folder =
        m_form->makeEdit(QStringLiteral("programFolder"),
                         QDir::toNativeSeparators(last.isEmpty() ? QDir::currentPath() : last));
    m_choose = m_form->makeButton(QStringLiteral("programChoose"), QStringLiteral("Choose…"),
                                  QStringLiteral("Choose the folder to run it in"));
    m_folderNote = m_form->addRow(QStringLiteral("In the folder"), m_folder, {m_choose});
    m_form->addSection(QStringLiteral("How long"));
    m_length = m_form->makeChoice(QStringLiteral("programLength"));
    m_length->addItems({QStringLiteral("for some seconds, then end it as by Ctrl+C"),
                        QStringLiteral("until some steps are done, then end it as by Ctrl+C"),
                        QStringLiteral("to its end")});
    m_form->addRow(QStringLiteral("Let it run"), m_length);
    m_amount = m_form->makeEdit(QStringLiteral("programAmount"), {});
    m_amountNote = m_form->addRow(QStringLiteral("So many"), m_amount);
    m_of = m_form->makeEdit(QStringLiteral("programOf"), {});
    m_of->setPlaceholderText(QStringLiteral("as the program says"));
    m_ofNote = m_form->addRow(QStringLiteral("Steps of the whole run"), m_of);
    connect(m_choose, &QPushButton::clicked, this, &ProgramDialog::chooseFolder);
    connect(m_length, &QComboBox::currentIndexChanged, this, &ProgramDialog::showLength);
}

QDialogButtonBox* ProgramDialog::makeButtons()
{
    auto* buttons = new QDialogButtonBox(this);
    QPushButton* measureIt =
        buttons->addButton(QStringLiteral("Measure"), QDialogButtonBox::AcceptRole);
    measureIt->setObjectName(QStringLiteral("programMeasure"));
    measureIt->setDefault(true);
    buttons->addButton(QDialogButtonBox::Cancel)->setObjectName(QStringLiteral("programCancel"));
    connect(buttons, &QDialogButtonBox::accepted, this, &ProgramDialog::measure);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    return buttons;
}

void ProgramDialog::chooseFolder()
{
    auto* dialog = new QFileDialog(this, QStringLiteral("Choose the folder to run it in"),
                                   QDir::fromNativeSeparators(m_folder->text()));
    dialog->setObjectName(QStringLiteral("programFolderDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& folder) { m_folder->setText(QDir::toNativeSeparators(folder)); });
    dialog->open();
}

QString ProgramDialog::host() const
{
    return m_host == nullptr || m_host->currentIndex() == 0 ? QString() : m_host->currentText();
}

/// Folders of another machine can't be looked at from here.
void ProgramDialog::showPlace()
{
    const bool isHere = host().isEmpty();
    if (std::exchange(m_isElsewhere, !isHere) == isHere) {
        const QString typed = m_folder->text();
        m_folder->setText(std::exchange(m_otherFolder, typed));
    }
    m_choose->setEnabled(isHere);
    m_folder->setPlaceholderText(isHere ? QString() : QStringLiteral("where one arrives there"));
    m_folderNote->setProblem({});
}

void ProgramDialog::showLength()
{
    const auto length = static_cast<Length>(m_length->currentIndex());
    m_amount->setEnabled(length != Length::Whole);
    m_amount->clear();
    m_amount->setPlaceholderText(
        length == Length::Seconds
            ? QStringLiteral("%1 s").arg(m_locale.toString(ProgramRequest().seconds, 'g', 3))
        : length == Length::Steps ? QStringLiteral("steps")
                                  : QStringLiteral("until it ends by itself"));
    m_amountNote->setProblem({});
}

std::optional<std::vector<QString>> ProgramDialog::readCommand() const
{
    auto words = commandWords(m_command->text());
    m_commandNote->setProblem(words ? QString() : toQString(words.error().sentence()));
    return words ? std::optional(std::move(*words)) : std::nullopt;
}

std::optional<QString> ProgramDialog::readFolder() const
{
    const QString folder = QDir::fromNativeSeparators(m_folder->text().trimmed());
    if (!host().isEmpty())
        return folder;
    const bool isThere = QFileInfo(folder).isDir();
    m_folderNote->setProblem(isThere ? QString()
                                     : QStringLiteral("There is no such folder: choose one."));
    return isThere ? std::optional(folder) : std::nullopt;
}

bool ProgramDialog::readNumber(const QLineEdit& edit, SettingNote& note,
                               std::optional<double>& number) const
{
    note.setProblem({});
    number.reset();
    const QString text = edit.text().trimmed();
    if (text.isEmpty())
        return true;
    number = typedNumber(text, m_locale);
    constexpr double Most = 1e12;
    const bool isOfSteps = &edit == m_of || m_length->currentIndex() == int(Length::Steps);
    const bool isSound =
        number && *number >= 1 && *number <= Most && (!isOfSteps || *number == std::floor(*number));
    if (!isSound)
        note.setProblem(isOfSteps ? QStringLiteral("Give a whole number of steps.")
                                  : QStringLiteral("Give a number of seconds from 1 on."));
    return isSound;
}

void ProgramDialog::measure()
{
    const auto command = readCommand();
    const auto folder = readFolder();
    const auto length = static_cast<Length>(m_length->currentIndex());
    ProgramRequest request;
    std::optional<double> amount;
    const bool isAmountSound =
        length == Length::Whole || readNumber(*m_amount, *m_amountNote, amount);
    const bool isOfSound = readNumber(*m_of, *m_ofNote, request.ofSteps);
    if (length == Length::Steps && isAmountSound && !amount)
        return m_amountNote->setProblem(QStringLiteral("Give a whole number of steps."));
    if (!command || !folder || !isAmountSound || !isOfSound)
        return;
    constexpr double MostSeconds = 86400;
    if (length == Length::Seconds && amount.value_or(1) > MostSeconds)
        return m_amountNote->setProblem(
            QStringLiteral("That is more than a day: let it run to its end."));
    request.command = *command;
    request.host = host();
    request.folder = *folder;
    request.isWhole = length == Length::Whole;
    if (length == Length::Steps)
        request.steps = amount;
    else
        request.seconds = amount.value_or(request.seconds);
    m_settings.set(setting::programCommand(), m_command->text());
    if (request.host.isEmpty())
        m_settings.set(setting::programFolder(), *folder);
    Q_EMIT wanted(request);
    accept();
}

} // namespace outlay::gui
