// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/settings_dialog.h"

#include "gui/session/price_book_file.h"
#include "gui/session/worker_check.h"
#include "gui/style/theme.h"
#include "gui/view/format.h"
#include "gui/widgets/setting_form.h"

#include <QComboBox>
#include <QCompleter>
#include <QDate>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>

namespace outlay::gui {
namespace {

constexpr int Digits = 12;

/// The same file whatever folder a command is run in later.
QString wholePath(const QString& typed)
{
    const QString path = QDir::fromNativeSeparators(typed.trimmed());
    return path.isEmpty() ? path : QFileInfo(path).absoluteFilePath();
}

QStringList placeNames(const pricing::Catalogs& catalogs)
{
    QStringList names;
    for (const core::GridRegion& region : catalogs.carbon().regions())
        names.append(toQString(region.id));
    names.sort();
    return names;
}

} // namespace

SettingsDialog::SettingsDialog(const SettingsReach& reach, const DisplayLocale& locale,
                               QWidget* parent)
    : QDialog(parent), m_settings(reach.settings), m_locale(locale), m_document(reach.document),
      m_priceSession(reach.prices), m_form(new SettingForm(this)), m_check(new WorkerCheck(this))
{
    setObjectName(QStringLiteral("settingsDialog"));
    setWindowTitle(QStringLiteral("Settings"));
    addLook();
    addMoney();
    addExperiments();
    addPrices();
    addMeasuring();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton* close = buttons->button(QDialogButtonBox::Close);
    close->setObjectName(QStringLiteral("settingsClose"));
    close->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* help = new QShortcut(Qt::Key_F1, this);
    connect(help, &QShortcut::activated, this, &SettingsDialog::helpWanted);
    layOutForm(*this, m_form, {}, buttons);
}

template <typename T>
bool SettingsDialog::take(const Setting<T>& row, const T& value, SettingNote* note)
{
    const QString problem = row.check(value);
    note->setProblem(problem);
    if (!problem.isEmpty())
        return false;
    m_settings.set(row, value);
    Q_EMIT changed();
    return true;
}

void SettingsDialog::addChoices(QComboBox* box, const Setting<int>& row, const QStringList& titles)
{
    box->addItems(titles);
    box->setCurrentIndex(m_settings.value(row));
    connect(box, &QComboBox::activated, this, [this, &row](int choice) {
        m_settings.set(row, choice);
        Q_EMIT changed();
    });
}

void SettingsDialog::addLook()
{
    m_form->addSection(QStringLiteral("Look"));
    QComboBox* theme = m_form->makeChoice(QStringLiteral("settingTheme"));
    addChoices(theme, setting::theme(),
               {QStringLiteral("As the desktop"), QStringLiteral("Light"), QStringLiteral("Dark")});
    m_form->addRow(QStringLiteral("Theme"), theme);
    QComboBox* numbers = m_form->makeChoice(QStringLiteral("settingLocale"));
    numbers->addItem(QStringLiteral("As the desktop"), QString());
    for (const char* name : {"en_US", "en_GB", "de_DE", "de_CH", "fr_FR", "es_ES", "en_IN"}) {
        const QLocale locale{QLatin1String(name)};
        constexpr double Sample = 1234567.8;
        numbers->addItem(QStringLiteral("%1 (%2)").arg(locale.toString(Sample, 'f', 1),
                                                       locale.nativeTerritoryName()),
                         QLatin1String(name));
    }
    numbers->setCurrentIndex(std::max(0, numbers->findData(m_settings.value(setting::locale()))));
    connect(numbers, &QComboBox::activated, this, [this, numbers] {
        m_settings.set(setting::locale(), numbers->currentData().toString());
        Q_EMIT changed();
        showRate();
    });
    m_form->addRow(QStringLiteral("Numbers"), numbers);
    QComboBox* distance = m_form->makeChoice(QStringLiteral("settingDistance"));
    addChoices(distance, setting::distance(),
               {QStringLiteral("Miles"), QStringLiteral("Kilometres")});
    m_form->addRow(QStringLiteral("Distances"), distance);
}

void SettingsDialog::addMoney()
{
    m_form->addSection(QStringLiteral("Money"));
    m_currency = m_form->makeChoice(QStringLiteral("settingCurrency"));
    for (const CurrencyRow& row : currencyRows())
        m_currency->addItem(
            QStringLiteral("%1 (%2)").arg(QString::fromUtf16(row.name), QLatin1String(row.code)),
            QLatin1String(row.code));
    m_currency->setCurrentIndex(
        std::max(0, m_currency->findData(m_settings.value(setting::currency()))));
    m_currencyNote = m_form->addRow(QStringLiteral("Currency"), m_currency);
    m_rate = m_form->makeEdit(QStringLiteral("settingRate"), {});
    showRate();
    m_rateNote = m_form->addRow(QStringLiteral("A US dollar is worth"), m_rate);
    m_asOf = m_form->makeEdit(QStringLiteral("settingRateDay"),
                              m_settings.value(setting::currencyAsOf()));
    m_asOfNote = m_form->addRow(QStringLiteral("On the day"), m_asOf);
    // A rate belongs to its currency: that of another isn't kept.
    connect(m_currency, &QComboBox::activated, this, [this] {
        if (m_currency->currentData().toString() == m_settings.value(setting::currency()))
            return;
        m_settings.set(setting::currencyRate(), 0.0);
        m_rate->clear();
        take(setting::currency(), m_currency->currentData().toString(), m_currencyNote);
        followCurrency();
    });
    connect(m_rate, &QLineEdit::editingFinished, this, &SettingsDialog::takeRate);
    connect(m_asOf, &QLineEdit::editingFinished, this, [this] {
        if (take(setting::currencyAsOf(), m_asOf->text().trimmed(), m_asOfNote))
            followCurrency();
    });
    followCurrency();
}

SettingsDialog::~SettingsDialog()
{
    hide(); // while all that a field could tell of its last change is still there
}

void SettingsDialog::showRate()
{
    const double rate = m_settings.value(setting::currencyRate());
    m_rate->setText(rate > 0 ? m_locale.toString(rate, 'g', Digits) : QString());
}

void SettingsDialog::takeRate()
{
    if (!m_rate->isModified())
        return; // it was only passed through
    m_rate->setModified(false);
    const auto rate = typedNumber(m_rate->text(), m_locale);
    if (!rate)
        return m_rateNote->setProblem(QStringLiteral("This is no number: give one such as 0.92."));
    const bool isNew = *rate != m_settings.value(setting::currencyRate());
    if (!take(setting::currencyRate(), *rate, m_rateNote))
        return;
    // What is typed now is a rate of today, until the user says otherwise.
    if (isNew && *rate > 0) {
        m_asOf->setText(QDate::currentDate().toString(Qt::ISODate));
        take(setting::currencyAsOf(), m_asOf->text(), m_asOfNote);
    }
    followCurrency();
}

void SettingsDialog::followCurrency()
{
    const bool isDollar = m_settings.value(setting::currency()) == setting::currency().usual;
    m_rate->setEnabled(!isDollar);
    m_asOf->setEnabled(!isDollar);
    m_rate->setPlaceholderText(isDollar ? QStringLiteral("1") : QStringLiteral("your own rate"));
    m_asOf->setPlaceholderText(isDollar ? QStringLiteral("any") : QStringLiteral("year-month-day"));
    const QString rate = m_locale.rateText();
    if (isDollar)
        m_currencyNote->setInfo({});
    else if (rate.isEmpty())
        m_currencyNote->setInfo(
            QStringLiteral("Figures stay in US dollars until the rate and its day are given."));
    else
        m_currencyNote->setInfo(
            rate + QStringLiteral(": an assumption, named in the card of every converted figure."));
}

void SettingsDialog::addExperiments()
{
    m_form->addSection(QStringLiteral("New experiments"));
    QLineEdit* place =
        m_form->makeEdit(QStringLiteral("settingPlace"), m_settings.value(setting::place()));
    place->setPlaceholderText(QStringLiteral("this machine"));
    auto* completer = new QCompleter(placeNames(m_document.catalogs()), place);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    place->setCompleter(completer);
    SettingNote* note = m_form->addRow(QStringLiteral("Place"), place);
    connect(place, &QLineEdit::editingFinished, this,
            [this, place, note] { take(setting::place(), place->text().trimmed(), note); });
}

void SettingsDialog::addPrices()
{
    m_form->addSection(QStringLiteral("Prices"));
    m_prices = m_form->makeEdit(QStringLiteral("settingPriceBook"),
                                QDir::toNativeSeparators(m_settings.value(setting::priceBook())));
    m_prices->setPlaceholderText(QDir::toNativeSeparators(toQString(usualPricesPath())));
    QPushButton* choose =
        m_form->makeButton(QStringLiteral("settingPriceBookChoose"), QStringLiteral("Choose…"),
                           QStringLiteral("Choose the own price book"));
    QPushButton* again =
        m_form->makeButton(QStringLiteral("settingPriceBookAgain"), QStringLiteral("Read again"),
                           QStringLiteral("Read the own price book again"));
    m_pricesNote = m_form->addRow(QStringLiteral("Own price book"), m_prices, {choose, again});
    connect(choose, &QPushButton::clicked, this,
            [this] { choosePath(m_prices, QStringLiteral("Choose your price book")); });
    connect(m_prices, &QLineEdit::editingFinished, this, [this] {
        if (wholePath(m_prices->text()) != m_settings.value(setting::priceBook()))
            readPriceBook();
    });
    connect(again, &QPushButton::clicked, this, &SettingsDialog::readPriceBook);
    connect(&m_priceSession, &PriceSession::finished, this, &SettingsDialog::tellOfPrices);
}

void SettingsDialog::tellOfPrices(const QString& problem)
{
    m_pricesNote->setProblem(problem);
    if (problem.isEmpty())
        m_pricesNote->setInfo(QStringLiteral("It was read, and its prices are in use."));
}

void SettingsDialog::readPriceBook()
{
    m_pricesNote->setInfo(QStringLiteral("It is being read…"));
    m_priceSession.read(wholePath(m_prices->text()));
}

void SettingsDialog::addMeasuring()
{
    m_form->addSection(QStringLiteral("Measuring"));
    QLineEdit* seconds =
        m_form->makeEdit(QStringLiteral("settingProbeSeconds"),
                         m_locale.toString(m_settings.value(setting::probeSeconds()), 'g', Digits));
    SettingNote* secondsNote = m_form->addRow(QStringLiteral("A measurement takes, s"), seconds);
    connect(seconds, &QLineEdit::editingFinished, this, [this, seconds, secondsNote] {
        const auto number = typedNumber(seconds->text(), m_locale);
        take(setting::probeSeconds(), number.value_or(-1), secondsNote);
    });
    QLineEdit* worker =
        m_form->makeEdit(QStringLiteral("settingWorker"),
                         QDir::toNativeSeparators(m_settings.value(setting::worker())));
    const QString own = ProbeProcess::findWorker();
    worker->setPlaceholderText(own.isEmpty() ? QStringLiteral("none was found")
                                             : QDir::toNativeSeparators(own));
    QPushButton* choose =
        m_form->makeButton(QStringLiteral("settingWorkerChoose"), QStringLiteral("Choose…"),
                           QStringLiteral("Choose the worker"));
    QPushButton* check =
        m_form->makeButton(QStringLiteral("settingWorkerCheck"), QStringLiteral("Check"),
                           QStringLiteral("Check whether the worker answers"));
    SettingNote* note = m_form->addRow(QStringLiteral("Worker"), worker, {choose, check});
    connect(choose, &QPushButton::clicked, this,
            [this, worker] { choosePath(worker, QStringLiteral("Choose outlay-probe")); });
    connect(worker, &QLineEdit::editingFinished, this,
            [this, worker, note] { take(setting::worker(), wholePath(worker->text()), note); });
    connect(check, &QPushButton::clicked, this, [this, worker, check, note] {
        const QString path = wholePath(worker->text());
        if (!take(setting::worker(), path, note))
            return;
        check->setEnabled(false);
        note->setInfo(QStringLiteral("It is being asked…"));
        m_check->start(path);
    });
    connect(m_check, &WorkerCheck::finished, this,
            [check, note](bool hasAnswered, const QString& sentence) {
                check->setEnabled(true);
                hasAnswered ? note->setInfo(sentence) : note->setProblem(sentence);
            });
}

void SettingsDialog::choosePath(QLineEdit* edit, const QString& title)
{
    auto* files = new QFileDialog(this, title);
    files->setObjectName(edit->objectName() + QStringLiteral("Dialog"));
    files->setAttribute(Qt::WA_DeleteOnClose);
    files->setFileMode(QFileDialog::ExistingFile);
    connect(files, &QFileDialog::fileSelected, edit, [edit](const QString& path) {
        edit->setText(QDir::toNativeSeparators(path));
        Q_EMIT edit->editingFinished();
    });
    files->open();
}

} // namespace outlay::gui
