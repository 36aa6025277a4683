// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/mutants/process.h"

#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace outlay::mutants {
namespace {

/// As `timeout` and shells report them.
constexpr int TimedOut = 124;
constexpr int Killed = 137;
constexpr int FirstSignal = 128;

End endOf(int status)
{
    if (WIFSIGNALED(status))
        return End::Crash;
    const int code = WEXITSTATUS(status);
    if (code == TimedOut || code == Killed)
        return End::TooLate;
    if (code > FirstSignal)
        return End::Crash;
    return code == 0 ? End::Success : End::Failure;
}

} // namespace

End run(std::vector<std::string> words, const std::filesystem::path& log)
{
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    pid_t child = 0;
    const int error =
        ::posix_spawnp(&child, arguments.front(), &files, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&files);
    if (error != 0)
        throw std::system_error(error, std::generic_category(), words.front());
    int status = 0;
    if (::waitpid(child, &status, 0) != child)
        throw std::system_error(errno, std::generic_category(), words.front());
    return endOf(status);
}

End runBounded(const std::filesystem::path& program, const std::filesystem::path& log)
{
    // What a changed program takes ends somewhere.
    constexpr auto Bounded = "ulimit -c 0; ulimit -v 6000000; "
                             "exec timeout --kill-after=5 120 \"$0\"";
    return run({"sh", "-c", Bounded, program.string()}, log);
}

std::string textOf(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::filesystem::path& file, std::string_view text)
{
    std::ofstream out(file, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out)
        throw std::runtime_error(file.string() + " can't be written");
}

} // namespace outlay::mutants
