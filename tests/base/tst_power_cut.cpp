// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Saves that are cut off: by a disk that loses what wasn't synced, whenever that happens, and by SIGKILL. The calls that a
// save makes are recorded here, in the place of the C library's own, and replayed on a model of a disk.
#include "core/base/file.h"
#include "tests/support/test_class.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstdarg>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

using namespace outlay;
using outlay::tests::Slower;

namespace {

/// One call, in order. Files are known by their descriptor while they are open.
struct Call {
    enum class Kind { Create, Write, Sync, SyncFolder, Rename, Unlink, Link };
    Kind kind = Kind::Create;
    int file = -1;
    std::string name;
    std::string to;
    std::string bytes;
};

std::vector<Call>* recorded = nullptr; // while a save is watched
std::string watched;                   // the folder
std::map<int, bool> isFolder;          // descriptors of the watched folder

template <typename Function>
Function* original(const char* name)
{
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

bool isWatched(const char* path)
{
    return recorded != nullptr && std::string_view(path).starts_with(watched);
}

} // namespace

extern "C" {

int mkstemp(char* pattern)
{
    const int file = original<int(char*)>("mkstemp")(pattern);
    if (isWatched(pattern))
        recorded->push_back({.kind = Call::Kind::Create, .file = file, .name = pattern});
    return file;
}

int open(const char* path, int flags, ...)
{
    std::va_list rest;
    va_start(rest, flags);
    const auto mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : mode_t{0};
    va_end(rest);
    const int file = original<int(const char*, int, mode_t)>("open")(path, flags, mode);
    if (isWatched(path) && (flags & O_DIRECTORY) != 0)
        isFolder[file] = true;
    return file;
}

ssize_t write(int file, const void* bytes, size_t count)
{
    const ssize_t written =
        original<ssize_t(int, const void*, size_t)>("write")(file, bytes, count);
    if (recorded != nullptr && written > 0)
        recorded->push_back(
            {.kind = Call::Kind::Write,
             .file = file,
             .bytes = std::string(static_cast<const char*>(bytes), static_cast<size_t>(written))});
    return written;
}

int fsync(int file)
{
    if (recorded != nullptr)
        recorded->push_back(
            {.kind = isFolder.contains(file) ? Call::Kind::SyncFolder : Call::Kind::Sync,
             .file = file});
    return original<int(int)>("fsync")(file);
}

int rename(const char* from, const char* to) noexcept
{
    if (isWatched(from))
        recorded->push_back({.kind = Call::Kind::Rename, .name = from, .to = to});
    return original<int(const char*, const char*)>("rename")(from, to);
}

int link(const char* from, const char* to) noexcept
{
    const int outcome = original<int(const char*, const char*)>("link")(from, to);
    if (isWatched(from) && outcome == 0)
        recorded->push_back({.kind = Call::Kind::Link, .name = from, .to = to});
    return outcome;
}

int unlink(const char* path) noexcept
{
    if (isWatched(path))
        recorded->push_back({.kind = Call::Kind::Unlink, .name = path});
    return original<int(const char*)>("unlink")(path);
}

} // extern "C"

namespace {

/// Keeps what was synced; of the rest as much as chance says, each part by itself.
class Disk {
public:
    Disk(const std::string& name, const std::optional<std::string>& content)
    {
        if (!content)
            return;
        m_files.push_back({*content, *content});
        m_kept[name] = 0;
    }

    void run(const Call& call)
    {
        switch (call.kind) {
        case Call::Kind::Create:
            m_open[call.file] = m_files.size();
            m_files.push_back({});
            m_pending.push_back({{}, call.name, m_files.size() - 1});
            m_seen[call.name] = m_files.size() - 1;
            break;
        case Call::Kind::Write:
            if (m_open.contains(call.file))
                m_files[m_open[call.file]].written += call.bytes;
            break;
        case Call::Kind::Sync:
            if (m_open.contains(call.file))
                m_files[m_open[call.file]].synced = m_files[m_open[call.file]].written;
            break;
        case Call::Kind::SyncFolder:
            for (const Entry& entry : m_pending)
                take(entry, m_kept);
            m_pending.clear();
            break;
        case Call::Kind::Rename:
        case Call::Kind::Link:
            m_pending.push_back({call.kind == Call::Kind::Rename ? call.name : std::string(),
                                 call.to, m_seen.at(call.name)});
            break;
        case Call::Kind::Unlink: m_pending.push_back({call.name, {}, 0}); break;
        }
    }

