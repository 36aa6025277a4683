// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/exporter.h"

#include "core/base/clock.h"
#include "core/base/file.h"
#include "gui/style/flat_style.h"
#include "gui/style/theme.h"
#include "gui/view/format.h"
#include "gui/widgets/labels.h"
#include "gui/window/application_dialog.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QFutureWatcher>
#include <QGuiApplication>
#include <QPushButton>
#include <QSpinBox>
#include <QtConcurrentRun>

#include <algorithm>

namespace outlay::gui {
namespace {

QSpinBox* makeSizeBox(const QString& name, const QString& spoken, int value, QWidget* parent)
{
    auto* box = new QSpinBox(parent);
    box->setObjectName(name);
    box->setAccessibleName(spoken);
    box->setRange(LeastPicture.height(), LargestPicture.width());
    box->setSingleStep(100);
    box->setSuffix(QStringLiteral(" px"));
    box->setValue(value);
    box->setMinimumHeight(size::Control);
    return box;
}

/// Size, sharpness and theme of a picture.
class PictureDialog final : public QDialog {
public:
    PictureDialog(bool isDark, QWidget* parent)
        : QDialog(parent),
          m_width(makeSizeBox(QStringLiteral("pictureWidth"), QStringLiteral("Width"), 1600, this)),
          m_height(
              makeSizeBox(QStringLiteral("pictureHeight"), QStringLiteral("Height"), 1000, this)),
          m_subject(new QComboBox(this)), m_scale(new QComboBox(this)),
          m_dark(new QCheckBox(QStringLiteral("Dark"), this))
    {
        setObjectName(QStringLiteral("pictureDialog"));
        setWindowTitle(QStringLiteral("Export picture"));
        setAttribute(Qt::WA_DeleteOnClose);
        m_subject->addItems({QStringLiteral("The dashboard"), QStringLiteral("The comparison")});
        m_subject->setObjectName(QStringLiteral("pictureSubject"));
        m_subject->setAccessibleName(QStringLiteral("What the picture shows"));
        for (const int scale : {1, 2, 3})
            m_scale->addItem(QStringLiteral("%1 x").arg(scale), scale);
        m_scale->setCurrentIndex(1);
        m_scale->setObjectName(QStringLiteral("pictureScale"));
        m_scale->setAccessibleName(QStringLiteral("Pixels for each point"));
        m_dark->setObjectName(QStringLiteral("pictureDark"));
        m_dark->setChecked(isDark);
        auto* buttons = new QDialogButtonBox(this);
        QPushButton* go =
            buttons->addButton(QStringLiteral("Choose a file…"), QDialogButtonBox::AcceptRole);
        go->setObjectName(QStringLiteral("pictureAccept"));
        setMainButton(go);
        buttons->addButton(QDialogButtonBox::Cancel)
            ->setObjectName(QStringLiteral("pictureCancel"));
        auto* layout = new QFormLayout(this);
        layout->setContentsMargins(size::Wide, size::Wide, size::Wide, size::Wide);
        layout->addRow(QStringLiteral("Shows"), m_subject);
        layout->addRow(QStringLiteral("Width"), m_width);
        layout->addRow(QStringLiteral("Height"), m_height);
        layout->addRow(QStringLiteral("Sharpness"), m_scale);
        layout->addRow(QStringLiteral("Theme"), m_dark);
        layout->addRow(makeQuietLabel(
            QStringLiteral("PNG, SVG or PDF by the file's name; further kinds of files "
                           "are in its dialog"),
            TypeRole::Secondary, this));
        layout->addRow(buttons);
        connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
        connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    }

