// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/goal_dialog.h"

#include "core/experiment/presets.h"
#include "gui/style/theme.h"
#include "gui/view/format.h"
#include "gui/view/goal_view.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/setting_form.h"
#include "pricing/report/make_report.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <chrono>

namespace outlay::gui {
namespace {

constexpr std::chrono::milliseconds Pause{300};

} // namespace

GoalDialog::GoalDialog(core::Experiment open, pricing::Catalogs catalogs,
                       const DisplayLocale& locale, QWidget* parent)
    : QDialog(parent), m_open(std::move(open)), m_catalogs(std::move(catalogs)), m_locale(locale),
      m_form(new SettingForm(this)),
      m_verdict(makeLabel(QString(), TypeRole::StrongBody, this, Wrap::Yes)),
      m_note(makeQuietLabel(QString(), TypeRole::Body, this, Wrap::Yes)), m_rows(new QVBoxLayout)
{
    setObjectName(QStringLiteral("goalDialog"));
    setWindowTitle(QStringLiteral("From a goal"));
    setAttribute(Qt::WA_DeleteOnClose);
    setMinimumWidth(size::SettingsWidth);
    buildForm();
    buildProposal();
    m_pause.setSingleShot(true);
    m_pause.setInterval(Pause);
    connect(&m_pause, &QTimer::timeout, this, &GoalDialog::propose);
    propose();
}

QComboBox* GoalDialog::addChoice(const char* name, const QString& label, const QStringList& titles)
{
    QComboBox* box = m_form->makeChoice(QLatin1String(name));
    box->addItems(titles);
    m_form->addRow(label, box);
    connect(box, &QComboBox::activated, &m_pause, qOverload<>(&QTimer::start));
    return box;
}

GoalDialog::Amount GoalDialog::addAmount(const char* name, const QString& label,
                                         const QString& placeholder)
{
    Amount amount{.open = placeholder};
    amount.edit = m_form->makeEdit(QLatin1String(name), {});
    amount.edit->setPlaceholderText(placeholder);
    amount.note = m_form->addRow(label, amount.edit);
    connect(amount.edit, &QLineEdit::textEdited, &m_pause, qOverload<>(&QTimer::start));
    return amount;
}

void GoalDialog::buildForm()
{
    QStringList designs{QStringLiteral("The one that is open")};
    if (const auto& presets = core::presets()) {
        for (const core::Preset& preset : *presets)
            designs.append(toQString(preset.experiment.name));
    }
    m_form->addSection(QStringLiteral("What I want"));
    m_design = addChoice("goalDesign", QStringLiteral("Design"), designs);
    // In the order of pricing::Purpose.
    m_purpose = addChoice("goalPurpose", QStringLiteral("To"),
                          {QStringLiteral("train it"),
                           QStringLiteral("fine-tune it, three times "
                                          "over the data"),
                           QStringLiteral("serve it"), QStringLiteral("train and serve it")});
    const QString asItIs = QStringLiteral("as the design says");
    const QString noLimit = QStringLiteral("no limit");
    m_samples = addAmount("goalSamples", QStringLiteral("On samples"), asItIs);
    m_requests = addAmount("goalRequests", QStringLiteral("Requests a day"), asItIs);
    m_hours = addAmount("goalHours", QStringLiteral("Trained within hours"), noLimit);
    m_usd = addAmount("goalUsd", QStringLiteral("A run for at most USD"), noLimit);
    // In the order of pricing::Tolerance.
    m_tolerance = addChoice("goalTolerance", QStringLiteral("Results may differ"),
                            {QStringLiteral("not at all"), QStringLiteral("by rounding to 16 bits"),
                             QStringLiteral("by another batch and by 8 bits, too")});
    m_tolerance->setCurrentIndex(static_cast<int>(pricing::Tolerance::Rounding));
}

void GoalDialog::buildProposal()
{
    m_verdict->setObjectName(QStringLiteral("goalVerdict"));
    m_note->setObjectName(QStringLiteral("goalNote"));
    auto* buttons = new QDialogButtonBox(this);
    m_use = buttons->addButton(QStringLiteral("Use this plan"), QDialogButtonBox::AcceptRole);
    m_use->setObjectName(QStringLiteral("goalUse"));
    buttons->addButton(QDialogButtonBox::Cancel)->setObjectName(QStringLiteral("goalCancel"));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        if (m_pause.isActive()) { // what was just typed is to be seen before it is taken
            m_pause.stop();
            return propose();
        }
        if (!m_proposal)
            return;
        Q_EMIT chosen(wanted());
        accept();
    });
    m_rows->setSpacing(0);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(size::Wide, size::Wide, size::Wide, size::Wide);
    layout->setSpacing(size::Large);
    layout->addWidget(m_form);
    layout->addWidget(m_verdict);
    layout->addLayout(m_rows);
    layout->addWidget(m_note);
    layout->addStretch(1);
    layout->addWidget(buttons);
}

