// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure/process_group.h"

#ifdef OUTLAY_WITH_GLOO
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#endif

namespace outlay::worker {

#ifdef OUTLAY_WITH_GLOO

namespace {

class GlooGroup final : public ProcessGroup {
public:
    explicit GlooGroup(const Membership& m)
    {
        constexpr std::chrono::seconds ToMeet{60};
        constexpr std::chrono::hours Ever{24}; // who starts the processes says how long is too long
        auto options = c10d::ProcessGroupGloo::Options::create(Ever);
        options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
        auto store = c10::make_intrusive<c10d::FileStore>(m.storeFile, m.count);
        store->setTimeout(ToMeet);
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
