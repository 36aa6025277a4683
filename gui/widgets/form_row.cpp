// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/form_row.h"

#include "gui/view/field_presentation.h"
#include "gui/view/format.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/slider_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace outlay::gui {
namespace {

QLabel* makeProblem(QWidget* parent)
{
    QLabel* problem = makeLabel(QString(), TypeRole::Secondary, parent, Wrap::Yes);
    problem->setForegroundRole(BadText);
    problem->hide();
    return problem;
}

void showProblem(QLabel& label, const QString& sentence)
{
    label.setText(sentence);
    label.setVisible(!sentence.isEmpty());
}

class ChoiceField final : public FormRow {
public:
    ChoiceField(const FormField& field, const QLocale& locale, QWidget* parent)
        : FormRow(parent), m_locale(locale), m_box(new QComboBox(this)),
          m_problem(makeProblem(this))
    {
        m_box->setObjectName(objectNameOf(field.pointer));
        m_box->setAccessibleName(field.label);
        m_box->setToolTip(field.hint);
        m_box->setFocusPolicy(Qt::StrongFocus);
        m_box->installEventFilter(this);
        if (field.isOptional)
            m_box->addItem(QString(), QString());
        for (const QString& option : field.options)
            m_box->addItem(optionTitle(option), option);
        QLabel* label = makeLabel(field.label, TypeRole::Body, this, Wrap::Yes);
        label->setBuddy(m_box);
        auto* row = new QHBoxLayout;
        row->setSpacing(size::Small);
        row->addWidget(label, 1);
        row->addWidget(m_box);
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
        layout->addLayout(row);
        layout->addWidget(m_problem);
        show(field);
        connect(m_box, &QComboBox::activated, this, [this] {
            if (const auto value = readField(m_field, m_box->currentData().toString(), m_locale))
                Q_EMIT changed(*value);
        });
    }

    void show(const FormField& field) override
    {
        m_field = field;
        const QSignalBlocker quiet(m_box);
        if (field.isOptional)
            m_box->setItemText(0, field.resolved.isNull()
                                      ? placeholderText(field, m_locale)
                                      : optionTitle(placeholderText(field, m_locale)) +
                                            QStringLiteral(" (default)"));
        m_box->setCurrentIndex(std::max(0, m_box->findData(fieldText(field, m_locale))));
        setProblem({});
    }
    void setProblem(const QString& sentence) override { showProblem(*m_problem, sentence); }

protected:
    /// Scrolling the form must not change a design.
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::Wheel || m_box->hasFocus())
            return FormRow::eventFilter(watched, event);
        event->ignore();
        return true;
    }

private:
    FormField m_field;
    QLocale m_locale;
    QComboBox* m_box;
    QLabel* m_problem;
};

class FlagField final : public FormRow {
public:
    FlagField(const FormField& field, QWidget* parent)
        : FormRow(parent), m_box(new QCheckBox(field.label, this)), m_problem(makeProblem(this))
    {
        m_box->setObjectName(objectNameOf(field.pointer));
        m_box->setAccessibleName(field.label);
        m_box->setToolTip(field.hint);
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
        layout->addWidget(m_box);
        layout->addWidget(m_problem);
        show(field);
        connect(m_box, &QCheckBox::clicked, this,
                [this](bool isOn) { Q_EMIT changed(core::Json(isOn)); });
    }

    void show(const FormField& field) override
    {
        const bool* isOn = field.value.asBool();
        m_box->setChecked(isOn != nullptr && *isOn);
        setProblem({});
    }
    void setProblem(const QString& sentence) override { showProblem(*m_problem, sentence); }

private:
    QCheckBox* m_box;
    QLabel* m_problem;
};

} // namespace

FormRow* makeFormRow(const FormField& field, const QLocale& locale, QWidget* parent)
{
    switch (field.kind) {
    case FormField::Kind::Choice: return new ChoiceField(field, locale, parent);
    case FormField::Kind::Flag: return new FlagField(field, parent);
    default: return new SliderField(field, locale, parent);
    }
}

QString objectNameOf(const std::string& pointer)
{
    QString name;
    bool isStart = false;
    const QString letters = toQString(pointer);
    for (const QChar c : letters) {
        if (c == QLatin1Char('/') || c == QLatin1Char('_')) {
            isStart = !name.isEmpty();
            continue;
        }
        name += isStart ? c.toUpper() : c;
        isStart = false;
    }
    return name;
}

} // namespace outlay::gui
