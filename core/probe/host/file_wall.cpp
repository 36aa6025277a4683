// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/file_wall.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <link.h>
#include <pwd.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace outlay::worker {
namespace {

namespace fs = std::filesystem;

// As in linux/landlock.h, of which older systems have only the first part. The numbers are those of all processors.
constexpr long CreateRuleset = 444;
constexpr long AddRule = 445;
constexpr long RestrictSelf = 446;
constexpr unsigned AskVersion = 1;
constexpr int PathBeneath = 1;

constexpr std::uint64_t Execute = 1U << 0U;
constexpr std::uint64_t WriteFile = 1U << 1U;
constexpr std::uint64_t ReadFile = 1U << 2U;
constexpr std::uint64_t ReadFolder = 1U << 3U;
constexpr std::uint64_t RemoveFolder = 1U << 4U;
constexpr std::uint64_t RemoveFile = 1U << 5U;
constexpr std::uint64_t MakeFolder = 1U << 7U;
constexpr std::uint64_t MakeFile = 1U << 8U;
constexpr std::uint64_t FirstRights = (1U << 13U) - 1;
constexpr std::uint64_t Refer = 1U << 13U;       // from version 2 on
constexpr std::uint64_t Truncate = 1U << 14U;    // 3
constexpr std::uint64_t TellDevices = 1U << 15U; // 5
constexpr std::uint64_t OfFiles = Execute | WriteFile | ReadFile | Truncate | TellDevices;
constexpr std::uint64_t BindAndConnect = 3;    // 4
constexpr std::uint64_t SocketsAndSignals = 3; // 6: of processes beyond the wall

struct RulesetWords {
    std::uint64_t files;
    std::uint64_t network;
    std::uint64_t scope;
};

struct [[gnu::packed]] PathWords {
    std::uint64_t allowed;
    std::int32_t folder;
};

/// 0 where the kernel has none, or it is switched off.
int landlockVersion()
{
    const long version = ::syscall(CreateRuleset, nullptr, 0, AskVersion);
    return version > 0 ? static_cast<int>(version) : 0;
}

class Ruleset {
public:
    Ruleset(int version, bool listens) : m_rights(FirstRights)
    {
        m_rights |= version >= 2 ? Refer : 0;
        m_rights |= version >= 3 ? Truncate : 0;
        m_rights |= version >= 5 ? TellDevices : 0;
        RulesetWords words{.files = m_rights, .network = 0, .scope = 0};
        std::size_t size = sizeof(std::uint64_t);
        if (version >= 4) {
            size += sizeof(std::uint64_t);
            words.network = listens ? 0 : BindAndConnect;
        }
        if (version >= 6) {
            size += sizeof(std::uint64_t);
            words.scope = SocketsAndSignals;
        }
        m_number = static_cast<int>(::syscall(CreateRuleset, &words, size, 0));
    }
    ~Ruleset()
    {
        if (m_number >= 0)
            ::close(m_number);
    }
    Ruleset(const Ruleset&) = delete;
    Ruleset& operator=(const Ruleset&) = delete;

