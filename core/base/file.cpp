// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace outlay::core {
namespace {

namespace fs = std::filesystem;

class Descriptor {
public:
    explicit Descriptor(int number) : m_number(number) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    [[nodiscard]] bool isOpen() const { return m_number >= 0; }
    [[nodiscard]] int number() const { return m_number; }
    /// False when the last writes failed.
    bool close() { return m_number < 0 || ::close(std::exchange(m_number, -1)) == 0; }

private:
    int m_number;
};

tl::unexpected<Error> systemError(std::string doing, std::string remedy, int number)
{
    return inputError("it can't be " + std::move(doing) + " (" + std::strerror(number) + ")",
                      std::move(remedy));
}

/// Opens a regular file; anything that could block or never end is refused.
Result<struct stat> checkRegular(const Descriptor& file, int number)
{
    if (!file.isOpen())
        return systemError("read", number == ENOENT ? "check the name" : "check its permissions",
                           number);
    struct stat info {};
    if (::fstat(file.number(), &info) != 0)
        return systemError("read", "check the disk", errno);
    if (S_ISDIR(info.st_mode))
        return inputError("it is a directory", "name a file");
    if (!S_ISREG(info.st_mode))
        return inputError("it is not a regular file", "name a file");
    return info;
}

Result<std::string> readBytes(const Descriptor& file, std::uint64_t count)
{
    std::string bytes(count, '\0');
    std::size_t done = 0;
    while (done < count) {
        const ssize_t got = ::read(file.number(), bytes.data() + done, count - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return systemError("read", "check the disk", errno);
        if (got == 0)
            break;
        done += static_cast<std::size_t>(got);
    }
    bytes.resize(done);
    return bytes;
}

constexpr const char* WriteRemedy = "check the folder, its permissions and the free space";

Result<void> writeAll(const Descriptor& file, std::string_view content)
{
    while (!content.empty()) {
        const ssize_t written = ::write(file.number(), content.data(), content.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return systemError("written", WriteRemedy, errno);
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

/// What a file that doesn't exist yet would get.
mode_t newFileMode()
{
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

/// All of it, on the disk.
Result<void> fill(Descriptor& file, mode_t mode, std::string_view content)
{
    if (::fchmod(file.number(), mode) != 0)
        return systemError("written", WriteRemedy, errno);
    if (const auto written = writeAll(file, content); !written)
        return failureOf(written);
    if (::fsync(file.number()) != 0 || !file.close())
        return systemError("written", WriteRemedy, errno);
    return {};
}

void syncFolderOf(const std::string& path)
{
    const std::string folder = fs::path(path).parent_path().string();
    const Descriptor directory(
        ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY));
    // What is in it is done; a folder that can't be synced is no failure.
    if (directory.isOpen())
        ::fsync(directory.number());
}

constexpr std::string_view Beside = ".saving-"; // and six letters

/// What begins the names of files that are written beside it: some of its own, for names have a greatest length.
fs::path besideOf(const fs::path& target)
{
    constexpr std::size_t Most = 200;
    return target.parent_path() /
           (target.filename().string().substr(0, Most) + std::string(Beside));
}

/// Left by who was killed while it wrote: nobody holds it locked, and it isn't just being made.
bool isLeftOver(const std::string& path)
{
    constexpr std::time_t Making = 60;
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat info {};
    return file.isOpen() && ::fstat(file.number(), &info) == 0 && S_ISREG(info.st_mode) &&
           info.st_uid == ::geteuid() && std::time(nullptr) - info.st_mtime > Making &&
           ::flock(file.number(), LOCK_EX | LOCK_NB) == 0;
}

void clearLeftOvers(const fs::path& target)
{
    constexpr std::size_t Letters = 6;
    const fs::path begin = besideOf(target);
    const std::string name = begin.filename().string();
    std::error_code error;
    const fs::path folder = begin.has_parent_path() ? begin.parent_path() : ".";
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string found = entry->path().filename().string();
        if (found.size() == name.size() + Letters && found.starts_with(name) &&
            isLeftOver(entry->path().string()))
            ::unlink(entry->path().c_str());
    }
}

/// A file beside `target` that holds `content`, on the disk: its path. None is left where that fails.
Result<std::string> writeBeside(const std::string& target, mode_t mode, std::string_view content)
{
    std::string path = besideOf(target).string() + "XXXXXX";
    Descriptor file(::mkstemp(path.data()));
    if (!file.isOpen())
        return systemError("written", WriteRemedy, errno);
    ::flock(file.number(), LOCK_EX | LOCK_NB); // until it is closed, whoever closes it
    if (const auto filled = fill(file, mode, content); !filled) {
        ::unlink(path.c_str());
        return failureOf(filled);
    }
    return path;
}

Result<void> replaceFile(const std::string& target, std::string_view content)
{
    struct stat present {};
    const bool exists = ::stat(target.c_str(), &present) == 0;
    const auto written =
        writeBeside(target, exists ? present.st_mode & 07777 : newFileMode(), content);
    if (!written)
        return failureOf(written);
    if (::rename(written->c_str(), target.c_str()) != 0) {
        const auto failure = systemError("written", WriteRemedy, errno);
        ::unlink(written->c_str());
        return failure;
    }
    syncFolderOf(target);
    clearLeftOvers(target);
    return {};
}

} // namespace

Result<FileStart> loadFileStart(const std::string& path, std::uint64_t count)
{
    errno = 0;
    // O_NONBLOCK: opening a pipe must not wait for its writer.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    const auto info = checkRegular(file, errno);
    if (!info)
        return tl::unexpected(info.error().in(path));
    const auto size = static_cast<std::uint64_t>(info->st_size);
    auto bytes = readBytes(file, std::min(count, size));
    if (!bytes)
        return tl::unexpected(bytes.error().in(path));
    return FileStart{std::move(*bytes), size};
}

Result<std::string> loadFile(const std::string& path, std::uint64_t mostBytes)
{
    auto start = loadFileStart(path, 0);
    if (!start)
        return failureOf(start);
    if (start->fileSize > mostBytes) {
        return tl::unexpected(Error{ErrorCode::Input,
                                    "it has " + std::to_string(start->fileSize) +
                                        " bytes, more than the " +
                                        std::to_string(mostBytes >> 20U) + " MB that are read",
                                    "give a smaller file",
                                    {},
                                    path});
    }
    start = loadFileStart(path, start->fileSize);
    if (!start)
        return failureOf(start);
    return std::move(start->bytes);
}

Result<Json> loadJson(const std::string& path)
{
    return loadJson(path, RowsRead{});
}

Result<Json> loadJson(const std::string& path, const RowsRead& rows)
{
    const auto text = loadFile(path);
    if (!text)
        return failureOf(text);
    auto json = rows.row ? readJson(*text, rows) : readJson(*text);
    if (!json)
        return tl::unexpected<Error>(json.error().in(path));
    return json;
}

Result<void> saveFile(const std::string& path, std::string_view content)
{
    const auto refuse = [&](const char* what) {
        return tl::unexpected<Error>(Error{ErrorCode::Input, what, "name a file", {}, path});
    };
    // Asked of the path as it is: a link to a pipe, such as /dev/stdout, can't be resolved.
    std::error_code error;
    if (fs::is_directory(path, error))
        return refuse("it is a directory");
    if (fs::exists(path, error) && !fs::is_regular_file(path, error))
        return refuse("it is not a regular file");
    const fs::path target =
        fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : fs::path(path);
    const auto saved = replaceFile(target.string(), content);
    if (!saved)
        return tl::unexpected<Error>(saved.error().in(path));
    return {};
}

Result<bool> publishFile(const std::string& path, std::string_view content)
{
    const auto written = writeBeside(path, newFileMode(), content);
    if (!written)
        return tl::unexpected<Error>(written.error().in(path));
    const bool isFirst = ::link(written->c_str(), path.c_str()) == 0;
    const int number = errno;
    ::unlink(written->c_str());
    if (!isFirst && number != EEXIST)
        return tl::unexpected<Error>(systemError("written", WriteRemedy, number).value().in(path));
    syncFolderOf(path);
    return isFirst;
}

} // namespace outlay::core
