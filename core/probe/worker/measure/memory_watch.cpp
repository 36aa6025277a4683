// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure/memory_watch.h"

#include "core/probe/host/nvml.h"
#include "core/probe/host/process_memory.h"
#include "core/probe/worker/network/torch.h"

#include <algorithm>
#include <malloc.h>

#if defined(OUTLAY_WITH_CUDA) && __has_include(<cuda_runtime_api.h>)
#include <c10/cuda/CUDACachingAllocator.h>
#define OUTLAY_ASKS_CUDA
#endif

namespace outlay::worker {
namespace {

/// Of LibTorch's tensors on the accelerator, and of what it keeps for the next ones.
struct Tensors {
    double held = 0;
    double peak = 0;
    double reserved = 0;
};

#ifdef OUTLAY_ASKS_CUDA

c10::DeviceIndex indexOf(torch::Device device)
{
    return std::max<c10::DeviceIndex>(0, device.index());
}

/// LibTorch's allocator knows a device only once it has been used.
void touch(torch::Device device)
{
    static const torch::Tensor First = torch::empty({1}, torch::TensorOptions(device));
}

std::optional<Tensors> tensorsOn(torch::Device device)
{
    touch(device);
    const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(indexOf(device));
    constexpr std::size_t All = 0; // small and large blocks
    const auto& held = stats.allocated_bytes[All];
    return Tensors{static_cast<double>(held.current), static_cast<double>(held.peak),
                   static_cast<double>(stats.reserved_bytes[All].current)};
}

void beginPeak(torch::Device device)
{
    touch(device);
    c10::cuda::CUDACachingAllocator::resetPeakStats(indexOf(device));
}

#else

std::optional<Tensors> tensorsOn(torch::Device)
{
    return std::nullopt;
}

void beginPeak(torch::Device) {}

#endif

} // namespace

double freeBytes(core::ProbeDevice device)
{
    if (device == core::ProbeDevice::Cpu)
        return availableBytes();
    const auto nvml = Nvml::open();
    const auto free = nvml ? nvml->freeBytes() : std::nullopt;
    if (!free) // its driver refuses what doesn't fit
        return std::numeric_limits<double>::infinity();
    const auto tensors = torch::cuda::is_available() ? tensorsOn(torch::kCUDA) : std::nullopt;
    return *free + (tensors ? tensors->reserved - tensors->held : 0);
}

std::string_view placeOf(core::ProbeDevice device)
{
    return device == core::ProbeDevice::Cpu ? "this machine" : "the accelerator";
}

MemoryWatch::MemoryWatch(torch::Device device) : m_device(device)
{
    if (m_device.is_cpu()) {
        ::malloc_trim(0);
        resetPeak();
        m_before = residentBytes();
        return;
    }
    beginPeak(m_device);
    if (const auto tensors = tensorsOn(m_device))
        m_before = tensors->held;
}

std::optional<double> MemoryWatch::peakBytes() const
{
    if (m_device.is_cpu())
        return worker::peakBytes();
    const auto tensors = tensorsOn(m_device);
    return tensors ? std::optional(tensors->peak) : std::nullopt;
}

std::optional<double> MemoryWatch::growthBytes() const
{
    const auto peak = peakBytes();
    return peak && m_before ? std::optional(std::max(0.0, *peak - *m_before)) : std::nullopt;
}

} // namespace outlay::worker
