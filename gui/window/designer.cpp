// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/designer.h"

#include "core/experiment/mixes.h"
#include "core/experiment/presets.h"
#include "gui/view/format.h"
#include "gui/widgets/form_row.h"
#include "gui/widgets/labels.h"
#include "gui/window/quality_editor.h"

#include <QComboBox>
#include <QEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace outlay::gui {
namespace {

/// The families that a design can be switched to.
bool hasPreset(const std::string& family)
{
    const auto& all = core::presets();
    return all && std::any_of(all->begin(), all->end(), [&](const core::Preset& preset) {
               return core::familyOf(preset.experiment.model) == family;
           });
}

QComboBox* addChoice(const QString& name, const QString& caption, QVBoxLayout* layout)
{
    QWidget* parent = layout->parentWidget();
    auto* box = new QComboBox(parent);
    box->setObjectName(name);
    box->setAccessibleName(caption);
    box->setFocusPolicy(Qt::StrongFocus);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    QLabel* label = makeQuietLabel(caption, TypeRole::Secondary, parent);
    label->setBuddy(box);
    layout->addWidget(label);
    layout->addWidget(box);
    return box;
}

} // namespace

Designer::Designer(const QLocale& locale, QWidget* parent)
    : QScrollArea(parent), m_locale(locale), m_body(new QWidget(this)),
      m_layout(new QVBoxLayout(m_body)), m_quality(new QualityEditor(locale, m_body))
{
    setObjectName(QStringLiteral("designer"));
    setAccessibleName(QStringLiteral("Designer"));
    setFrameShape(NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFixedWidth(size::Designer);
    setFocusPolicy(Qt::NoFocus);
    viewport()->setAutoFillBackground(true);
    viewport()->setBackgroundRole(QPalette::Base);
    m_body->setBackgroundRole(QPalette::Base);
    m_layout->setContentsMargins(size::Large, size::Large, size::Large, size::Large);
    m_layout->setSpacing(size::Tiny);
    buildTop();
    m_layout->addWidget(m_quality);
    m_layout->addStretch(1);
    connect(m_quality, &QualityEditor::changed, this,
            [this](const core::Json& quality) { Q_EMIT valueChanged("/quality", quality, 0); });
    setWidget(m_body);
}

void Designer::buildTop()
{
    m_preset = addChoice(QStringLiteral("preset"), QStringLiteral("Start from a preset"), m_layout);
    m_preset->addItem(QStringLiteral("Own design"), QString());
    if (const auto& all = core::presets()) {
        for (const core::Preset& preset : *all) {
            m_preset->addItem(toQString(preset.experiment.name), toQString(preset.id));
            m_preset->setItemData(m_preset->count() - 1, toQString(preset.summary),
                                  Qt::ToolTipRole);
        }
    }
    m_family = addChoice(QStringLiteral("family"), QStringLiteral("Family"), m_layout);
    for (const FamilyRow& row : familyRows()) {
        if (hasPreset(row.name))
            m_family->addItem(row.title, toQString(row.name));
    }
    connect(m_preset, &QComboBox::activated, this, [this] {
        if (const QString id = m_preset->currentData().toString(); !id.isEmpty())
            Q_EMIT presetChosen(id);
    });
    connect(m_family, &QComboBox::activated, this,
            [this] { Q_EMIT familyChosen(m_family->currentData().toString()); });
}

void Designer::show(const core::Experiment& experiment)
{
    const std::vector<FormSection> form = makeFormView(experiment);
    if (m_form == nullptr || !isSameForm(form, m_shown)) {
        build(form);
    } else {
        for (const FormSection& section : form) {
            for (const FormField& field : section.fields)
                m_rows.at(field.pointer)->show(field);
        }
    }
    for (const FormSection& section : form)
        showRows(section);
    m_shown = form;
    showMix(experiment);
    m_quality->show(experiment.quality);
    const QSignalBlocker quietFamily(m_family);
    m_family->setCurrentIndex(m_family->findData(toQString(core::familyOf(experiment.model))));
    const QSignalBlocker quietPreset(m_preset);
    const core::Preset* like = core::presetLike(experiment);
    m_preset->setCurrentIndex(
        like == nullptr ? 0 : std::max(0, m_preset->findData(toQString(like->id))));
}

void Designer::setProblem(const std::string& pointer, const QString& sentence)
{
    if (const auto row = m_rows.find(pointer); row != m_rows.end())
        row->second->setProblem(sentence);
}

const FormField* Designer::fieldAt(const QWidget* widget) const
{
    for (const FormSection& section : m_shown) {
        for (const FormField& field : section.fields) {
            const FormRow* row = m_rows.at(field.pointer);
            if (widget != nullptr && (row == widget || row->isAncestorOf(widget)))
                return &field;
        }
    }
    return nullptr;
}

void Designer::build(const std::vector<FormSection>& form)
{
    if (m_form != nullptr) {
        // One of its rows may be the sender of the change that led here.
        m_form->hide();
        m_form->deleteLater();
    }
    m_rows.clear();
    m_form = new QWidget(m_body);
    auto* layout = new QVBoxLayout(m_form);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(size::Tiny);
    constexpr int BeforeQuality = 2; // and the stretch below it
    m_layout->insertWidget(m_layout->count() - BeforeQuality, m_form);
    for (const FormSection& section : form)
        addSection(section);
    // What is built later comes last for the tab key, unless it is told where it is.
    QWidget* before = m_family;
    for (const QWidget* part : {m_form, static_cast<QWidget*>(m_quality)}) {
        for (QWidget* widget : part->findChildren<QWidget*>()) {
            const bool isOfList = widget->window() != window(); // that a choice opens
            if ((widget->focusPolicy() & Qt::TabFocus) == 0 || isOfList)
                continue;
            setTabOrder(before, widget);
            before = widget;
        }
    }
}

void Designer::addSection(const FormSection& section)
{
    auto* layout = static_cast<QVBoxLayout*>(m_form->layout());
    layout->addSpacing(size::Medium);
    QLabel* title = makeQuietLabel(section.title.toUpper(), TypeRole::Axis, m_form);
    title->setAccessibleName(section.title);
    layout->addWidget(title);
    if (section.id == QStringLiteral("serving"))
        addMix(layout);
    auto* rest = new QWidget(m_form);
    auto* restLayout = new QVBoxLayout(rest);
    restLayout->setContentsMargins(0, 0, 0, 0);
    restLayout->setSpacing(size::Tiny);
    for (const FormField& field : section.fields)
        addRow(field, field.isMain ? layout : restLayout, field.isMain ? m_form : rest);
    auto* more = new QToolButton(m_form);
    more->setObjectName(section.id + QStringLiteral("More"));
    more->setCheckable(true);
    more->setAutoRaise(true);
    more->setFont(fontOf(TypeRole::Secondary));
    more->setChecked(m_isOpen[section.id]);
    rest->setVisible(m_isOpen[section.id]);
    more->setAccessibleName(section.title + QStringLiteral(": all fields"));
    connect(more, &QToolButton::toggled, this, [this, rest, id = section.id](bool isOpen) {
        rest->setVisible(isOpen);
        m_isOpen[id] = isOpen;
        for (const FormSection& shown : m_shown) {
            if (shown.id == id)
                showRows(shown);
        }
    });
    layout->addWidget(rest);
    layout->addWidget(more, 0, Qt::AlignLeft);
}

/// What requests are like, as somebody counted them: several fields at once.
void Designer::addMix(QVBoxLayout* layout)
{
    m_mix = new QWidget(m_form);
    auto* box = new QVBoxLayout(m_mix);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(size::Tiny);
    QComboBox* choice = addChoice(QStringLiteral("mix"), QStringLiteral("Requests like"), box);
    choice->addItem(QStringLiteral("Own lengths"), QString());
    if (const auto& all = core::trafficMixes()) {
        for (const core::TrafficMix& mix : *all) {
            choice->addItem(toQString(mix.title), toQString(mix.id));
            const QString from = toQString(mix.summary) + QStringLiteral("; from ");
            choice->setItemData(choice->count() - 1, QString(from + toQString(mix.source)),
                                Qt::ToolTipRole);
        }
    }
    connect(choice, &QComboBox::activated, this, [this, choice] {
        if (const QString id = choice->currentData().toString(); !id.isEmpty())
            Q_EMIT mixChosen(id);
    });
    layout->addWidget(m_mix);
}

void Designer::showMix(const core::Experiment& experiment)
{
    m_mix->setVisible(core::takesMix(experiment));
    auto* choice = m_mix->findChild<QComboBox*>(QStringLiteral("mix"));
    const core::TrafficMix* mix = core::mixOf(experiment);
    choice->setCurrentIndex(mix == nullptr ? 0 : std::max(0, choice->findData(toQString(mix->id))));
}

/// Those that say something about the design.
void Designer::showRows(const FormSection& section)
{
    int further = 0;
    for (const FormField& field : section.fields) {
        m_rows.at(field.pointer)->setVisible(field.isShown);
        further += !field.isMain && field.isShown ? 1 : 0;
    }
    auto* more = m_form->findChild<QToolButton*>(section.id + QStringLiteral("More"));
    more->setText(more->isChecked() ? QStringLiteral("Fewer fields")
                                    : QStringLiteral("%1 more fields").arg(further));
    more->setVisible(further > 0);
}

void Designer::addRow(const FormField& field, QVBoxLayout* layout, QWidget* parent)
{
    FormRow* row = makeFormRow(field, m_locale, parent);
    layout->addWidget(row);
    m_rows[field.pointer] = row;
    if (const auto words = m_words.find(field.pointer); words != m_words.end())
        row->setWords(QStringList(words->second.begin(), words->second.end()));
    connect(row, &FormRow::changed, this,
            [this, row, pointer = field.pointer](const core::Json& value) {
                Q_EMIT valueChanged(pointer, value, row->isDragging() ? m_drag : 0);
            });
    connect(row, &FormRow::dragStarted, this, [this] { ++m_drag; });
}

void Designer::paintEvent(QPaintEvent* event)
{
    QScrollArea::paintEvent(event);
    QPainter painter(viewport());
    painter.setPen(tokensOf(palette()).cardBorder);
    painter.drawLine(viewport()->rect().topRight(), viewport()->rect().bottomRight());
}

} // namespace outlay::gui
