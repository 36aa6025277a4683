// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/attach_dialog.h"

#include "gui/style/tokens.h"
#include "gui/view/format.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/setting_form.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>

namespace outlay::gui {

AttachDialog::AttachDialog(const Document& document, QWidget* parent)
    : QDialog(parent), m_document(document), m_attacher(new RunAttacher(this)),
      m_form(new SettingForm(this))
{
    setObjectName(QStringLiteral("attachDialog"));
    setWindowTitle(QStringLiteral("Attach what it took"));
    buildForm();
    layOutForm(
        *this, m_form,
        QStringLiteral("CodeCarbon's emissions.csv, `sacct -P`, trainer_state.json, "
                       "wandb-summary.json, MLflow's meta.yaml, TensorBoard events, or a bill in "
                       "FOCUS or of AWS. What is forecast today is kept beside it as it is."),
        makeButtons());
    connect(m_attacher, &RunAttacher::finished, this, &AttachDialog::take);
}

void AttachDialog::buildForm()
{
    const auto edit = [this](const char* name, const QString& label, const QString& open) {
        QLineEdit* line = m_form->makeEdit(QLatin1String(name), {});
        line->setPlaceholderText(open);
        m_form->addRow(label, line);
        return line;
    };
    m_form->addSection(QStringLiteral("A run of the open experiment"));
    m_file = m_form->makeEdit(QStringLiteral("attachFile"), {});
    QPushButton* chooser =
        m_form->makeButton(QStringLiteral("attachChoose"), QStringLiteral("Choose…"),
                           QStringLiteral("Choose what somebody kept of the run"));
    m_note = m_form->addRow(QStringLiteral("File"), m_file, {chooser});
    m_place = m_form->makeChoice(QStringLiteral("attachPlace"));
    m_place->addItems({QStringLiteral("where the plan has it"), QStringLiteral("on this machine")});
    m_form->addRow(QStringLiteral("It ran"), m_place);
    m_run = edit("attachRun", QStringLiteral("Of several runs"), QStringLiteral("the last one"));
    m_form->addSection(QStringLiteral("Of a bill, what was the run's"));
    const QString all = QStringLiteral("all of it");
    m_resource = edit("attachResource", QStringLiteral("Resource's name has"), all);
    m_tag = edit("attachTag", QStringLiteral("Tag"), QStringLiteral("key=value"));
    m_from = edit("attachFrom", QStringLiteral("From the day"), QStringLiteral("2026-11-20"));
    m_to = edit("attachTo", QStringLiteral("Up to the day"), QStringLiteral("2026-11-21"));
    connect(chooser, &QPushButton::clicked, this, &AttachDialog::choose);
}

QDialogButtonBox* AttachDialog::makeButtons()
{
    auto* buttons = new QDialogButtonBox(this);
    m_attach = buttons->addButton(QStringLiteral("Attach"), QDialogButtonBox::AcceptRole);
    m_attach->setObjectName(QStringLiteral("attachNow"));
    m_attach->setDefault(true);
    buttons->addButton(QDialogButtonBox::Cancel)->setObjectName(QStringLiteral("attachCancel"));
    connect(buttons, &QDialogButtonBox::accepted, this, &AttachDialog::attach);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    return buttons;
}

void AttachDialog::choose()
{
    auto* dialog = new QFileDialog(this, QStringLiteral("Choose what somebody kept of the run"));
    dialog->setObjectName(QStringLiteral("attachFileDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& file) { m_file->setText(QDir::toNativeSeparators(file)); });
    dialog->open();
}

void AttachDialog::attach()
{
    const auto text = [](const QLineEdit* edit) { return edit->text().trimmed().toStdString(); };
    AttachRequest request{QDir::fromNativeSeparators(m_file->text().trimmed()).toStdString(),
                          {text(m_run), text(m_resource), text(m_tag), text(m_from), text(m_to)},
                          m_place->currentIndex() == 1};
    if (request.file.empty())
        return m_note->setProblem(QStringLiteral("Choose a file."));
    if (const auto days = checkDays(request.filter); !days)
        return m_note->setProblem(toQString(days.error().sentence()));
    m_note->setInfo(QStringLiteral("It is being read…"));
    m_attach->setEnabled(false);
    m_attacher->read(request, m_document.experiment(), m_document.figures());
}

void AttachDialog::take(const core::Result<pricing::Actual>& actual)
{
    m_attach->setEnabled(true);
    if (!actual)
        return m_note->setProblem(toQString(actual.error().sentence()));
    if (const auto with = withActual(m_document.experiment(), *actual); !with)
        return m_note->setProblem(toQString(with.error().sentence()));
    Q_EMIT read(*actual);
    accept();
}

} // namespace outlay::gui