    /// After the power is back; nothing where there is no such file.
    [[nodiscard]] std::optional<std::string> read(const std::string& name,
                                                  std::mt19937& random) const
    {
        std::map<std::string, std::size_t> names = m_kept;
        for (const Entry& entry : m_pending) {
            if (random() % 2 == 0)
                take(entry, names);
        }
        const auto found = names.find(name);
        if (found == names.end())
            return std::nullopt;
        const File& file = m_files[found->second];
        if (file.synced == file.written)
            return file.written;
        switch (random() % 4) {
        case 0: return file.synced;
        case 1: return file.written;
        case 2: return file.written.substr(0, random() % (file.written.size() + 1));
        default: return std::string(file.written.size(), '\0'); // its length alone got there
        }
    }

private:
    struct File {
        std::string written;
        std::string synced;
    };
    struct Entry {
        std::string gone; // empty: no name goes
        std::string name; // empty: none comes
        std::size_t file = 0;
    };

    static void take(const Entry& entry, std::map<std::string, std::size_t>& names)
    {
        if (!entry.gone.empty())
            names.erase(entry.gone);
        if (!entry.name.empty())
            names[entry.name] = entry.file;
    }

    std::vector<File> m_files;
    std::map<int, std::size_t> m_open;
    std::map<std::string, std::size_t> m_kept; // names that were synced
    std::map<std::string, std::size_t> m_seen; // and all
    std::vector<Entry> m_pending;
};

template <typename Save>
std::vector<Call> callsOf(const QTemporaryDir& folder, const Save& save)
{
    std::vector<Call> calls;
    watched = folder.path().toStdString();
    isFolder.clear();
    recorded = &calls;
    save();
    recorded = nullptr;
    return calls;
}

/// Of a hundred disks, how many don't have it afterwards where calls of one kind are left out.
int tornWithout(const std::vector<Call>& calls, const std::string& path, const std::string& content,
                Call::Kind left)
{
    std::mt19937 random(22);
    int count = 0;
    for (int tries = 0; tries < 100; ++tries) {
        Disk disk(path, std::nullopt);
        for (const Call& call : calls) {
            if (call.kind != left)
                disk.run(call);
        }
        count += disk.read(path, random) == content ? 0 : 1;
    }
    return count;
}

std::string textOf(char letter, std::size_t size)
{
    return std::string(size, letter) + "\n";
}

std::size_t filesIn(const std::filesystem::path& folder)
{
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder),
                                                  std::filesystem::directory_iterator()));
}

} // namespace

