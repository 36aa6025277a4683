// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The file of settings, which a person may have edited.
#include "gui/session/settings.h"
#include "tests/fuzz/target.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>

namespace outlay::fuzz {
namespace {

using namespace outlay::gui;

template <typename T>
void checkSetting(const Settings& settings, const Setting<T>& row)
{
    if (!row.check(settings.value(row)).isEmpty())
        fail(std::string("a setting doesn't pass: ") + row.key);
}

void feedSettings(const std::string& input)
{
    static const QTemporaryDir Home;
    qInstallMessageHandler(
        [](QtMsgType, const QMessageLogContext&, const QString&) {}); // Qt's own complaints
    static std::size_t count = 0;
    // Qt remembers files by their path.
    const QString home = Home.filePath(QString::number(++count % 4));
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, home);
    const std::filesystem::path folder = home.toStdString() + "/outlay";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "outlay.ini", std::ios::binary) << input;
    const Settings settings;
    for (const auto* row : {&setting::theme(), &setting::distance()})
        checkSetting(settings, *row);
    for (const auto* row : {&setting::locale(), &setting::currency(), &setting::currencyAsOf(),
                            &setting::place(), &setting::priceBook(), &setting::worker(),
                            &setting::programCommand(), &setting::trackFolder()})
        checkSetting(settings, *row);
    for (const auto* row : {&setting::currencyRate(), &setting::probeSeconds()})
        checkSetting(settings, *row);
    checkSetting(settings, setting::recent());
    checkSetting(settings, setting::windowState());
    static_cast<void>(displayLocaleOf(settings));
}

} // namespace

std::vector<Target> settingsTargets()
{
    return {
        {"settings",
         feedSettings,
         {},
         {},
         {"@ByteArray(", "@Variant(", "@Rect(", "@Size(", ")", "[", "]", "%U0041", "\\x", "="}}};
}

} // namespace outlay::fuzz
