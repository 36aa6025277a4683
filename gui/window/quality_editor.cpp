// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/quality_editor.h"

#include "core/base/file.h"
#include "gui/view/format.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/setting_form.h"

#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace outlay::gui {
namespace {

/// The choice's place in the box: the first says nothing.
int indexOf(const std::optional<core::Better>& better)
{
    return better ? static_cast<int>(*better) + 1 : 0;
}

std::optional<core::Better> betterAt(int index)
{
    return index <= 0 ? std::nullopt : std::optional(static_cast<core::Better>(index - 1));
}

QVBoxLayout* tightLayout(QWidget* owner)
{
    auto* layout = new QVBoxLayout(owner);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(size::Tiny);
    return layout;
}

} // namespace

QualityEditor::QualityEditor(const QLocale& locale, QWidget* parent)
    : QWidget(parent), m_locale(locale), m_rowLayout(new QVBoxLayout),
      m_note(new SettingNote(QStringLiteral("qualityNote"), this)),
      m_curve(makeQuietLabel(QString(), TypeRole::Secondary, this, Wrap::Yes))
{
    setObjectName(QStringLiteral("qualityEditor"));
    QVBoxLayout* layout = tightLayout(this);
    layout->addSpacing(size::Medium);
    QLabel* title = makeQuietLabel(QStringLiteral("QUALITY"), TypeRole::Axis, this);
    title->setAccessibleName(QStringLiteral("Quality"));
    layout->addWidget(title);
    m_rowLayout->setSpacing(size::Small);
    layout->addLayout(m_rowLayout);
    auto* name = new QLineEdit(this); // before its value, as the tab key goes
    m_new = makeRow(QStringLiteral("New"), QStringLiteral("new figure"));
    m_new.name = name;
    m_new.name->setObjectName(QStringLiteral("qualityNameNew"));
    m_new.name->setAccessibleName(QStringLiteral("Name of a new figure of quality"));
    m_new.name->setPlaceholderText(QStringLiteral("name, such as accuracy"));
    layout->addSpacing(size::Tiny);
    layout->addWidget(m_new.name);
    layout->addWidget(m_new.box);
    addButtons(layout);
    layout->addWidget(m_note);
    m_curve->setObjectName(QStringLiteral("qualityCurve"));
    layout->addWidget(m_curve);
    layout->addWidget(m_dropCurve, 0, Qt::AlignLeft);
    m_curve->hide();
    m_dropCurve->hide();
}

void QualityEditor::addButtons(QVBoxLayout* layout)
{
    const auto add = [&](const char* name, const QString& text, const QString& spoken) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(QLatin1String(name));
        button->setAccessibleName(spoken);
        return button;
    };
    QPushButton* enter = add("qualityAdd", QStringLiteral("Add the figure"),
                             QStringLiteral("Add the figure of quality"));
    QPushButton* read = add("qualityRead", QStringLiteral("Read a file…"),
                            QStringLiteral("Read figures or a loss curve from a JSON or CSV file"));
    m_dropCurve = add("qualityDropCurve", QStringLiteral("Drop the curve"),
                      QStringLiteral("Drop the loss curve"));
    auto* row = new QHBoxLayout;
    row->setSpacing(size::Tiny);
    row->addWidget(enter, 1);
    row->addWidget(read, 1);
    layout->addLayout(row);
    const auto takeNew = [this] {
        take({m_new.name->text(), m_new.value->text(), betterAt(m_new.better->currentIndex())});
    };
    connect(enter, &QPushButton::clicked, this, takeNew);
    connect(m_new.value, &QLineEdit::returnPressed, this, takeNew);
    connect(read, &QPushButton::clicked, this, &QualityEditor::chooseFile);
    connect(m_dropCurve, &QPushButton::clicked, this, [this] {
        core::Json without = m_quality;
        without.erase("curve");
        Q_EMIT changed(without);
    });
}

