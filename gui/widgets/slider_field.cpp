// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/slider_field.h"

#include "gui/view/format.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/word_completer.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include <cmath>

namespace outlay::gui {
namespace {

constexpr int PageSteps = 4;

/// A stop as the file would have it: a whole number has no decimal point.
core::Json jsonOf(double stop)
{
    return stop == std::floor(stop) ? core::Json(static_cast<std::int64_t>(stop))
                                    : core::Json(stop);
}

} // namespace

SliderField::SliderField(const FormField& field, const QLocale& locale, QWidget* parent)
    : FormRow(parent), m_locale(locale), m_edit(new QLineEdit(this)),
      m_problem(makeLabel(QString(), TypeRole::Secondary, this, Wrap::Yes))
{
    const QString name = objectNameOf(field.pointer);
    const QString spoken =
        field.unit.isEmpty() ? field.label : field.label + QStringLiteral(" in ") + field.unit;
    setObjectName(name + QStringLiteral("Row"));
    m_edit->setObjectName(name);
    m_edit->setAccessibleName(spoken);
    m_edit->setAccessibleDescription(field.hint);
    m_edit->setToolTip(field.hint);
    m_edit->setFont(fontOf(TypeRole::Mono));
    m_edit->setAlignment(Qt::AlignRight);
    m_edit->setFixedWidth(size::FieldWidth);
    const QString caption =
        field.unit.isEmpty() ? field.label : field.label + QStringLiteral(", ") + field.unit;
    QLabel* label = makeLabel(caption, TypeRole::Body, this, Wrap::Yes);
    label->setBuddy(m_edit);
    label->setToolTip(field.hint);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->addWidget(label, 1);
    row->addWidget(m_edit);
    layout->addLayout(row);
    if (field.slider) {
        m_stops = stopsOf(*field.slider);
        m_slider = new QSlider(Qt::Horizontal, this);
        m_slider->setObjectName(name + QStringLiteral("Slider"));
        m_slider->setAccessibleName(spoken + QStringLiteral(", slider"));
        m_slider->setToolTip(field.hint);
        m_slider->setRange(0, static_cast<int>(m_stops.size()) - 1);
        m_slider->setPageStep(PageSteps);
        m_slider->installEventFilter(this);
        layout->addWidget(m_slider);
        connect(m_slider, &QSlider::sliderPressed, this, &FormRow::dragStarted);
        connect(m_slider, &QSlider::valueChanged, this, [this](int position) {
            Q_EMIT changed(jsonOf(m_stops.at(static_cast<std::size_t>(position))));
        });
    }
    m_problem->setForegroundRole(BadText);
    m_problem->setObjectName(name + QStringLiteral("Problem"));
    m_problem->hide();
    layout->addWidget(m_problem);
    connect(m_edit, &QLineEdit::editingFinished, this, &SliderField::takeText);
    show(field);
}

void SliderField::show(const FormField& field)
{
    // What was refused isn't part of the design, and goes with the sentence that said so.
    if (field == m_field && m_problem->text().isEmpty())
        return;
    m_field = field;
    m_edit->setText(fieldText(field, m_locale));
    m_edit->setPlaceholderText(placeholderText(field, m_locale));
    m_edit->setModified(false);
    setProblem({});
    showSlider();
}

void SliderField::showSlider()
{
    if (m_slider == nullptr)
        return;
    const QSignalBlocker quiet(m_slider);
    const double value = m_field.value.isNumber() ? m_field.value.number() : m_stops.front();
    m_slider->setValue(static_cast<int>(nearestStop(m_stops, value)));
}

void SliderField::setProblem(const QString& sentence)
{
    if (sentence == m_problem->text())
        return;
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
    m_edit->setAccessibleDescription(sentence.isEmpty() ? m_field.hint : sentence);
}

bool SliderField::isDragging() const
{
    return m_slider != nullptr && m_slider->isSliderDown();
}

void SliderField::setWords(const QStringList& words)
{
    auto* completer = new WordCompleter(words, m_edit);
    m_edit->setCompleter(completer);
    // What is chosen counts as typed.
    connect(
        completer, qOverload<const QString&>(&QCompleter::activated), this,
        [this] {
            m_edit->setModified(true);
            takeText();
        },
        Qt::QueuedConnection);
}

void SliderField::takeText()
{
    if (!m_edit->isModified())
        return;
    const auto value = readField(m_field, m_edit->text(), m_locale);
    if (!value) // still to be entered: what undoes it is the field's
        return setProblem(toQString(value.error().what + ": " + value.error().remedy + "."));
    m_edit->setModified(false);
    Q_EMIT changed(*value);
}

void SliderField::step(int steps)
{
    const double now = m_field.value.isNumber() ? m_field.value.number() : m_stops.front();
    Q_EMIT changed(jsonOf(steppedFrom(m_stops, now, steps)));
}

/// Keys step from the value itself, which may lie between two stops, not from the nearest stop.
bool SliderField::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Wheel && !m_slider->hasFocus()) {
        event->ignore(); // scrolling the form must not change a design
        return true;
    }
    if (event->type() != QEvent::KeyPress)
        return FormRow::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Right:
    case Qt::Key_Up: step(1); return true;
    case Qt::Key_Left:
    case Qt::Key_Down: step(-1); return true;
    case Qt::Key_PageUp: step(PageSteps); return true;
    case Qt::Key_PageDown: step(-PageSteps); return true;
    default: return FormRow::eventFilter(watched, event);
    }
}

} // namespace outlay::gui
