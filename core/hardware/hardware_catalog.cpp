// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/hardware_catalog.h"

#include "core/base/data_file.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/base/units.h"

#include <algorithm>

namespace outlay::core {
namespace {

constexpr std::string_view HardwareFile = "hardware.json";

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// "8x" before a name is how many there are, not what they are.
std::string_view withoutCount(std::string_view word)
{
    std::size_t digits = 0;
    while (digits < word.size() && isDigit(word[digits]))
        ++digits;
    const bool isCount = digits > 0 && digits < word.size() && word[digits] == 'x';
    return isCount ? word.substr(digits + 1) : word;
}

/// Lower-case words of letters and digits, without those that name a maker or a product line.
std::vector<std::string> wordsOf(std::string_view name)
{
    constexpr std::array<std::string_view, 10> Idle{
        "nvidia", "tesla", "geforce", "amd", "aws", "google", "intel", "gpu", "radeon", "tensor"};
    std::vector<std::string> words;
    std::string word;
    const auto finish = [&] {
        const std::string_view kept = withoutCount(word);
        if (!kept.empty() && std::find(Idle.begin(), Idle.end(), kept) == Idle.end())
            words.emplace_back(kept);
        word.clear();
    };
    for (const char c : name) {
        const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        if (isDigit(lower) || (lower >= 'a' && lower <= 'z'))
            word += lower;
        else
            finish();
    }
    finish();
    return words;
}

bool hasAll(const std::vector<std::string>& words, const std::vector<std::string>& wanted)
{
    return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    });
}