/// Direction and value side by side.
QualityEditor::Row QualityEditor::makeRow(const QString& suffix, const QString& spoken)
{
    Row row{.box = new QWidget(this)};
    row.better = new QComboBox(row.box);
    row.better->setObjectName(QStringLiteral("qualityBetter") + suffix);
    row.better->setAccessibleName(QStringLiteral("Which is better, of ") + spoken);
    row.better->addItems({QStringLiteral("direction?"), QStringLiteral("larger is better"),
                          QStringLiteral("smaller is better")});
    row.better->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    row.value = new QLineEdit(row.box);
    row.value->setObjectName(QStringLiteral("qualityValue") + suffix);
    row.value->setAccessibleName(QStringLiteral("Value of ") + spoken);
    row.value->setPlaceholderText(QStringLiteral("value"));
    row.value->setFont(fontOf(TypeRole::Mono));
    row.value->setAlignment(Qt::AlignRight);
    row.value->setFixedWidth(size::FieldWidth);
    auto* layout = new QHBoxLayout(row.box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(size::Tiny);
    layout->addWidget(row.better, 1);
    layout->addWidget(row.value);
    return row;
}

void QualityEditor::show(const core::Json& quality)
{
    if (quality == m_quality)
        return; // most changes of an experiment are of something else
    m_quality = quality;
    const QualityView view = makeQualityView(quality, m_locale);
    if (hasNamesOf(view))
        refillRows(view);
    else
        buildRows(view);
    m_shown = view;
    m_curve->setText(view.curve);
    m_curve->setVisible(!view.curve.isEmpty());
    m_dropCurve->setVisible(!view.curve.isEmpty());
    m_note->setProblem({});
}

bool QualityEditor::hasNamesOf(const QualityView& view) const
{
    return std::equal(view.lines.begin(), view.lines.end(), m_shown.lines.begin(),
                      m_shown.lines.end(),
                      [](const QualityLine& a, const QualityLine& b) { return a.name == b.name; });
}

/// Other values of the same figures: whoever is in a row stays in it.
void QualityEditor::refillRows(const QualityView& view)
{
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        m_rows[i].better->setCurrentIndex(indexOf(view.lines[i].better));
        if (m_rows[i].value->text() != view.lines[i].value)
            m_rows[i].value->setText(view.lines[i].value);
    }
}

void QualityEditor::buildRows(const QualityView& view)
{
    // One of them may be the sender of the change that led here, and one that loses the focus would
    // say again what it holds.
    for (const Row& row : std::exchange(m_rows, {})) {
        row.value->disconnect(this);
        row.better->disconnect(this);
        row.box->parentWidget()->hide();
        row.box->parentWidget()->setParent(nullptr);
        row.box->parentWidget()->deleteLater();
    }
    QWidget* before = m_new.name->previousInFocusChain();
    for (const QualityLine& line : view.lines) {
        const QString suffix = QString::number(m_rows.size());
        auto* box = new QWidget(this);
        QVBoxLayout* layout = tightLayout(box);
        auto* remove = new QToolButton(box);
        remove->setObjectName(QStringLiteral("qualityRemove") + suffix);
        remove->setText(QStringLiteral("Remove"));
        remove->setAccessibleName(QStringLiteral("Remove ") + line.name);
        remove->setFont(fontOf(TypeRole::Secondary));
        remove->setAutoRaise(true);
        auto* top = new QHBoxLayout;
        auto* name = new ElidedLabel(TypeRole::Body, box);
        name->setWholeText(line.name);
        top->addWidget(name, 1);
        top->addWidget(remove);
        layout->addLayout(top);
        Row row = makeRow(suffix, line.name);
        row.value->setText(line.value);
        row.better->setCurrentIndex(indexOf(line.better));
        layout->addWidget(row.box);
        m_rowLayout->addWidget(box);
        box->show();
        const auto takeRow = [this, row, line] {
            take({line.name, row.value->text(), betterAt(row.better->currentIndex())});
        };
        connect(row.better, &QComboBox::activated, this, takeRow);
        connect(row.value, &QLineEdit::editingFinished, this, [row, takeRow] {
            if (row.value->isModified())
                takeRow();
        });
        connect(remove, &QToolButton::clicked, this, [this, line] {
            Q_EMIT changed(core::withoutFigure(m_quality, line.name.toStdString()));
        });
        m_rows.push_back(row);
        setTabOrder(before, remove);
        setTabOrder(remove, row.better);
        setTabOrder(row.better, row.value);
        before = row.value;
    }
}

void QualityEditor::take(const QualityLine& line)
{
    const auto figure = readQualityLine(line, m_locale);
    const auto with = figure ? core::withFigure(m_quality, *figure)
                             : core::Result<core::Json>(core::failureOf(figure));
    if (!with)
        return m_note->setProblem(toQString(with.error().sentence()));
    m_note->setProblem({});
    if (line.name == m_new.name->text()) {
        m_new.name->clear();
        m_new.value->clear();
        m_new.better->setCurrentIndex(0);
    }
    Q_EMIT changed(*with);
}

void QualityEditor::chooseFile()
{
    auto* files = new QFileDialog(window(), QStringLiteral("Read quality"));
    files->setObjectName(QStringLiteral("qualityDialog"));
    files->setAttribute(Qt::WA_DeleteOnClose);
    files->setFileMode(QFileDialog::ExistingFile);
    files->setNameFilters({QStringLiteral("Figures or losses (*.json *.csv *.tsv *.txt)"),
                           QStringLiteral("All files (*)")});
    connect(files, &QFileDialog::fileSelected, this, &QualityEditor::readFile);
    files->open();
}

void QualityEditor::readFile(const QString& path)
{
    const std::string file = path.toStdString();
    const auto text = core::loadFile(file);
    const auto read =
        text ? core::readQuality(*text) : core::Result<core::Quality>(core::failureOf(text));
    if (!read)
        return m_note->setProblem(toQString(read.error().in(file).sentence()));
    Q_EMIT changed(core::withQuality(m_quality, *read));
}

} // namespace outlay::gui