std::optional<double> GoalDialog::read(const Amount& amount, bool& isSound) const
{
    const QString text = amount.edit->text().trimmed();
    amount.note->setProblem({});
    if (text.isEmpty() || !amount.edit->isEnabled())
        return std::nullopt;
    const auto number = typedNumber(text, m_locale);
    if (number && *number > 0)
        return number;
    isSound = false;
    amount.note->setProblem(QStringLiteral("Give a number above zero, or leave it empty."));
    return std::nullopt;
}

void GoalDialog::enable(const Amount& amount, bool isAsked)
{
    amount.edit->setEnabled(isAsked);
    amount.edit->setPlaceholderText(isAsked ? amount.open : QStringLiteral("not asked for this"));
}

/// Without a proposal there is nothing to choose from.
void GoalDialog::drop(const QString& why)
{
    m_proposal.reset();
    for (QCheckBox* change : std::exchange(m_changes, {}))
        delete change;
    m_use->setEnabled(false);
    m_verdict->setText({});
    m_note->setText(why);
    m_note->setVisible(!why.isEmpty());
}

void GoalDialog::propose()
{
    for (std::size_t i = 0; m_proposal && i < m_changes.size(); ++i) {
        if (m_changes[i]->isChecked())
            m_unwanted.erase(m_proposal->changes[i].pointers.front());
        else
            m_unwanted.insert(m_proposal->changes[i].pointers.front());
    }
    const auto purpose = static_cast<pricing::Purpose>(m_purpose->currentIndex());
    const bool isServed =
        purpose == pricing::Purpose::Serve || purpose == pricing::Purpose::TrainAndServe;
    enable(m_requests, isServed);
    for (const Amount* amount : {&m_samples, &m_hours, &m_usd})
        enable(*amount, purpose != pricing::Purpose::Serve);
    bool isSound = true;
    const pricing::Goal goal{.purpose = purpose,
                             .samples = read(m_samples, isSound),
                             .requestsPerDay = read(m_requests, isSound),
                             .deadlineHours = read(m_hours, isSound),
                             .budgetUsd = read(m_usd, isSound),
                             .tolerance =
                                 static_cast<pricing::Tolerance>(m_tolerance->currentIndex())};
    if (!isSound)
        return drop({});
    const int design = m_design->currentIndex();
    core::Experiment base =
        design == 0 ? m_open : (*core::presets())[static_cast<std::size_t>(design - 1)].experiment;
    base.site = m_open.site;
    auto proposal = pricing::proposalFor(base, goal, m_catalogs);
    drop(proposal ? QString() : toQString(proposal.error().sentence()));
    if (!proposal)
        return;
    m_proposal = std::move(*proposal);
    m_use->setEnabled(true);
    for (std::size_t i = 0; i < m_proposal->changes.size(); ++i) {
        auto* box = new QCheckBox(this);
        box->setObjectName(QStringLiteral("goalChange%1").arg(i));
        box->setChecked(!m_unwanted.contains(m_proposal->changes[i].pointers.front()));
        connect(box, &QCheckBox::toggled, this, &GoalDialog::showProposal);
        m_rows->addWidget(box);
        m_changes.push_back(box);
    }
    showProposal();
}

core::Experiment GoalDialog::wanted() const
{
    std::vector<bool> wanted;
    for (const QCheckBox* change : m_changes)
        wanted.push_back(change->isChecked());
    return pricing::with(*m_proposal, wanted);
}

void GoalDialog::showProposal()
{
    const GoalView view =
        makeGoalView(*m_proposal, pricing::makeReport(wanted(), m_catalogs), m_locale);
    m_verdict->setText(view.verdict);
    m_note->setText(view.note);
    m_note->setVisible(!view.note.isEmpty());
    for (std::size_t i = 0; i < view.rows.size(); ++i)
        m_changes[i]->setText(QStringLiteral("%1 (%2)").arg(view.rows[i].title, view.rows[i].why));
    // Words take the lines that they need, and no field gives up its height for them.
    layout()->activate();
    setMinimumHeight(layout()->totalHeightForWidth(width()));
}

} // namespace outlay::gui
