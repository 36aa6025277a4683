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

bool hasDot(std::string_view instance)
{
    return instance.find('.') != std::string_view::npos;
}

bool hasDash(std::string_view instance)
{
    return instance.find('-') != std::string_view::npos;
}

bool isAzureInstance(std::string_view instance)
{
    return instance.starts_with("Standard_") || instance.starts_with("Basic_");
}

bool isAny(std::string_view)
{
    return true;
}

constexpr std::array<std::string_view, 4> AwsBurstable{"t2.", "t3.", "t3a.", "t4g."};
constexpr std::array<std::string_view, 1> AzureBurstable{"Standard_B"};
constexpr std::array<std::string_view, 3> GcpBurstable{"e2-micro", "e2-small", "e2-medium"};

// A vCPU of AWS Lambda comes with 1,769 MB; a function has 128 to 10,240 MB and 15 minutes.
constexpr FunctionService Lambda{.title = "AWS Lambda, x86",
                                 .secondsTariff = "Lambda x86",
                                 .requestsTariff = "Lambda requests",
                                 .home = "us-east-1",
                                 .gbPerVcpu = 1.769,
                                 .leastGb = 0.128,
                                 .mostGb = 10.24,
                                 .mostSeconds = 900};

constexpr std::array Providers{
    Provider{.id = "azure",
             .title = "Azure",
             .billed = "Microsoft",
             .isRegion = isAny, // its instances alone tell it
             .isInstance = isAzureInstance,
             .shownWithout = "Standard_",
             .burstable = AzureBurstable},
    Provider{.id = "aws",
             .title = "AWS",
             .billed = "AWS",
             .isRegion = isAwsRegion,
             .isInstance = hasDot,
             .burstable = AwsBurstable,
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
             .isInstance = hasDash,
             .burstable = GcpBurstable,
             .storage = "GCS Standard"},
    Provider{.id = "digitalocean", .title = "DigitalOcean", .billed = "digitalocean"},
    Provider{.id = "lambda", .title = "Lambda", .billed = "lambda"},
    Provider{.id = "runpod", .title = "RunPod", .billed = "runpod"}};

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
