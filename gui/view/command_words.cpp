// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/command_words.h"

#include <optional>

namespace outlay::gui {
namespace {

bool isOfShells(QChar c)
{
    return QStringLiteral("|&;<>`$").contains(c);
}

/// "OMP_NUM_THREADS=1".
bool isAssignment(const QString& word)
{
    const qsizetype at = word.indexOf(QLatin1Char('='));
    return at > 0 && !QStringView(word).left(at).contains(QLatin1Char('/'));
}

/// Reads one command from its begin to its end.
class WordReader {
public:
    explicit WordReader(const QString& command) : m_text(command) {}

    core::Result<std::vector<QString>> read()
    {
        for (; m_at < m_text.size(); ++m_at) {
            const QChar c = m_text.at(m_at);
            if (c.isSpace())
                endWord();
            else if (c == QLatin1Char('\\'))
                takeNext();
            else if (c == QLatin1Char('\'') || c == QLatin1Char('"'))
                takeQuoted(c);
            else if (isOfShells(c))
                return core::usageError("no shell reads the command, so `" +
                                            QString(c).toStdString() + "` has no meaning",
                                        "leave it out, put it in quotes, or run sh -c '...'");
            else
                word() += c;
        }
        endWord();
        if (m_isOpen)
            return core::usageError("a quote is not closed", "close it");
        if (m_words.empty())
            return core::usageError("there is no command", "write a program and its arguments");
        if (isAssignment(m_words.front()))
            return core::usageError("no shell reads the command, so `" +
                                        m_words.front().toStdString() + "` sets no variable",
                                    "write env before it");
        return std::move(m_words);
    }

private:
    QString& word()
    {
        if (!m_word)
            m_word.emplace();
        return *m_word;
    }
    void endWord()
    {
        if (m_word)
            m_words.push_back(std::move(*m_word));
        m_word.reset();
    }
    void takeNext()
    {
        if (m_at + 1 < m_text.size())
            word() += m_text.at(++m_at);
    }
    void takeQuoted(QChar quote)
    {
        word();
        for (++m_at; m_at < m_text.size() && m_text.at(m_at) != quote; ++m_at) {
            const bool isEscape =
                quote == QLatin1Char('"') && m_text.at(m_at) == QLatin1Char('\\') &&
                m_at + 1 < m_text.size() && QStringLiteral("\"\\").contains(m_text.at(m_at + 1));
            if (isEscape)
                ++m_at;
            word() += m_text.at(m_at);
        }
        m_isOpen = m_at >= m_text.size();
    }

    QString m_text;
    qsizetype m_at = 0;
    std::optional<QString> m_word;
    std::vector<QString> m_words;
    bool m_isOpen = false; // a quote
};

} // namespace

core::Result<std::vector<QString>> commandWords(const QString& command)
{
    return WordReader(command).read();
}

} // namespace outlay::gui
