// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// All accelerators and processors that are known, found by the many names that offers give them.
#pragma once

#include "core/hardware/accelerator.h"

namespace outlay::core {

class HardwareCatalog {
public:
    [[nodiscard]] static Result<HardwareCatalog> create(std::string_view text,
                                                        std::string_view fileName);

    [[nodiscard]] const std::vector<Device>& devices() const { return m_devices; }
    [[nodiscard]] const std::vector<Processor>& processors() const { return m_processors; }
    [[nodiscard]] const std::string& asOf() const { return m_asOf; }

    /// The device that has the most of its name's words in `name`, in any order and spelling
    /// ("8x NVIDIA A100 80GB"); null if none has all words of one of its names there.
    [[nodiscard]] const Device* find(std::string_view name) const;
    /// The same, or a sentence with the nearest name.
    [[nodiscard]] Result<Device> device(std::string_view name) const;

    /// Processors of an instance ("c5.xlarge", may be empty); where its family isn't known, those of a
    /// typical cloud instance: the medians over all processors.
    [[nodiscard]] Device processorsOf(std::string_view instance, double vcpus,
                                      std::optional<double> memoryGb) const;

    /// Of one machine, in GB/s one direction; nothing where nobody lists it, and machines are not to be joined.
    [[nodiscard]] std::optional<double> networkGbPerS(std::string_view instance) const;

    /// The share of its speed that a machine keeps up for hours: 1, but for burstable ones.
    [[nodiscard]] double sustainedShare(std::string_view instance) const;

private:
    struct Name {
        std::vector<std::string> words;
        std::size_t letters = 0; // of all words
        std::size_t device = 0;
    };

    void learnNames();
    void findTypical();

    std::vector<Device> m_devices;
    std::vector<Processor> m_processors;
    std::vector<Network> m_networks;
    std::vector<Burstable> m_burstable;
    Processor m_typical;
    PartOfSocket m_partOfSocket;
    std::vector<Name> m_names;
    std::string m_asOf;
};

/// Of resources/hardware.json; read once, and part of the program, so a broken one is an internal fault.
[[nodiscard]] const Result<HardwareCatalog>& hardwareCatalog();

} // namespace outlay::core
