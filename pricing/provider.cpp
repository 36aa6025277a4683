// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/provider.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace outlay::pricing {
namespace {

bool isDigit(char c)
{
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// "us-east-1": the number stands apart. Others name theirs so, too.
bool isAwsRegion(std::string_view region)
{
    const std::size_t dash = region.rfind('-');
    return dash != std::string_view::npos && region.find('-') < dash && dash + 2 == region.size() &&
           isDigit(region.back());
}

/// "us-central1": the number ends the word.
bool isGcpRegion(std::string_view region)
{
    const std::size_t dash = region.find('-');
    return dash != std::string_view::npos && region.rfind('-') == dash &&
           region.size() > dash + 2 && isDigit(region.back());
}

/// "g4dn.xlarge": a family in small letters and one of its sizes. Others' names have dots, too ("VM.Standard.E4",
/// "ecs.g7.large").
bool isAwsInstance(std::string_view instance)
{
    const std::size_t dot = instance.find('.');
    if (dot == std::string_view::npos || dot == 0)
        return false;
    const std::string_view family = instance.substr(0, dot);
    std::string_view size = instance.substr(dot + 1);
    const auto isPlain = [](char c) { return (c >= 'a' && c <= 'z') || isDigit(c) || c == '-'; };
    if (!std::all_of(family.begin(), family.end(), isPlain) || isDigit(family.front()))
        return false;
    if (size.starts_with("metal"))
        return true;
    while (!size.empty() && isDigit(size.front()))
        size.remove_prefix(1);
    constexpr std::array<std::string_view, 6> Sizes{"nano",   "micro", "small",
                                                    "medium", "large", "xlarge"};
    return std::find(Sizes.begin(), Sizes.end(), size) != Sizes.end();
}

/// "n2d-standard-4": a family of Google's. Others have dashes and regions of that shape, too ("gpu-b200-sxm_8gpu").
bool isGcpInstance(std::string_view instance)
{
    constexpr std::array<std::string_view, 34> Families{
        "a2",  "a3", "a4",  "a4x", "c2",  "c2d", "c3", "c3d", "c4",    "c4a", "c4d", "e2",
        "f1",  "g1", "g2",  "g4",  "h3",  "h4d", "m1", "m2",  "m3",    "m4",  "n1",  "n2",
        "n2d", "n4", "n4a", "n4d", "t2a", "t2d", "x4", "z3",  "ct5lp", "ct6e"};
    const std::size_t dash = instance.find('-');
    return dash != std::string_view::npos &&
           std::find(Families.begin(), Families.end(), instance.substr(0, dash)) != Families.end();
}

bool isAzureInstance(std::string_view instance)
{
    return instance.starts_with("Standard_") || instance.starts_with("Basic_");
}

/// "c7gn.large": a g behind the number of the generation; "a1" is the first one.
bool isAwsArm(std::string_view instance)
{
    const std::string_view family = instance.substr(0, instance.find('.'));
    const auto number = std::find_if(family.begin(), family.end(), isDigit);
    return family == "a1" || std::find(number, family.end(), 'g') != family.end();
}

bool isGcpArm(std::string_view instance)
{
    constexpr std::array<std::string_view, 4> Families{"t2a-", "c4a-", "n4a-", "a4x-"};
    return std::any_of(Families.begin(), Families.end(),
                       [&](std::string_view family) { return instance.starts_with(family); });
}

/// "Standard_D2ps_v5": a p among the letters behind the number.
bool isAzureArm(std::string_view instance)
{
    const std::size_t from = instance.find('_');
    if (from == std::string_view::npos)
        return false;
    const std::string_view size =
        instance.substr(from + 1, instance.find('_', from + 1) - from - 1);
    const auto* const number = std::find_if(size.begin(), size.end(), isDigit);
    return std::find(number, size.end(), 'p') != size.end();
}

bool isAny(std::string_view)
{
    return true;
}

// A vCPU of AWS Lambda comes with 1,769 MB; a function has 128 to 10,240 MB and 15 minutes.
constexpr FunctionService Lambda{.title = "AWS Lambda, x86",
                                 .secondsTariff = "Lambda x86",
                                 .requestsTariff = "Lambda requests",
                                 .home = "us-east-1",
                                 .gbPerVcpu = 1.769,
                                 .leastGb = 0.128,
                                 .mostGb = 10.24,
                                 .mostSeconds = 900};

constexpr std::array<std::string_view, 1> DigitalOceanNames{"do"};
constexpr std::array<std::string_view, 2> LambdaNames{"lambdalabs", "lambdacloud"};
constexpr std::array<std::string_view, 1> VerdaNames{"datacrunch"};
constexpr std::array<std::string_view, 2> VastNames{"vastai", "vast.ai"};

constexpr std::array Providers{
    Provider{.id = "azure",
             .title = "Azure",
             .billed = "Microsoft",
             .isRegion = isAny, // its instances alone tell it
             .isInstance = isAzureInstance,
             .shownWithout = "Standard_",
             .isArm = isAzureArm},
    Provider{.id = "aws",
             .title = "AWS",
             .billed = "AWS",
             .isRegion = isAwsRegion,
             .isInstance = isAwsInstance,
             .isArm = isAwsArm,
             .storage = "S3 Standard",
             .rareStorage =
                 RareStorage{"S3 Standard-IA", "s3.upload_file(path, bucket, key, ExtraArgs={"
                                               "\"StorageClass\": \"STANDARD_IA\"})"},
             .insideTransfer = "between zones",
             .managed = ManagedService{"SageMaker", "ml."},
             .functions = Lambda},
    Provider{.id = "gcp",
             .title = "Google",
             .billed = "Google Cloud",
             .isRegion = isGcpRegion,
             .isInstance = isGcpInstance,
             .isArm = isGcpArm,
             .storage = "GCS Standard"},
    Provider{.id = "digitalocean",
             .title = "DigitalOcean",
             .billed = "digitalocean",
             .aliases = DigitalOceanNames},
    Provider{.id = "lambda", .title = "Lambda", .billed = "lambda", .aliases = LambdaNames},
    Provider{.id = "runpod", .title = "RunPod", .billed = "runpod"},
    // Not in the program's own prices: they come with catalogs.
    Provider{.id = "nebius", .title = "Nebius", .billed = "Nebius"},
    Provider{.id = "verda", .title = "Verda", .billed = "Verda", .aliases = VerdaNames},
    Provider{.id = "hyperstack", .title = "Hyperstack", .billed = "Hyperstack"},
    Provider{.id = "vast", .title = "Vast", .billed = "Vast.ai", .aliases = VastNames},
    Provider{.id = "oci", .title = "Oracle", .billed = "Oracle"},
    Provider{.id = "ibm", .title = "IBM", .billed = "IBM"},
    Provider{.id = "paperspace", .title = "Paperspace", .billed = "Paperspace"},
    Provider{.id = "cudo", .title = "Cudo", .billed = "Cudo Compute"},
    Provider{.id = "fluidstack", .title = "Fluidstack", .billed = "Fluidstack"},
    Provider{.id = "crusoe", .title = "Crusoe", .billed = "Crusoe"},
    Provider{.id = "coreweave", .title = "CoreWeave", .billed = "CoreWeave"},
    Provider{.id = "tensordock", .title = "TensorDock", .billed = "TensorDock"},
    Provider{.id = "hotaisle", .title = "Hot Aisle", .billed = "Hot Aisle"}};

constexpr Provider Unknown;

} // namespace

std::span<const Provider> providers()
{
    return Providers;
}

const Provider& provider(std::string_view id)
{
    const auto* const found = std::find_if(Providers.begin(), Providers.end(),
                                           [&](const Provider& row) { return row.id == id; });
    return found == Providers.end() ? Unknown : *found;
}

std::string_view providerTitle(std::string_view id)
{
    const Provider& known = provider(id);
    return known.title.empty() ? id : known.title;
}

std::string_view providerNamed(std::string_view name)
{
    const auto isSame = [&](std::string_view other) {
        return std::equal(name.begin(), name.end(), other.begin(), other.end(), [](char a, char b) {
            return std::tolower(static_cast<unsigned char>(a)) ==
                   std::tolower(static_cast<unsigned char>(b));
        });
    };
    const auto* const found =
        std::find_if(Providers.begin(), Providers.end(), [&](const Provider& row) {
            return isSame(row.id) || isSame(row.title) ||
                   std::any_of(row.aliases.begin(), row.aliases.end(), isSame);
        });
    return found == Providers.end() ? name : found->id;
}

bool isAmong(const std::vector<std::string>& names, std::string_view id)
{
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return name == id || providerNamed(name) == id;
    });
}

std::string_view providerOf(std::string_view instance, std::string_view region)
{
    const auto* const found =
        std::find_if(Providers.begin(), Providers.end(), [&](const Provider& row) {
            return row.isInstance != nullptr && row.isInstance(instance) && row.isRegion(region);
        });
    return found == Providers.end() ? std::string_view{} : found->id;
}

const Provider& functionProvider()
{
    const auto* const found =
        std::find_if(Providers.begin(), Providers.end(),
                     [](const Provider& row) { return row.functions.has_value(); });
    return *found;
}

} // namespace outlay::pricing
