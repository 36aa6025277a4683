// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/commands/manual.h"

#include "core/base/manual_page.h"
#include "core/base/text.h"

#include <algorithm>

namespace outlay::gui {
namespace {

/// "--set POINTER=VALUE".
std::string termOf(const CommandOption& option)
{
    const std::string name(option.name);
    return option.placeholder.empty() ? name : name + " " + std::string(option.placeholder);
}

core::ManualSection sectionOf(const CommandLine& line)
{
    const std::string after = line.synopsis.empty() ? "" : " " + std::string(line.synopsis);
    core::ManualSection section{.title = "outlay " + std::string(line.name) + after,
                                .text = std::string(line.summary)};
    for (const CommandOption& option : line.options)
        section.terms.emplace_back(termOf(option), std::string(option.help));
    return section;
}

/// In single quotes of a shell.
std::string inQuotes(std::string_view text)
{
    std::string safe = "'";
    for (const char c : text)
        safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return safe + "'";
}

/// Words of a list such as "all|none|NAME,...", where all that is not in capitals is to be typed as it stands.
std::vector<std::string> choicesOf(const CommandOption& option)
{
    std::vector<std::string> choices;
    if (option.placeholder.find('|') == std::string_view::npos)
        return choices;
    std::string_view rest = option.placeholder;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('|'), rest.size());
        const std::string_view word = rest.substr(0, end);
        const bool isTyped = std::none_of(
            word.begin(), word.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == '.'; });
        if (isTyped && !word.empty())
            choices.emplace_back(word);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return choices;
}

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string namesOf(std::span<const CommandLine> commands)
{
    std::vector<std::string> names;
    for (const CommandLine& line : commands)
        names.emplace_back(line.name);
    return joined(names);
}

std::string optionsOf(const CommandLine& line)
{
    std::vector<std::string> names{"--help"};
    for (const CommandOption& option : line.options)
        names.emplace_back(option.name);
    return joined(names);
}

std::string bashScript(std::span<const CommandLine> commands)
{
    std::string values;
    std::string options;
    for (const CommandLine& line : commands) {
        const std::string name(line.name);
        for (const CommandOption& option : line.options) {
            if (const auto choices = choicesOf(option); !choices.empty())
                values += "        " + name + ":" + std::string(option.name) +
                          ") words=" + inQuotes(joined(choices)) + " ;;\n";
        }
        options += "        " + name + ") words=" + inQuotes(optionsOf(line)) + " ;;\n";
    }
    return "# What outlay completes: commands, options and files.\n"
           "_outlay()\n{\n"
           "    local current=\"${COMP_WORDS[COMP_CWORD]}\" words=\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -W " +
           inQuotes(namesOf(commands) + " --help --version") +
           " -- \"$current\"; compgen -f -- \"$current\")\n"
           "        return\n    fi\n"
           "    case \"${COMP_WORDS[1]}:${COMP_WORDS[COMP_CWORD-1]}\" in\n" +
           values +
           "    esac\n"
           "    if [ -z \"$words\" ] && [ \"${current#-}\" != \"$current\" ]; then\n"
           "        case \"${COMP_WORDS[1]}\" in\n" +
           options +
           "        esac\n    fi\n"
           "    if [ -n \"$words\" ]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
           "    else\n"
           "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
           "    fi\n}\n"
           "complete -o filenames -F _outlay outlay\n";
}

std::string zshScript(std::span<const CommandLine> commands)
{
    // A colon ends what is typed, and brackets what it means.
    const auto described = [](std::string_view text) {
        std::string safe;
        for (const char c : text)
            safe += (c == ':' || c == '[' || c == ']' || c == '\\' ? "\\" : "") + std::string(1, c);
        return safe;
    };
    std::string script = "#compdef outlay\n# What outlay completes: commands, options and files.\n"
                         "_outlay()\n{\n    local -a commands=(\n";
    for (const CommandLine& line : commands)
        script +=
            "        " + inQuotes(std::string(line.name) + ":" + described(line.summary)) + "\n";
    script += "    )\n    if (( CURRENT == 2 )); then\n"
              "        _describe -t commands command commands\n        _files\n        return\n"
              "    fi\n    case \"${words[2]}\" in\n";
    for (const CommandLine& line : commands) {
        script += "    " + std::string(line.name) + ")\n        _arguments -s \\\n";
        for (const CommandOption& option : line.options) {
            const std::string many = option.isRepeatable ? "*" : "";
            std::string spec = many + std::string(option.name) + "[" + described(option.help) + "]";
            if (!option.placeholder.empty()) {
                const auto choices = choicesOf(option);
                spec += ":" + described(option.placeholder) + ":" +
                        (choices.empty() ? "_files" : "(" + joined(choices) + ")");
            }
            script += "            " + inQuotes(spec) + " \\\n";
        }
        script += "            '--help[says more about the command]' '*:file:_files'\n        ;;\n";
    }
    return script + "    esac\n}\n_outlay \"$@\"\n";
}

std::string fishScript(std::span<const CommandLine> commands)
{
    std::string script = "# What outlay completes: commands, options and files.\n";
    for (const CommandLine& line : commands)
        script += "complete -c outlay -n __fish_use_subcommand -a " + std::string(line.name) +
                  " -d " + inQuotes(line.summary) + "\n";
    for (const CommandLine& line : commands) {
        for (const CommandOption& option : line.options) {
            const bool isLong = option.name.starts_with("--");
            script += "complete -c outlay -n '__fish_seen_subcommand_from " +
                      std::string(line.name) + "' " + (isLong ? "-l " : "-s ") +
                      std::string(option.name.substr(isLong ? 2 : 1)) +
                      (option.placeholder.empty() ? "" : " -r");
            if (const auto choices = choicesOf(option); !choices.empty())
                script += " -a " + inQuotes(joined(choices));
            script += " -d " + inQuotes(option.help) + "\n";
        }
    }
    return script;
}

} // namespace

std::string manualOf(std::span<const CommandLine> commands)
{
    core::ManualPage page{
        .name = "outlay",
        .purpose = "what a machine-learning model will cost, before you pay for it",
        .sections = {{.title = "SYNOPSIS", .text = "outlay [FILE...]\n\noutlay COMMAND ..."},
                     {.title = "DESCRIPTION",
                      .text = "With files, or with nothing, the window opens where there is a "
                              "display. Each command works without one; results go to standard "
                              "output and all else to standard error."}}};
    for (const CommandLine& line : commands)
        page.sections.push_back(sectionOf(line));
    page.sections.push_back({.title = "EXIT STATUS",
                             .terms = {{"0", "All went well."},
                                       {"1", "Outlay itself is at fault."},
                                       {"2", "The command line or a file is wrong."},
                                       {"3", "`outlay check` found a limit exceeded."},
                                       {"4", "A measurement failed."},
                                       {"130", "A measurement was cancelled."}}});
    page.sections.push_back({.title = "SEE ALSO", .text = "outlay-probe(1)"});
    return core::manualText(page);
}

core::Result<std::string> completionFor(std::string_view shell,
                                        std::span<const CommandLine> commands)
{
    if (shell == "bash")
        return bashScript(commands);
    if (shell == "zsh")
        return zshScript(commands);
    if (shell == "fish")
        return fishScript(commands);
    return core::usageError("there is no completion for " + core::inQuotes(shell),
                            "name bash, zsh or fish");
}

} // namespace outlay::gui
