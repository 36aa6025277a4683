// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/settings_dialog.h"

#include "gui/style/theme.h"
#include "gui/widgets/labels.h"
#include "gui/window/main_window.h"

#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>

namespace outlay::gui {
namespace {

QComboBox* makeThemeBox(MainWindow& window, QWidget* parent)
{
    auto* box = new QComboBox(parent);
    box->setObjectName(QStringLiteral("settingTheme"));
    box->setAccessibleName(QStringLiteral("Theme"));
    box->addItems(
        {QStringLiteral("As the desktop"), QStringLiteral("Light"), QStringLiteral("Dark")});
    box->setCurrentIndex(window.settings().value(setting::theme()));
    QObject::connect(box, &QComboBox::activated, &window, [&window](int choice) {
        window.settings().set(setting::theme(), choice);
        window.applyChosenTheme();
    });
    return box;
}

QComboBox* makeLocaleBox(MainWindow& window, QWidget* parent)
{
    auto* box = new QComboBox(parent);
    box->setObjectName(QStringLiteral("settingLocale"));
    box->setAccessibleName(QStringLiteral("Numbers"));
    box->addItem(QStringLiteral("As the desktop"), QString());
    for (const char* name : {"en_US", "en_GB", "de_DE", "de_CH", "fr_FR", "es_ES", "en_IN"}) {
        const QLocale locale{QLatin1String(name)};
        constexpr double Sample = 1234567.8;
        box->addItem(QStringLiteral("%1 (%2)").arg(locale.toString(Sample, 'f', 1),
                                                   locale.nativeTerritoryName()),
                     QLatin1String(name));
    }
    box->setCurrentIndex(std::max(0, box->findData(window.settings().value(setting::locale()))));
    QObject::connect(box, &QComboBox::activated, &window, [&window, box] {
        window.settings().set(setting::locale(), box->currentData().toString());
    });
    return box;
}

QDoubleSpinBox* makeSecondsBox(MainWindow& window, QWidget* parent)
{
    auto* box = new QDoubleSpinBox(parent);
    constexpr double Least = 0.5;
    constexpr double Most = 86400;
    box->setObjectName(QStringLiteral("settingProbeSeconds"));
    box->setAccessibleName(QStringLiteral("Length of a measurement"));
    box->setRange(Least, Most);
    box->setDecimals(1);
    box->setSuffix(QStringLiteral(" s"));
    box->setMinimumHeight(size::Control);
    box->setValue(window.settings().value(setting::probeSeconds()));
    QObject::connect(box, &QDoubleSpinBox::valueChanged, &window, [&window](double seconds) {
        window.settings().set(setting::probeSeconds(), seconds);
    });
    return box;
}

} // namespace

void showSettings(MainWindow& window)
{
    auto* dialog = new QDialog(&window);
    dialog->setObjectName(QStringLiteral("settingsDialog"));
    dialog->setWindowTitle(QStringLiteral("Settings"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setMinimumWidth(size::Dialog);
    auto* layout = new QFormLayout(dialog);
    layout->setContentsMargins(size::Wide, size::Wide, size::Wide, size::Wide);
    layout->setVerticalSpacing(size::Medium);
    layout->addRow(QStringLiteral("Theme"), makeThemeBox(window, dialog));
    layout->addRow(QStringLiteral("Numbers"), makeLocaleBox(window, dialog));
    layout->addRow(QStringLiteral("A measurement takes"), makeSecondsBox(window, dialog));
    layout->addRow(makeQuietLabel(QStringLiteral("Numbers change with the next start."),
                                  TypeRole::Secondary, dialog));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    layout->addRow(buttons);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    dialog->open();
}

} // namespace outlay::gui
