// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/file_hash.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <QCryptographicHash>
#include <QFile>

#include <filesystem>

namespace outlay::gui {
namespace {

using core::Result;

constexpr std::uint64_t LargestHashes = 4096; // two lines

std::string hashesOf(const std::string& path)
{
    return path + ".sha256";
}

std::string lineOf(const std::string& hash, const std::string& path)
{
    return hash + "  " + std::filesystem::path(path).filename().string() + "\n";
}

std::string hashOfContent(std::string_view content)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QByteArrayView(content.data(), static_cast<qsizetype>(content.size())));
    return hash.result().toHex().toStdString();
}

} // namespace

Result<std::string> sha256Of(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file))
        return core::inputError("it can't be read", "check its permissions");
    return hash.result().toHex().toStdString();
}

Result<void> saveWithHash(const std::string& path, std::string_view content)
{
    const std::string hashes = hashesOf(path);
    const std::string after = lineOf(hashOfContent(content), path);
    // While both are written, either may be there. What was changed before stays told until then.
    const std::string before = core::loadFile(hashes, LargestHashes).value_or("");
    if (const auto saved = core::saveFile(hashes, before + after); !saved)
        return saved;
    if (const auto saved = core::saveFile(path, content); !saved)
        return saved;
    return core::saveFile(hashes, after);
}

std::optional<std::string> changeOf(const std::string& path)
{
    const auto hashes = core::loadFile(hashesOf(path), LargestHashes);
    if (!hashes)
        return std::nullopt;
    const auto hash = sha256Of(path);
    if (!hash || hashes->find(*hash) != std::string::npos)
        return std::nullopt;
    return core::printable(path) +
           " was changed by something else than Outlay, and is used as it is now: where you don't "
           "know of that, import your prices again; where you do, delete " +
           core::printable(hashesOf(path)) + ".";
}

} // namespace outlay::gui
