// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/accelerator_name.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace outlay::pricing {
namespace {

struct KnownName {
    std::string_view listed; // in lower case, without spaces, dashes and makers
    std::string_view name;
    double memoryGb;
};

// Sizes are the makers'. A chip that is sold in two sizes has them in its name.
constexpr std::array KnownAccelerators{
    KnownName{"t4", "T4", 16},
    KnownName{"t4g", "T4G", 16},
    KnownName{"l4", "L4", 24},
    KnownName{"l40", "L40", 48},
    KnownName{"l40s", "L40S", 48},
    KnownName{"a10", "A10", 24},
    KnownName{"a10g", "A10G", 24},
    KnownName{"a30", "A30", 24},
    KnownName{"a40", "A40", 48},
    KnownName{"a10040gb", "A100-40GB", 40},
    KnownName{"a10080gb", "A100-80GB", 80},
    KnownName{"a10080gbsxm", "A100-80GB", 80},
    KnownName{"h100", "H100-80GB", 80},
    KnownName{"h10080gb", "H100-80GB", 80},
    KnownName{"h10080gbhbm3", "H100-80GB", 80},
    KnownName{"h10080gbmega", "H100-80GB", 80},
    KnownName{"h100mega", "H100-80GB", 80},
    KnownName{"h100sxm", "H100-80GB", 80},
    KnownName{"h100nvl", "H100-NVL", 94},
    KnownName{"h200", "H200", 141},
    KnownName{"h200141gb", "H200", 141},
    KnownName{"b200", "B200", 180},
    KnownName{"gh200", "GH200", 96},
    KnownName{"v10016gb", "V100-16GB", 16},
    KnownName{"v10032gb", "V100-32GB", 32},
    KnownName{"p4", "P4", 8},
    KnownName{"p100", "P100", 16},
    KnownName{"k80", "K80", 12},
    KnownName{"m60", "M60", 8},
    KnownName{"mi300x", "MI300X", 192},
    KnownName{"mi25", "MI25", 16},
    KnownName{"radeonprov520", "Radeon Pro V520", 8},
    KnownName{"inferentia", "Inferentia1", 8},
    KnownName{"inferentia1", "Inferentia1", 8},
    KnownName{"inferentia2", "Inferentia2", 32},
    KnownName{"trainium", "Trainium1", 32},
    KnownName{"trainium1", "Trainium1", 32},
    KnownName{"trainium2", "Trainium2", 96},
    KnownName{"a6000", "RTX A6000", 48},
    KnownName{"rtxa6000", "RTX A6000", 48},
    KnownName{"rtxa5000", "RTX A5000", 24},
    KnownName{"rtxa4000", "RTX A4000", 16},
    KnownName{"rtx3090", "RTX 3090", 24},
    KnownName{"rtx4090", "RTX 4090", 24},
    KnownName{"rtx6000ada", "RTX 6000 Ada", 48},
    KnownName{"rtxpro6000", "RTX PRO 6000", 96},
};

std::string simplified(std::string_view listed)
{
    std::string simple;
    for (const char c : listed) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            simple += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    for (const std::string_view maker : {"nvidia", "tesla", "amd", "aws", "habana"}) {
        if (simple.starts_with(maker) && simple.size() > maker.size())
            simple.erase(0, maker.size());
    }
    return simple;
}

} // namespace

AcceleratorName acceleratorNamed(std::string_view listed, std::optional<double> listedGb)
{
    std::string simple = simplified(listed);
    // Without a size, both mean the smaller one in the catalogs.
    if (simple == "a100")
        simple += listedGb.value_or(0) > 60 ? "80gb" : "40gb";
    if (simple == "v100")
        simple += listedGb.value_or(0) > 24 ? "32gb" : "16gb";
    const auto known = std::find_if(KnownAccelerators.begin(), KnownAccelerators.end(),
                                    [&](const KnownName& row) { return row.listed == simple; });
    if (known == KnownAccelerators.end())
        return {core::printable(listed, 60), listedGb};
    return {std::string(known->name), known->memoryGb};
}

} // namespace outlay::pricing