/// Of those rows that have the value; nothing if none has.
template <typename Get>
std::optional<double> medianOf(const std::vector<Processor>& rows, const Get& get)
{
    std::vector<double> values;
    for (const Processor& row : rows) {
        if (const std::optional<double> value = get(row))
            values.push_back(*value);
    }
    if (values.empty())
        return std::nullopt;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

Result<HardwareCatalog> HardwareCatalog::create(std::string_view text, std::string_view fileName)
{
    const auto file = DataFile::create(text, fileName, "outlay-hardware");
    if (!file)
        return failureOf(file);
    auto devices = file->list<Device>("accelerators");
    if (!devices)
        return failureOf(devices);
    auto processors = file->list<Processor>("processors");
    if (!processors)
        return failureOf(processors);
    auto networks = file->list<Network>("networks");
    if (!networks)
        return failureOf(networks);
    auto burstable = file->list<Burstable>("burstable");
    if (!burstable)
        return failureOf(burstable);
    auto part = file->object<PartOfSocket>("part_of_socket");
    if (!part)
        return failureOf(part);
    HardwareCatalog catalog;
    catalog.m_devices = std::move(*devices);
    catalog.m_processors = std::move(*processors);
    catalog.m_networks = std::move(*networks);
    catalog.m_burstable = std::move(*burstable);
    catalog.m_partOfSocket = std::move(*part);
    catalog.m_asOf = file->asOf();
    catalog.learnNames();
    catalog.findTypical();
    return catalog;
}

void HardwareCatalog::learnNames()
{
    const auto add = [&](std::string_view name, std::size_t device) {
        Name entry{wordsOf(name), 0, device};
        for (const std::string& word : entry.words)
            entry.letters += word.size();
        if (entry.letters > 0)
            m_names.push_back(std::move(entry));
    };
    for (std::size_t i = 0; i < m_devices.size(); ++i) {
        add(m_devices[i].name, i);
        for (const std::string& alias : m_devices[i].aliases)
            add(alias, i);
    }
}

void HardwareCatalog::findTypical()
{
    m_typical.name = "a typical cloud processor";
    m_typical.source = "median of " + std::to_string(m_processors.size()) + " cloud processors";
    m_typical.asOf = m_asOf;
    m_typical.gflopsPerVcpu = medianOf(m_processors, [](const Processor& p) {
                                  return std::optional(p.gflopsPerVcpu);
                              }).value_or(0);
    m_typical.vcpus = static_cast<std::int64_t>(medianOf(m_processors, [](const Processor& p) {
                                                    return p.vcpus > 0
                                                               ? std::optional<double>(p.vcpus)
                                                               : std::nullopt;
                                                }).value_or(0));
    m_typical.gbPerSPerVcpu =
        medianOf(m_processors, [](const Processor& p) { return p.gbPerSPerVcpu; });
    m_typical.idleWattsPerVcpu =
        medianOf(m_processors, [](const Processor& p) { return p.idleWattsPerVcpu; });
    m_typical.maxWattsPerVcpu =
        medianOf(m_processors, [](const Processor& p) { return p.maxWattsPerVcpu; });
}

const Device* HardwareCatalog::find(std::string_view name) const
{
    const std::vector<std::string> words = wordsOf(name);
    const Name* best = nullptr;
    for (const Name& entry : m_names) {
        const bool isLonger = best == nullptr || entry.letters > best->letters;
        if (isLonger && hasAll(words, entry.words))
            best = &entry;
    }
    return best == nullptr ? nullptr : &m_devices[best->device];
}

Result<Device> HardwareCatalog::device(std::string_view name) const
{
    if (const Device* found = find(name))
        return *found;
    std::vector<std::string_view> names;
    for (const Device& device : m_devices) {
        names.emplace_back(device.name);
        names.insert(names.end(), device.aliases.begin(), device.aliases.end());
    }
    const auto near = nearest(name, names);
    return usageError("the accelerator " + inQuotes(name) + " is not known",
                      near ? "did you mean '" + std::string(*near) + "'?"
                           : "give a name such as T4, L4, A100-80GB or H100");
}

namespace {

/// "m5.large" -> "m5", "n2-standard-4" -> "n2-", "Standard_D2as_v5" -> "Dasv5": as the processors' rows name them.
std::string familyOf(std::string_view instance)
{
    constexpr std::string_view Azure = "Standard_";
    if (!instance.starts_with(Azure)) {
        const std::size_t end = instance.find_first_of(".-");
        const bool isDash = end != std::string_view::npos && instance[end] == '-';
        return std::string(instance.substr(0, isDash ? end + 1 : end));
    }
    instance.remove_prefix(Azure.size());
    const std::size_t version = instance.find('_');
    std::string family;
    for (std::size_t i = 0; i < instance.size(); ++i) {
        const bool isSize = i < version && instance[i] >= '0' && instance[i] <= '9';
        if (!isSize && instance[i] != '_')
            family += instance[i];
    }
    return family;
}

} // namespace

Device HardwareCatalog::processorsOf(std::string_view instance, double vcpus,
                                     std::optional<double> memoryGb) const
{
    const std::string family = familyOf(instance);
    for (const Processor& processor : m_processors) {
        const auto& families = processor.usedBy;
        if (std::find(families.begin(), families.end(), family) == families.end())
            continue;
        Processor known = processor;
        if (known.vcpus == 0)
            known.vcpus = m_typical.vcpus;
        if (!known.gbPerSPerVcpu)
            known.gbPerSPerVcpu = m_typical.gbPerSPerVcpu;
        if (!known.idleWattsPerVcpu || !known.maxWattsPerVcpu) {
            known.idleWattsPerVcpu = m_typical.idleWattsPerVcpu;
            known.maxWattsPerVcpu = m_typical.maxWattsPerVcpu;
        }
        return deviceOf(known, vcpus, memoryGb, m_partOfSocket);
    }
    return deviceOf(m_typical, vcpus, memoryGb, m_partOfSocket);
}

namespace {

/// The row that has the instance among its own; null if none has.
template <typename Row>
const Row* rowOf(const std::vector<Row>& rows, std::string_view instance)
{
    for (const Row& row : rows) {
        const auto& names = row.instances;
        if (std::find(names.begin(), names.end(), instance) != names.end())
            return &row;
    }
    return nullptr;
}

} // namespace

std::optional<double> HardwareCatalog::networkGbPerS(std::string_view instance) const
{
    const Network* network = rowOf(m_networks, instance);
    return network != nullptr ? std::optional(network->gbitPerS / BitsPerByte) : std::nullopt;
}

double HardwareCatalog::sustainedShare(std::string_view instance) const
{
    const Burstable* burstable = rowOf(m_burstable, instance);
    return burstable != nullptr ? burstable->sustained : 1;
}

const Result<HardwareCatalog>& hardwareCatalog()
{
    static const Result<HardwareCatalog> Catalog =
        HardwareCatalog::create(resource(HardwareFile), HardwareFile);
    return Catalog;
}

} // namespace outlay::core
