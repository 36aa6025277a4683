// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/application_dialog.h"

#include "core/base/file.h"
#include "core/base/units.h"
#include "gui/export/application_page.h"
#include "gui/style/flat_style.h"
#include "gui/style/tokens.h"
#include "gui/view/application_view.h"
#include "gui/view/format.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/setting_form.h"
#include "pricing/export/export.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>

#include <chrono>
#include <cmath>

namespace outlay::gui {
namespace {

constexpr std::chrono::milliseconds PreviewPause{250};

} // namespace

ApplicationDialog::ApplicationDialog(std::function<PanelInput()> input, const DisplayLocale& locale,
                                     QWidget* parent)
    : QDialog(parent), m_input(std::move(input)), m_locale(locale), m_centres(centreChoices()),
      m_form(new SettingForm(this)), m_preview(new QLabel(this))
{
    setObjectName(QStringLiteral("applicationDialog"));
    setWindowTitle(QStringLiteral("Apply for compute time"));
    setAttribute(Qt::WA_DeleteOnClose);
    buildForm();
    layOut();
    m_pause.setSingleShot(true);
    m_pause.setInterval(PreviewPause);
    connect(&m_pause, &QTimer::timeout, this, &ApplicationDialog::showPage);
    showPage();
}

ApplicationDialog::Number ApplicationDialog::addNumber(const char* name, const QString& label,
                                                       const QString& text, const QString& open)
{
    Number number{.edit = m_form->makeEdit(QLatin1String(name), text)};
    number.edit->setPlaceholderText(open);
    number.note = m_form->addRow(label, number.edit);
    connect(number.edit, &QLineEdit::textEdited, &m_pause, qOverload<>(&QTimer::start));
    return number;
}

void ApplicationDialog::buildForm()
{
    const pricing::ApplicationRequest usual;
    m_form->addSection(QStringLiteral("What is asked for"));
    m_centre = m_form->makeChoice(QStringLiteral("applicationCentre"));
    for (const CentreChoice& choice : m_centres)
        m_centre->addItem(choice.title);
    m_centre->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_centre->setMinimumContentsLength(24);
    m_centreNote = m_form->addRow(QStringLiteral("Centre"), m_centre);
    connect(m_centre, &QComboBox::currentIndexChanged, &m_pause, qOverload<>(&QTimer::start));
    m_devices = addNumber("applicationDevices", QStringLiteral("Devices"), {},
                          QStringLiteral("as planned, or the fewest"));
    m_devices.most = core::real(pricing::MostDevices);
    m_runs = addNumber("applicationRuns", QStringLiteral("Runs"),
                       m_locale.toString(qlonglong{usual.runs}), QStringLiteral("1"));
    m_runs.most = core::real(pricing::MostRuns);
    m_reserve = addNumber("applicationReserve", QStringLiteral("Reserve (%)"),
                          m_locale.toString(usual.reservePercent), QStringLiteral("0"));
    m_reserve.most = pricing::MostReserve;
}

void ApplicationDialog::layOut()
{
    m_preview->setObjectName(QStringLiteral("applicationPreview"));
    m_preview->setFocusPolicy(Qt::StrongFocus);
    auto* sheet = new QScrollArea(this);
    sheet->setObjectName(QStringLiteral("applicationSheet"));
    sheet->setAccessibleName(QStringLiteral("The page"));
    sheet->setWidget(m_preview);
    sheet->setAlignment(Qt::AlignHCenter);
    sheet->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    sheet->setMinimumWidth(size::SheetPreview + size::Wide);
    auto* left = new QVBoxLayout;
    left->setSpacing(size::Large);
    left->addWidget(m_form);
    left->addWidget(makeQuietLabel(
        QStringLiteral("Hours are forecast for the centre's devices, corrected by what was "
                       "measured. What isn't known is said to be so on the page."),
        TypeRole::Secondary, this, Wrap::Yes));
    left->addStretch(1);
    left->addWidget(makeButtons());
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(size::Wide, size::Wide, size::Wide, size::Wide);
    layout->setSpacing(size::Wide);
    layout->addLayout(left, 1);
    layout->addWidget(sheet);
    resize(size::LeastWindowWidth, size::LeastWindowHeight);
}

QDialogButtonBox* ApplicationDialog::makeButtons()
{
    auto* buttons = new QDialogButtonBox(this);
    m_save = buttons->addButton(QStringLiteral("Save…"), QDialogButtonBox::ActionRole);
    m_save->setObjectName(QStringLiteral("applicationSave"));
    m_save->setToolTip(QStringLiteral("As PDF or Markdown, by the file's name"));
    setMainButton(m_save);
    buttons->addButton(QDialogButtonBox::Close)->setObjectName(QStringLiteral("applicationClose"));
    connect(m_save, &QPushButton::clicked, this, &ApplicationDialog::choose);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    return buttons;
}

std::optional<double> ApplicationDialog::read(const Number& number, bool& isSound) const
{
    number.note->setProblem({});
    const QString text = number.edit->text().trimmed();
    if (text.isEmpty())
        return std::nullopt;
    const auto typed = typedNumber(text, m_locale);
    const bool isWhole = number.edit != m_reserve.edit;
    if (typed && *typed >= (isWhole ? 1 : 0) && *typed <= number.most &&
        (!isWhole || *typed == std::floor(*typed)))
        return typed;
    isSound = false;
    number.note->setProblem((isWhole ? QStringLiteral("Give a whole number from 1 to %1.")
                                     : QStringLiteral("Give percent from 0 to %1."))
                                .arg(countText(number.most, m_locale)));
    return std::nullopt;
}

std::optional<pricing::ApplicationRequest> ApplicationDialog::request() const
{
    bool isSound = true;
    pricing::ApplicationRequest request{.centre = choice().id};
    const auto devices = read(m_devices, isSound);
    if (devices)
        request.devices = static_cast<std::int64_t>(*devices);
    request.runs = static_cast<std::int64_t>(read(m_runs, isSound).value_or(1));
    request.reservePercent = read(m_reserve, isSound).value_or(0);
    return isSound ? std::optional(request) : std::nullopt;
}

const CentreChoice& ApplicationDialog::choice() const
{
    return m_centres[static_cast<std::size_t>(m_centre->currentIndex())];
}

void ApplicationDialog::showPage()
{
    m_application.reset();
    m_centreNote->setInfo(choice().note);
    if (const auto wanted = request()) {
        const PanelInput now = m_input();
        auto made = pricing::makeApplication(now.experiment, now.report, *now.catalogs, *wanted);
        if (made)
            m_application = std::move(*made);
        else
            m_centreNote->setProblem(toQString(made.error().sentence()));
    }
    m_save->setEnabled(m_application.has_value());
    if (!m_application)
        return;
    const ApplicationView view = makeApplicationView(*m_application, m_locale);
    const double ratio = devicePixelRatioF();
    QImage page = previewApplication(view, m_locale, qRound(size::SheetPreview * ratio));
    page.setDevicePixelRatio(ratio);
    m_preview->setPixmap(QPixmap::fromImage(page));
    m_preview->adjustSize();
    m_preview->setAccessibleName(
        view.asked.isEmpty() ? view.askedFor : view.asked + QStringLiteral(", ") + view.askedFor);
}

void ApplicationDialog::choose()
{
    if (m_pause.isActive()) { // what was just typed is to be seen before it is saved
        m_pause.stop();
        showPage();
    }
    if (!m_application)
        return;
    auto* files = new QFileDialog(this, QStringLiteral("Save the application"));
    files->setObjectName(QStringLiteral("applicationFiles"));
    files->setAttribute(Qt::WA_DeleteOnClose);
    files->setAcceptMode(QFileDialog::AcceptSave);
    files->setDefaultSuffix(QStringLiteral("pdf"));
    files->setNameFilters({QStringLiteral("PDF (*.pdf)"), QStringLiteral("Markdown (*.md)")});
    files->selectFile(QStringLiteral("application.pdf"));
    connect(files, &QFileDialog::filterSelected, files, [files](const QString& filter) {
        files->setDefaultSuffix(filter.contains(QStringLiteral("*.md")) ? QStringLiteral("md")
                                                                        : QStringLiteral("pdf"));
    });
    connect(files, &QFileDialog::fileSelected, this, &ApplicationDialog::saveTo);
    files->open();
}

void ApplicationDialog::saveTo(const QString& path)
{
    if (!m_application)
        return;
    const bool isText = QFileInfo(path).suffix().toLower() == QLatin1String("md");
    const std::string content =
        isText ? pricing::applicationMarkdown(*m_application)
               : paintApplication(makeApplicationView(*m_application, m_locale), m_locale)
                     .toStdString();
    const auto saved = core::saveFile(path.toStdString(), content);
    if (!saved)
        return m_centreNote->setProblem(toQString(saved.error().sentence()));
    Q_EMIT said({.text = QStringLiteral("The application is in %1.").arg(path)});
    accept();
}

} // namespace outlay::gui
