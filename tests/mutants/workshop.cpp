// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/mutants/workshop.h"

#include "tests/mutants/process.h"

#include <iostream>
#include <regex>
#include <span>
#include <stdexcept>

namespace outlay::mutants {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 12> Taken{
    "core",      "pricing", "gui",       "tests",        "cmake",          "resources",
    "packaging", "docs",    "README.md", "CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json"};

constexpr std::array<std::string_view, 7> Programs{
    "test_base",    "test_model", "test_experiment", "test_hardware",
    "test_pricing", "test_view",  "test_commands"};

/// Says that a folder is ours to overwrite.
constexpr std::string_view Marker = ".outlay-mutants";

/// Those that may notice a change of the file, the likeliest first.
std::span<const std::string_view> programsFor(std::string_view file)
{
    constexpr std::size_t AboveBase = 1;
    constexpr std::size_t AboveCore = 4;
    constexpr std::size_t AbovePricing = 5;
    const std::span all(Programs);
    if (file.starts_with("gui/"))
        return all.subspan(AbovePricing);
    if (file.starts_with("pricing/"))
        return all.subspan(AboveCore);
    return file.starts_with("core/base/") ? all : all.subspan(AboveBase);
}

/// Untouched where nothing differs, so that little is built.
void takeFile(const fs::path& from, const fs::path& to)
{
    fs::create_directories(to.parent_path());
    if (!fs::exists(to) || textOf(from) != textOf(to))
        fs::copy_file(from, to, fs::copy_options::overwrite_existing);
}

void takeFolder(const fs::path& from, const fs::path& to)
{
    for (const auto& entry : fs::recursive_directory_iterator(from)) {
        if (entry.is_regular_file())
            takeFile(entry.path(), to / entry.path().lexically_relative(from));
    }
    std::vector<fs::path> gone;
    for (const auto& entry : fs::recursive_directory_iterator(to)) {
        if (!fs::exists(from / entry.path().lexically_relative(to)))
            gone.push_back(entry.path());
    }
    for (const fs::path& path : gone)
        fs::remove_all(path);
}

void takeTree(const fs::path& from, const fs::path& to)
{
    if (fs::exists(to) && !fs::is_empty(to) && !fs::exists(to / Marker))
        throw std::runtime_error(to.string() + " has something else in it; choose another folder");
    fs::create_directories(to);
    write(to / Marker, "");
    for (const std::string_view name : Taken) {
        if (fs::is_directory(from / name))
            takeFolder(from / name, to / name);
        else
            takeFile(from / name, to / name);
    }
}

/// The method that failed first, where QtTest got to say so.
std::string failedIn(const std::string& log)
{
    static const std::regex Failure("(?:FAIL!  |QFATAL ): (\\w+::\\w+)");
    std::smatch match;
    return std::regex_search(log, match, Failure) ? " " + match[1].str() : std::string();
}

} // namespace

Workshop::Workshop(fs::path folder) : m_folder(std::move(folder)) {}

void Workshop::prepare(const fs::path& tree) const
{
    std::cerr << "building a copy in " << m_folder.string() << " ...\n";
    takeTree(tree, m_folder);
    const fs::path log = m_folder / "configure.log";
    const std::vector<std::string> configure{"cmake",
                                             "-S",
                                             m_folder.string(),
                                             "-B",
                                             (m_folder / "build").string(),
                                             "-G",
                                             "Ninja",
                                             "-DCMAKE_BUILD_TYPE=Debug",
                                             "-DCMAKE_CXX_FLAGS_DEBUG=-O1",
                                             "-DOUTLAY_WITH_TORCH=OFF"};
    if (run(configure, log) != End::Success)
        throw std::runtime_error("the copy can't be configured, see " + log.string());
    if (!build())
        throw std::runtime_error("the copy isn't built, see " + (m_folder / "build.log").string());
    for (const std::string_view program : Programs) {
        const std::string said = objection(program);
        if (!said.empty())
            throw std::runtime_error("without any change " + said + " fails, see " +
                                     (m_folder / "tests.log").string());
    }
}

bool Workshop::build() const
{
    std::vector<std::string> words{"cmake",      "--build", (m_folder / "build").string(),
                                   "--parallel", "2",       "--target"};
    words.insert(words.end(), Programs.begin(), Programs.end());
    return run(words, m_folder / "build.log") == End::Success;
}

std::string Workshop::objection(std::string_view program) const
{
    const fs::path log = m_folder / "tests.log";
    const End end = runBounded(m_folder / "build" / "tests" / program, log);
    if (end == End::Success)
        return {};
    const std::string_view how = end == End::Crash     ? " (crash)"
                                 : end == End::TooLate ? " (hang)"
                                                       : "";
    return std::string(program) + failedIn(textOf(log)) + std::string(how);
}

Verdict Workshop::judge(const Pick& pick) const
{
    const fs::path file = m_folder / pick.file;
    const std::string text = textOf(file);
    write(file, changed(text, pick.change));
    Verdict verdict{build(), {}};
    for (const std::string_view program : programsFor(pick.file)) {
        if (verdict.isCompiled && verdict.noticedBy.empty())
            verdict.noticedBy = objection(program);
    }
    write(file, text);
    return verdict;
}

} // namespace outlay::mutants
