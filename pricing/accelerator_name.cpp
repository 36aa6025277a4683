// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/accelerator_name.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace outlay::pricing {
namespace {

struct Known {
    std::string_view listed; // in lower case, without spaces, dashes and makers
    std::string_view name;
    double memoryGb;
};

// Sizes are the makers'. A chip that is sold in two sizes has them in its name.
constexpr std::array KnownAccelerators{
    Known{"t4", "T4", 16},
    Known{"t4g", "T4G", 16},
    Known{"l4", "L4", 24},
    Known{"l40", "L40", 48},
    Known{"l40s", "L40S", 48},
    Known{"a10", "A10", 24},
    Known{"a10g", "A10G", 24},
    Known{"a30", "A30", 24},
    Known{"a40", "A40", 48},
    Known{"a10040gb", "A100-40GB", 40},
    Known{"a10080gb", "A100-80GB", 80},
    Known{"a10080gbsxm", "A100-80GB", 80},
    Known{"h100", "H100-80GB", 80},
    Known{"h10080gb", "H100-80GB", 80},
    Known{"h10080gbhbm3", "H100-80GB", 80},
    Known{"h10080gbmega", "H100-80GB", 80},
    Known{"h100mega", "H100-80GB", 80},
    Known{"h100sxm", "H100-80GB", 80},
    Known{"h100nvl", "H100-NVL", 94},
    Known{"h200", "H200", 141},
    Known{"h200141gb", "H200", 141},
    Known{"b200", "B200", 180},
    Known{"gh200", "GH200", 96},
    Known{"v10016gb", "V100-16GB", 16},
    Known{"v10032gb", "V100-32GB", 32},
    Known{"p4", "P4", 8},
    Known{"p100", "P100", 16},
    Known{"k80", "K80", 12},
    Known{"m60", "M60", 8},
    Known{"mi300x", "MI300X", 192},
    Known{"mi25", "MI25", 16},
    Known{"radeonprov520", "Radeon Pro V520", 8},
    Known{"inferentia", "Inferentia1", 8},
    Known{"inferentia1", "Inferentia1", 8},
    Known{"inferentia2", "Inferentia2", 32},
    Known{"trainium", "Trainium1", 32},
    Known{"trainium1", "Trainium1", 32},
    Known{"trainium2", "Trainium2", 96},
    Known{"a6000", "RTX A6000", 48},
    Known{"rtxa6000", "RTX A6000", 48},
    Known{"rtxa5000", "RTX A5000", 24},
    Known{"rtxa4000", "RTX A4000", 16},
    Known{"rtx3090", "RTX 3090", 24},
    Known{"rtx4090", "RTX 4090", 24},
    Known{"rtx6000ada", "RTX 6000 Ada", 48},
    Known{"rtxpro6000", "RTX PRO 6000", 96},
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
                                    [&](const Known& row) { return row.listed == simple; });
    if (known == KnownAccelerators.end())
        return {core::printable(listed, 60), listedGb};
    return {std::string(known->name), known->memoryGb};
}

} // namespace outlay::pricing
