// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The devices of the price book's machines: found once by their names, equal ones forecast once.
#pragma once

#include "core/hardware/hardware_catalog.h"
#include "pricing/price_book.h"

#include <memory>
#include <vector>

namespace outlay::pricing {

/// So many of one device in a machine.
struct MachineKind {
    core::Device device;
    std::int64_t count = 1;
    double sustained = 1; // share of its speed that it keeps up for hours
    core::Note unknown;   // why there is no device, as a sentence without a full stop
    std::optional<double> networkGbPerS =
        {};                               // that joins machines of this kind, where it is listed
    std::optional<double> hostVcpus = {}; // as many as in half of the machines as fast as these
    std::optional<double> hostGb = {};    // that the largest of these has of its own
    // The first kind that differs in memory and network at most: what one machine takes is the same.
    std::uint32_t twin = 0;

    /// Of one device; nothing where it isn't known.
    [[nodiscard]] std::optional<double> memoryBytes() const;
};

/// Whether an earlier kind has the same forecasts: what accelerators hold at once, and divide, depends on their memory.
[[nodiscard]] bool isTwin(const std::vector<MachineKind>& kinds, std::size_t i);

/// Kinds of machines that come into question; made of none, all do.
class AskedKinds {
public:
    AskedKinds() = default;
    explicit AskedKinds(const std::vector<MachineKind>& kinds)
        : m_isAsked(kinds.size()), m_hasTwin(kinds.size())
    {
    }

    void ask(const std::vector<MachineKind>& kinds, std::size_t i)
    {
        m_isAsked[i] = true;
        m_hasTwin[kinds[i].twin] = true;
    }
    [[nodiscard]] bool isAsked(std::size_t i) const { return m_isAsked.empty() || m_isAsked[i]; }
    /// It is, or a later twin, which takes its forecasts.
    [[nodiscard]] bool isNeeded(std::size_t i) const { return isAsked(i) || m_hasTwin[i]; }

private:
    std::vector<bool> m_isAsked;
    std::vector<bool> m_hasTwin; // that is asked: of the first of twins
};
class MachineDevices {
public:
    MachineDevices(std::shared_ptr<const PriceBook> book, const core::HardwareCatalog& hardware);

    /// Each differs from the others in the device or in how many there are.
    [[nodiscard]] const std::vector<MachineKind>& kinds() const { return m_kinds; }
    [[nodiscard]] std::uint32_t kindOf(std::uint32_t machine) const { return m_kindOf[machine]; }

private:
    std::shared_ptr<const PriceBook> m_book;
    std::vector<MachineKind> m_kinds;
    std::vector<std::uint32_t> m_kindOf; // by the machine's index in the book
};

/// The device that an offer's accelerator is; null where the catalog has only a namesake that lacks
/// some word of it ("RTX PRO 6000" is no RTX 6000).
[[nodiscard]] const core::Device* deviceNamed(const core::HardwareCatalog& hardware,
                                              std::string_view accelerator);

} // namespace outlay::pricing
