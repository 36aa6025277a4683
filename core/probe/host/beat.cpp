// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/beat.h"

#include "core/base/file.h"

#include <condition_variable>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <optional>
#include <unistd.h>

namespace outlay::worker {
namespace {

std::optional<std::string> beatIn(const std::string& path)
{
    constexpr std::uint64_t Most = 1000;
    const auto text = core::loadFile(path, Most);
    return text ? std::optional<std::string>(*text) : std::nullopt;
}

/// Whether it was waited out.
bool rest(std::chrono::milliseconds time, const std::stop_token& stop)
{
    std::mutex mutex;
    std::condition_variable_any bell;
    std::unique_lock lock(mutex);
    return !bell.wait_for(lock, stop, time, [&] { return stop.stop_requested(); });
}

} // namespace

Beat::Beat(std::string path)
    : m_path(std::move(path)), m_heart([this](const std::stop_token& stop) {
          for (int count = 0;; ++count) {
              // Of another process that beats there the numbers differ, too. Where it can't be written nobody waits.
              std::ofstream(m_path) << ::getpid() << ' ' << count << '\n';
              if (!rest(Pace, stop))
                  return;
          }
      })
{
}

Beat::~Beat()
{
    m_heart.request_stop();
    m_heart.join();
    std::remove(m_path.c_str());
}

void Beat::awaitSilence(const std::string& path, const std::stop_token& stop)
{
    std::optional<std::string> last = beatIn(path);
    auto changed = std::chrono::steady_clock::now();
    while (last && std::chrono::steady_clock::now() - changed < Silence) {
        if (!rest(Pace, stop))
            return;
        std::optional<std::string> now = beatIn(path);
        if (now != last)
            changed = std::chrono::steady_clock::now();
        last = std::move(now);
    }
}

} // namespace outlay::worker
