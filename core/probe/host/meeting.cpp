// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/meeting.h"

#include <arpa/inet.h>
#include <array>
#include <cstdlib>
#include <ifaddrs.h>
#include <memory>
#include <net/if.h>
#include <netinet/in.h>
#include <sstream>
#include <utility>

namespace outlay::worker {
namespace {

constexpr const char* Loopback = "127.0.0.1";

/// "CLIENT PORT SERVER PORT", as OpenSSH's server sets it; nothing where that isn't of version 4.
std::string addressOfConnection()
{
    const char* connection = std::getenv("SSH_CONNECTION");
    std::istringstream words(connection == nullptr ? "" : connection);
    std::string client;
    std::string port;
    std::string server;
    in_addr address{};
    words >> client >> port >> server;
    // A tunnel ends at the loopback, which is another one on each machine.
    const bool isUseful =
        ::inet_pton(AF_INET, server.c_str(), &address) == 1 && !server.starts_with("127.");
    return isUseful ? server : std::string();
}

} // namespace

Meeting::Meeting(Channel& channel) : m_channel(channel)
{
    m_channel.setHearing([this](std::string_view line) { hear(line); });
}

Meeting::~Meeting()
{
    m_channel.setHearing({});
}

void Meeting::tell(const std::string& key, const std::string& bytes)
{
    m_channel.send(core::Kept{key, bytes});
}

std::optional<std::string> Meeting::ask(const std::string& key, std::chrono::milliseconds most)
{
    std::unique_lock lock(m_mutex);
    if (!m_known.contains(key)) {
        lock.unlock(); // an answer may come at once
        m_channel.send(core::Kept{key, {}});
        lock.lock();
    }
    if (!m_bell.wait_for(lock, most, [&] { return m_known.contains(key); }))
        return std::nullopt;
    return m_known.at(key);
}

void Meeting::hear(std::string_view line)
{
    auto message = core::readMessage(line);
    auto* kept = message ? std::get_if<core::Kept>(&*message) : nullptr;
    if (kept == nullptr || !kept->bytes)
        return;
    const std::lock_guard lock(m_mutex);
    m_known[kept->key] = std::move(*kept->bytes);
    m_bell.notify_all();
}

std::string ownAddress()
{
    if (const char* given = std::getenv("OUTLAY_ADDRESS"); given != nullptr && *given != '\0')
        return given;
    if (std::string address = addressOfConnection(); !address.empty())
        return address;
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) != 0)
        return Loopback;
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(all, &::freeifaddrs);
    for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
        const bool isReached = (one->ifa_flags & IFF_UP) != 0 &&
                               (one->ifa_flags & IFF_RUNNING) != 0 &&
                               (one->ifa_flags & IFF_LOOPBACK) == 0;
        if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET || !isReached)
            continue;
        std::array<char, INET_ADDRSTRLEN> text{};
        const auto* address = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
        if (::inet_ntop(AF_INET, &address->sin_addr, text.data(), text.size()) != nullptr)
            return text.data();
    }
    return Loopback;
}

} // namespace outlay::worker
