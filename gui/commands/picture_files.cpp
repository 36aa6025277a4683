// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/commands/picture_files.h"

#include "core/base/text.h"
#include "gui/export/application_page.h"
#include "gui/style/theme.h"

#include <QApplication>
#include <QTemporaryDir>

namespace outlay::gui {
namespace {

core::Result<QSize> sizeOf(const std::string& text)
{
    const std::vector<std::string> parts = core::split(text, 'x');
    const auto wrong = [&] {
        return core::usageError("--size is '" + core::printable(text, 40) + "'",
                                "give width and height in pixels, as in 1600x1000");
    };
    if (parts.size() != 2)
        return wrong();
    QSize size;
    for (int* side : {&size.rwidth(), &size.rheight()}) {
        bool isNumber = false;
        const std::string& part = parts[side == &size.rwidth() ? 0 : 1];
        *side = QString::fromStdString(part).toInt(&isNumber);
        if (!isNumber)
            return wrong();
    }
    return size;
}

core::Result<double> scaleOf(const std::string& text)
{
    const auto scale = core::numberIn(text);
    if (!scale)
        return core::usageError("--scale is '" + core::printable(text, 40) + "'",
                                "give a number from 0.5 to 4");
    return *scale;
}

core::Result<bool> isDarkIn(const std::string& text)
{
    if (text != "light" && text != "dark")
        return core::usageError("--theme is '" + core::printable(text, 40) + "'",
                                "give light or dark");
    return text == "dark";
}

/// Widgets need an application, and it needs no display: whatever the desktop or a script has set,
/// the same picture is made.
class HiddenApplication {
public:
    HiddenApplication()
    {
        for (const char* name : {"QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI",
                                 "QT_STYLE_OVERRIDE", "QT_QPA_PLATFORMTHEME"})
            qunsetenv(name);
        qputenv("QT_QPA_PLATFORM", "offscreen");
        // Qt would make a folder for itself, and say so, where a bare machine has none.
        if (qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR"))
            qputenv("XDG_RUNTIME_DIR", m_runtime.path().toUtf8());
        m_application = std::make_unique<QApplication>(m_argc, m_argv.data());
        applyTheme(ThemeChoice::Light, {});
    }

private:
    int m_argc = 1;
    std::string m_name = "outlay";
    QTemporaryDir m_runtime;
    std::array<char*, 2> m_argv{m_name.data(), nullptr};
    std::unique_ptr<QApplication> m_application;
};

} // namespace

core::Result<PictureRequest> pictureRequestOf(const Arguments& arguments)
{
    PictureRequest request;
    if (const auto text = arguments.value(SizeOption.name)) {
        const auto size = sizeOf(*text);
        if (!size)
            return core::failureOf(size);
        request.size = *size;
    }
    if (const auto text = arguments.value(ScaleOption.name)) {
        const auto scale = scaleOf(*text);
        if (!scale)
            return core::failureOf(scale);
        request.scale = *scale;
    }
    if (const auto text = arguments.value(ThemeOption.name)) {
        const auto isDark = isDarkIn(*text);
        if (!isDark)
            return core::failureOf(isDark);
        request.isDark = *isDark;
    }
    if (const auto possible = check(request); !possible)
        return core::failureOf(possible);
    return request;
}

core::Result<std::vector<OutputText>> paintPictures(const PanelInput& input,
                                                    const PictureRequest& request,
                                                    const PaintedFiles& wanted)
{
    std::vector<OutputText> files;
    if (wanted.formats.empty() && wanted.application == nullptr)
        return files;
    const HiddenApplication hidden;
    if (wanted.application != nullptr)
        files.push_back({"application.pdf",
                         paintApplication(makeApplicationView(*wanted.application, commandLocale()),
                                          commandLocale())
                             .toStdString()});
    for (const PictureFormat format : wanted.formats) {
        for (const PictureSubject subject :
             {PictureSubject::Dashboard, PictureSubject::Comparison}) {
            PictureRequest one = request;
            one.subject = subject;
            QByteArray content;
            if (format == PictureFormat::Png)
                content = encodePng(paintImage(input, one, commandLocale()));
            else
                content = paintVector(input, one, format, commandLocale());
            if (content.isEmpty())
                return core::inputError("there is no memory for the picture",
                                        "give a smaller --size or --scale");
            const auto suffix = PictureFormatNames.at(static_cast<std::size_t>(format));
            files.push_back({std::string(fileStem(subject)) + "." + std::string(suffix),
                             content.toStdString()});
        }
    }
    return files;
}

} // namespace outlay::gui