    [[nodiscard]] PictureRequest request() const
    {
        return {.size = {m_width->value(), m_height->value()},
                .scale = m_scale->currentData().toDouble(),
                .isDark = m_dark->isChecked(),
                .subject = static_cast<PictureSubject>(m_subject->currentIndex())};
    }

private:
    QSpinBox* m_width;
    QSpinBox* m_height;
    QComboBox* m_subject;
    QComboBox* m_scale;
    QCheckBox* m_dark;
};

} // namespace

Exporter::Exporter(std::function<PanelInput()> input, const DisplayLocale& locale, QWidget& window)
    : QObject(&window), m_input(std::move(input)), m_locale(locale), m_window(window)
{
}

void Exporter::choose()
{
    auto* dialog = new PictureDialog(tokensOf(m_window.palette()).isDark, &m_window);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const PictureRequest request = dialog->request();
        auto* files = new QFileDialog(&m_window, QStringLiteral("Export picture"));
        files->setAttribute(Qt::WA_DeleteOnClose);
        files->setAcceptMode(QFileDialog::AcceptSave);
        files->setDefaultSuffix(QStringLiteral("png"));
        files->setNameFilters(exportFilters());
        files->selectFile(toQString(fileStem(request.subject)) + QStringLiteral(".png"));
        connect(files, &QFileDialog::filterSelected, files, [files](const QString& filter) {
            // "Pictures (*.png *.svg)" -> "png".
            const QString endings = filter.section(QStringLiteral("*."), 1, 1);
            const auto* const end = std::find_if(endings.cbegin(), endings.cend(),
                                                 [](QChar c) { return !c.isLetterOrNumber(); });
            files->setDefaultSuffix(endings.left(end - endings.cbegin()));
        });
        connect(files, &QFileDialog::fileSelected, this,
                [this, request, files](const QString& path) {
                    exportTo(path, request, files->selectedNameFilter());
                });
        files->open();
    });
    dialog->open();
}

void Exporter::exportTo(const QString& path, const PictureRequest& request, const QString& filter)
{
    const auto fail = [&](const core::Error& error) {
        Q_EMIT said({.kind = BarMessage::Kind::Error, .text = toQString(error.sentence())});
    };
    const auto kind = exportKindOf(path, filter);
    if (!kind)
        return fail(kind.error());
    if (const auto* const* format = std::get_if<const pricing::ExportFormat*>(&*kind))
        return write(path, **format);
    if (const auto possible = check(request); !possible)
        return fail(possible.error());
    paint(path, std::get<PictureFormat>(*kind), request);
}

void Exporter::write(const QString& path, const pricing::ExportFormat& format)
{
    const PanelInput now = m_input();
    const auto text = format.write({now.experiment, now.report, *now.catalogs, core::nowUtc()});
    const core::Result<void> written =
        text ? core::saveFile(path.toStdString(), *text) : core::failureOf(text);
    const auto leftOut = format.write == &pricing::focusRows ? pricing::leftOutOfFocus(now.report)
                                                             : std::vector<std::string>();
    QStringList sentences{QStringLiteral("The figures are in %1.").arg(path)};
    for (const std::string& sentence : leftOut)
        sentences.append(toQString(sentence));
    if (written)
        Q_EMIT said({.kind = leftOut.empty() ? BarMessage::Kind::Info : BarMessage::Kind::Warning,
                     .text = sentences.join(QLatin1Char(' '))});
    else
        Q_EMIT said({.kind = BarMessage::Kind::Error,
                     .text = toQString(written.error().in(path.toStdString()).sentence())});
    Q_EMIT finished(path);
}

void Exporter::paint(const QString& path, PictureFormat format, const PictureRequest& request)
{
    if (format != PictureFormat::Png) {
        const QByteArray content = paintVector(m_input(), request, format, m_locale);
        return await(path,
                     QtConcurrent::run([content, path] { return savePicture(content, path); }));
    }
    const QImage image = paintImage(m_input(), request, m_locale);
    if (image.isNull())
        return Q_EMIT said(
            {.kind = BarMessage::Kind::Error,
             .text = QStringLiteral("There is no memory for the picture; choose a smaller size "
                                    "or sharpness.")});
    await(path, QtConcurrent::run([image, path] { return savePicture(encodePng(image), path); }));
}

void Exporter::await(const QString& path, const QFuture<core::Result<void>>& writing)
{
    auto* watcher = new QFutureWatcher<core::Result<void>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, path] {
        const core::Result<void> written = watcher->result();
        watcher->deleteLater();
        if (written)
            Q_EMIT said({.text = QStringLiteral("The picture is in %1.").arg(path)});
        else
            Q_EMIT said(
                {.kind = BarMessage::Kind::Error, .text = toQString(written.error().sentence())});
        Q_EMIT finished(path);
    });
    watcher->setFuture(writing);
}

void Exporter::copy()
{
    const PictureRequest request{.scale = m_window.devicePixelRatioF(),
                                 .isDark = tokensOf(m_window.palette()).isDark};
    QGuiApplication::clipboard()->setImage(paintImage(m_input(), request, m_locale));
    Q_EMIT said({.text = QStringLiteral("The picture is in the clipboard.")});
}

void Exporter::apply()
{
    auto* dialog = new ApplicationDialog(m_input, m_locale, &m_window);
    connect(dialog, &ApplicationDialog::said, this, &Exporter::said);
    dialog->open();
}

} // namespace outlay::gui
