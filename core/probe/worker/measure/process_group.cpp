// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure/process_group.h"

#include "core/probe/host/meeting.h"

#ifdef OUTLAY_WITH_GLOO
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#endif

namespace outlay::worker {

#ifdef OUTLAY_WITH_GLOO

namespace {

/// What the group wants of a store: to set keys, and to wait for those of others.
class MeetingStore final : public c10d::Store {
public:
    explicit MeetingStore(Meeting& meeting) : m_meeting(meeting) {}

    void set(const std::string& key, const std::vector<uint8_t>& value) override
    {
        m_meeting.tell(key, {value.begin(), value.end()});
    }
    std::vector<uint8_t> get(const std::string& key) override
    {
        const auto found = m_meeting.ask(key, timeout_);
        if (!found)
            throw std::runtime_error("another machine didn't come to train together");
        return {found->begin(), found->end()};
    }
    void wait(const std::vector<std::string>& keys) override { wait(keys, timeout_); }
    void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& most) override
    {
        for (const std::string& key : keys) {
            if (!m_meeting.ask(key, std::max(most, timeout_)))
                throw std::runtime_error("another machine didn't come to train together");
        }
    }
    bool check(const std::vector<std::string>& keys) override
    {
        constexpr std::chrono::milliseconds AMoment{500};
        return std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
            return m_meeting.ask(key, AMoment).has_value();
        });
    }
    int64_t add(const std::string&, int64_t) override { return refuse(); }
    bool deleteKey(const std::string&) override { return refuse() != 0; }
    int64_t getNumKeys() override { return refuse(); }

private:
    [[noreturn]] static int64_t refuse()
    {
        throw std::runtime_error("this LibTorch asks more of a meeting than is known here");
    }

    Meeting& m_meeting;
};

c10::intrusive_ptr<c10d::Store> storeOf(const Membership& m)
{
    constexpr std::chrono::seconds ToMeet{60};
    constexpr std::chrono::minutes ToArrive{12}; // each is measured alone before, at the same time
    c10::intrusive_ptr<c10d::Store> store;
    if (m.meeting != nullptr)
        store = c10::make_intrusive<MeetingStore>(*m.meeting);
    else
        store = c10::make_intrusive<c10d::FileStore>(m.storeFile, m.count);
    store->setTimeout(m.meeting != nullptr ? std::chrono::milliseconds(ToArrive) : ToMeet);
    return store;
}

class GlooGroup final : public ProcessGroup {
public:
    explicit GlooGroup(const Membership& m)
    {
        constexpr std::chrono::hours Ever{24}; // who starts the processes says how long is too long
        constexpr std::chrono::minutes ToReach{3}; // a machine behind a wall lets none know
        auto options = c10d::ProcessGroupGloo::Options::create(
            m.meeting != nullptr ? std::chrono::milliseconds(ToReach) : Ever);
        options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(
            m.meeting != nullptr ? m.address : "127.0.0.1"));
        const auto store = storeOf(m);
        m_group = c10::make_intrusive<c10d::ProcessGroupGloo>(store, m.rank, m.count, options);
    }

    void sum(at::Tensor& tensor) override
    {
        std::vector<at::Tensor> tensors{tensor};
        m_group->allreduce(tensors)->wait();
    }

private:
    c10::intrusive_ptr<c10d::ProcessGroupGloo> m_group;
};

} // namespace

bool hasProcessGroups()
{
    return true;
}

std::unique_ptr<ProcessGroup> joinGroup(const Membership& membership)
{
    return std::make_unique<GlooGroup>(membership);
}

#else

bool hasProcessGroups()
{
    return false;
}

std::unique_ptr<ProcessGroup> joinGroup(const Membership&)
{
    return nullptr;
}

#endif

} // namespace outlay::worker