class TestPowerCut : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Old or new, whole, whenever the power goes; and new once the save has said that it is done.
    void aSaveIsWholeOrNotAtAll_data()
    {
        QTest::addColumn<bool>("exists");
        QTest::newRow("new file") << false;
        QTest::newRow("file that is there") << true;
    }
    void aSaveIsWholeOrNotAtAll()
    {
        QFETCH(bool, exists);
        std::mt19937 random(20);
        int cuts = 0;
        for (int round = 0; cuts < 500; ++round) {
            const QTemporaryDir folder;
            const std::string path = folder.filePath(QStringLiteral("e.json")).toStdString();
            const std::string before = textOf('a', random() % 9000);
            const std::string after = textOf('b', random() % 9000);
            if (exists)
                QVERIFY(core::saveFile(path, before).has_value());
            const std::vector<Call> calls =
                callsOf(folder, [&] { QVERIFY(core::saveFile(path, after).has_value()); });
            QVERIFY(calls.size() >= 5);
            for (std::size_t cut = 0; cut <= calls.size(); ++cut) {
                Disk disk(path, exists ? std::optional(before) : std::nullopt);
                for (std::size_t i = 0; i < cut; ++i)
                    disk.run(calls[i]);
                for (int tries = 0; tries < 3; ++tries, ++cuts) {
                    const auto found = disk.read(path, random);
                    const bool isOld = exists ? found == before : !found;
                    QVERIFY2(
                        found == after || (isOld && cut < calls.size()),
                        qPrintable(
                            QStringLiteral("after %1 of %2 calls").arg(cut).arg(calls.size())));
                }
            }
        }
    }

    // The first writer's result stays, and is whole.
    void aResultIsWholeOrNotAtAll()
    {
        std::mt19937 random(21);
        for (int round = 0; round < 40; ++round) {
            const QTemporaryDir folder;
            const std::string path = folder.filePath(QStringLiteral("r.json")).toStdString();
            const std::string content = textOf('r', random() % 5000);
            const std::vector<Call> calls =
                callsOf(folder, [&] { QVERIFY(core::publishFile(path, content).value()); });
            for (std::size_t cut = 0; cut <= calls.size(); ++cut) {
                Disk disk(path, std::nullopt);
                for (std::size_t i = 0; i < cut; ++i)
                    disk.run(calls[i]);
                const auto found = disk.read(path, random);
                QVERIFY(found == content || (!found && cut < calls.size()));
            }
        }
    }

    // The model loses what isn't synced: without that the same calls leave torn files.
    void theDiskForgets()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("e.json")).toStdString();
        const std::string after = textOf('b', 5000);
        const std::vector<Call> calls =
            callsOf(folder, [&] { QVERIFY(core::saveFile(path, after).has_value()); });
        QVERIFY(tornWithout(calls, path, after, Call::Kind::Sync) > 20);
        QVERIFY(tornWithout(calls, path, after, Call::Kind::SyncFolder) > 20);
        QCOMPARE(tornWithout(calls, path, after, Call::Kind::Unlink), 0);
    }

    void killedSavesTearNothing()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("e.json")).toStdString();
        const std::array contents{textOf('a', 70'000), textOf('b', 200'000)};
        QVERIFY(core::saveFile(path, contents[0]).has_value());
        std::mt19937 random(23);
        const int kills = 1000 / Slower;
        const auto filesLeft = [&] { return filesIn(folder.path().toStdString()); };
        // A busy machine may need longer until a save has begun at all.
        int i = 0;
        for (; i < kills || (filesLeft() < 2 && i < 20 * kills); ++i) {
            const pid_t child = ::fork();
            QVERIFY(child >= 0);
            if (child == 0) {
                for (std::size_t turn = 0;; ++turn)
                    (void)core::saveFile(path, contents.at(turn % 2));
            }
            const auto longest = static_cast<useconds_t>(4000 * (1 + i / kills));
            ::usleep(static_cast<useconds_t>(random() % longest));
            ::kill(child, SIGKILL);
            int status = 0;
            QCOMPARE(::waitpid(child, &status, 0), child);
            QVERIFY(WIFSIGNALED(status));
            const auto found = core::loadFile(path);
            QVERIFY(found.has_value());
            QVERIFY(*found == contents[0] || *found == contents[1]);
        }
        const std::size_t left = filesLeft();
        qInfo("%d kills left %zu files behind", i, left - 1);
        QVERIFY(left > 1);
        // What is fresh may be somebody's who writes right now.
        QVERIFY(core::saveFile(path, contents[0]).has_value());
        QCOMPARE(filesIn(folder.path().toStdString()), left);
        const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
        const std::string other = path + ".backup";
        QVERIFY(core::saveFile(other, "mine").has_value());
        for (const auto& entry : std::filesystem::directory_iterator(folder.path().toStdString()))
            std::filesystem::last_write_time(entry.path(), old);
        QVERIFY(core::saveFile(path, contents[1]).has_value());
        QCOMPARE(filesIn(folder.path().toStdString()), std::size_t{2});
        QVERIFY(core::loadFile(other) == "mine");
        QVERIFY(core::loadFile(path) == contents[1]);
    }

    // The file that is written beside it has a longer name.
    void theLongestNameIsSaved()
    {
        const QTemporaryDir folder;
        const std::string path =
            folder.path().toStdString() + "/" + std::string(250, 'n') + ".json";
        QVERIFY(core::saveFile(path, "{}").has_value());
        QVERIFY(core::saveFile(path, "{} ").has_value());
        QVERIFY(core::loadFile(path) == "{} ");
        QCOMPARE(filesIn(folder.path().toStdString()), std::size_t{1});
    }
};

OUTLAY_TEST(TestPowerCut)
#include "tst_power_cut.moc"