    void allow(const std::string& path, std::uint64_t rights) const
    {
        const int place = ::open(path.c_str(), O_PATH | O_CLOEXEC);
        struct stat info {};
        if (place < 0)
            return;
        if (::fstat(place, &info) == 0) {
            const PathWords words{rights & m_rights & (S_ISDIR(info.st_mode) ? ~0ULL : OfFiles),
                                  place};
            ::syscall(AddRule, m_number, PathBeneath, &words, 0);
        }
        ::close(place);
    }
    [[nodiscard]] bool restrict() const
    {
        return m_number >= 0 && ::syscall(RestrictSelf, m_number, 0) == 0;
    }

private:
    std::uint64_t m_rights;
    int m_number = -1;
};

/// A folder's true name with an end, so that what lies in it begins with it; empty where it can't be known.
std::string asFolder(const fs::path& path)
{
    std::error_code failure;
    const fs::path whole = fs::absolute(path, failure);
    const fs::path target = failure ? fs::path() : fs::weakly_canonical(whole, failure);
    return failure || path.empty() ? std::string() : (target / "").lexically_normal().string();
}

/// As the environment and the machine have it.
std::vector<std::string> homes()
{
    std::vector<std::string> folders;
    if (const char* home = std::getenv("HOME"); home != nullptr)
        folders.push_back(asFolder(home));
    if (const passwd* user = ::getpwuid(::getuid()); user != nullptr && user->pw_dir != nullptr)
        folders.push_back(asFolder(user->pw_dir));
    return folders;
}

/// Whether a folder holds the person's, not only a library's: then it isn't opened for the one file in it.
bool holdsHome(const fs::path& folder)
{
    static const std::vector<std::string> Homes = homes();
    const std::string whole = asFolder(folder);
    return whole.empty() || whole == "/" ||
           std::any_of(Homes.begin(), Homes.end(),
                       [&](const std::string& home) { return home.starts_with(whole); });
}

int addLibrary(dl_phdr_info* library, std::size_t /*size*/, void* to)
{
    auto& access = *static_cast<FileAccess*>(to);
    if (library->dlpi_name == nullptr || *library->dlpi_name != '/')
        return 0;
    const std::string name = library->dlpi_name;
    // A link may lead elsewhere, and its neighbours are looked for beside either.
    std::error_code ignored;
    const fs::path target = fs::canonical(name, ignored);
    for (const fs::path& path : {fs::path(name), target})
        access.readable.push_back(holdsHome(path.parent_path()) ? path.string()
                                                                : path.parent_path().string());
    if (library->dlpi_addr == ::getauxval(AT_BASE))
        access.runnable.push_back(name); // what loads programs
    // These share among each other that they are loaded, and may end the program where they can't.
    if (target.filename().string().starts_with("libiomp") ||
        target.filename().string().starts_with("libomp"))
        access.writable.emplace_back("/dev/shm");
    return 0;
}

/// The accelerator's files, as far as there are some.
void addAccelerators(FileAccess& access)
{
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/dev", ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("nvidia") || name == "dxg")
            access.devices.push_back(entry.path().string());
    }
    if (!access.devices.empty())
        access.writable.emplace_back("/dev/shm"); // what the driver's processes share
}

} // namespace

std::string raiseFileWall(const FileAccess& access)
{
    constexpr std::uint64_t Read = ReadFile | ReadFolder;
    constexpr std::uint64_t Write =
        Read | WriteFile | Truncate | RemoveFile | RemoveFolder | MakeFolder | MakeFile | Refer;
    const int version = landlockVersion();
    if (version == 0)
        return "this kernel has no Landlock: the worker isn't kept from other files";
    const Ruleset ruleset(version, access.listens);
    for (const std::string& path : access.readable)
        ruleset.allow(path, Read);
    for (const std::string& path : access.writable)
        ruleset.allow(path, Write);
    for (const std::string& path : access.devices)
        ruleset.allow(path, Read | WriteFile | TellDevices);
    for (const std::string& path : access.runnable)
        ruleset.allow(path, ReadFile | Execute);
    if (!ruleset.restrict())
        return std::string("Landlock refused (") + std::strerror(errno) +
               "): the worker isn't kept from other files";
    return {};
}

bool guardsEmptying()
{
    constexpr int WithTruncate = 3;
    return landlockVersion() >= WithTruncate;
}

FileAccess systemFiles()
{
    FileAccess access;
    access.readable = {"/usr", "/lib", "/lib32", "/lib64", "/proc", "/sys"};
    for (const char* name : {"ld.so.cache", "ld.so.conf", "ld.so.conf.d", "machine-id", "localtime",
                             "nsswitch.conf", "host.conf", "hosts", "gai.conf", "alternatives"})
        access.readable.push_back(std::string("/etc/") + name);
    for (const char* name : {"urandom", "random"})
        access.readable.push_back(std::string("/dev/") + name);
    access.devices = {"/dev/null", "/dev/zero"};
    access.writable = {"/proc/self"}; // peaks of memory are reset there
    addAccelerators(access);
    ::dl_iterate_phdr(addLibrary, &access);
    if (const char* folders = std::getenv("LD_LIBRARY_PATH"); folders != nullptr) {
        for (const std::string& folder : core::split(folders, ':')) {
            if (folder.starts_with('/') && !holdsHome(folder))
                access.readable.push_back(folder);
        }
    }
    access.runnable.push_back(ownProgram());
    return access;
}

std::string ownProgram()
{
    std::error_code failure;
    return fs::read_symlink("/proc/self/exe", failure).string();
}

} // namespace outlay::worker
