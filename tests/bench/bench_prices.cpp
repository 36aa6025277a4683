// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How long the price book takes to load and to ask, and files to import: `bench_prices [FILE...]`. A file of 100 MB in
// the shape of AWS's offer files is made for it, and two lists of models of 1.6 MB each.
#include "core/base/text.h"
#include "pricing/import/import.h"
#include "pricing/prices_on.h"
#include "pricing/tariffs.h"
#include "tests/bench/samples.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

using namespace outlay;
using namespace outlay::pricing;

namespace {

constexpr std::size_t OfferFileBytes = 100'000'000;
constexpr std::size_t ModelListBytes = 1'600'000;
const ImportOptions Options{{}, "2026-07-20", "2026-11-20"};

std::string skuOf(std::size_t number)
{
    std::string sku = std::to_string(number);
    return "SKU" + std::string(13 - sku.size(), '0') + sku;
}

/// A third of the products are ours; the others have another operating system or tenancy.
std::string productJson(std::size_t i)
{
    const char* system = i % 3 == 0 ? "Linux" : i % 3 == 1 ? "Windows" : "RHEL";
    return "\"" + skuOf(i) + "\" : {\n      \"sku\" : \"" + skuOf(i) +
           "\",\n      \"productFamily\" : \"Compute Instance\",\n      \"attributes\" : {\n"
           "        \"servicecode\" : \"AmazonEC2\",\n        \"location\" : \"US East (N. "
           "Virginia)\",\n        \"locationType\" : \"AWS Region\",\n        \"instanceType\" : "
           "\"x" +
           std::to_string(i * 7 % 1009) +
           ".2xlarge\",\n        \"currentGeneration\" : \"Yes\",\n        \"instanceFamily\" : "
           "\"General purpose\",\n        \"vcpu\" : \"8\",\n        \"physicalProcessor\" : "
           "\"Intel Xeon Platinum 8259CL (Cascade Lake)\",\n        \"memory\" : \"32 GiB\",\n"
           "        \"tenancy\" : \"Shared\",\n        \"operatingSystem\" : \"" +
           system +
           "\",\n        \"preInstalledSw\" : \"NA\",\n        \"capacitystatus\" : \"Used\",\n"
           "        \"regionCode\" : \"region-" +
           std::to_string(i % 31) + "\"\n      }\n    }";
}

std::string termJson(std::size_t i)
{
    const std::string code = skuOf(i) + ".JRTCKXETXF";
    return "\"" + skuOf(i) + "\" : {\n        \"" + code +
           "\" : {\n          \"offerTermCode\" : \"JRTCKXETXF\",\n          \"sku\" : \"" +
           skuOf(i) +
           "\",\n          \"effectiveDate\" : \"2026-07-01T00:00:00Z\",\n          "
           "\"priceDimensions\" : {\n            \"" +
           code + ".6YS6EN2CT7\" : {\n              \"rateCode\" : \"" + code +
           ".6YS6EN2CT7\",\n              \"description\" : \"$0.38 per On Demand Linux "
           "Instance Hour\",\n              \"beginRange\" : \"0\",\n              \"endRange\" : "
           "\"Inf\",\n              \"unit\" : \"Hrs\",\n              \"pricePerUnit\" : {\n"
           "                \"USD\" : \"0." +
           std::to_string(1000 + i % 9000) +
           "000000\"\n              },\n              \"appliesTo\" : [ ]\n            }\n"
           "          },\n          \"termAttributes\" : { }\n        }\n      }";
}

void writeOfferFile(std::ostream& file)
{
    file << "{\n  \"formatVersion\" : \"v1.0\",\n  \"disclaimer\" : \"generated\",\n  "
            "\"offerCode\" : \"AmazonEC2\",\n  \"version\" : \"20260720\",\n  "
            "\"publicationDate\" : \"2026-07-20T00:00:00Z\",\n  \"products\" : {\n    ";
    const std::size_t count = OfferFileBytes / (productJson(0).size() + termJson(0).size());
    for (std::size_t i = 0; i < count; ++i)
        file << (i == 0 ? "" : ",\n    ") << productJson(i);
    file << "\n  },\n  \"terms\" : {\n    \"OnDemand\" : {\n      ";
    for (std::size_t i = 0; i < count; ++i)
        file << (i == 0 ? "" : ",\n      ") << termJson(i);
    file << "\n    }\n  }\n}\n";
}

/// Every other model has weights that are known.
std::string modelName(std::size_t i)
{
    return i % 2 == 0 ? "meta-llama/Llama-3.1-" + std::string(i % 4 == 0 ? "8B" : "70B") +
                            "-Instruct-v" + std::to_string(i)
                      : "someone/model-" + std::to_string(i) + "-chat";
}

void writeModelMap(std::ostream& file)
{
    file << "{\n";
    for (std::size_t i = 0; static_cast<std::size_t>(file.tellp()) < ModelListBytes; ++i)
        file << (i == 0 ? "" : ",\n") << "  \"" << modelName(i)
             << "\": {\n    \"input_cost_per_token\": 1e-07,\n    \"litellm_provider\": "
                "\"together_ai\",\n    \"max_input_tokens\": 131072,\n    "
                "\"max_output_tokens\": 8192,\n    \"max_tokens\": 8192,\n    \"mode\": "
                "\"chat\",\n    \"output_cost_per_token\": 2.5e-07,\n    "
                "\"source\": \"https://example.com/models\",\n    "
                "\"supports_function_calling\": true,\n    \"supports_vision\": false\n  }";
    file << "\n}\n";
}

void writeProviderList(std::ostream& file)
{
    file << R"([{"name": "Together AI", "id": "together", "api_pattern": "together", )"
         << R"("pricing_urls": ["https://example.com"], "models": [)";
    for (std::size_t i = 0; static_cast<std::size_t>(file.tellp()) < ModelListBytes; ++i)
        file << (i == 0 ? "" : ",") << R"({"id": ")" << modelName(i)
             << R"(", "match": {"equals": ")" << modelName(i)
             << R"("}, "name": "A model", "context_window": 131072, "prices_checked": )"
             << R"("2026-10-01", "prices": {"input_mtok": 0.1, "output_mtok": 0.25}})";
    file << "]}]\n";
}

/// The process's peak memory in MB.
double peakMb()
{
    std::ifstream status("/proc/self/status");
    std::string line;
    while (std::getline(status, line)) {
        if (line.starts_with("VmHWM:"))
            return std::stod(line.substr(6)) / 1024;
    }
    return 0;
}

/// A process of its own for each row, so that its peak memory is that row's.
void printRow(const std::string& name, int repetitions, const std::function<std::string()>& run)
{
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child == 0) {
        const double before = peakMb();
        std::string note;
        const auto times = bench::timesOf(repetitions, [&] { note = run(); });
        std::printf("%-34s %10.2f %10.2f %10.1f   %s\n", name.c_str(),
                    bench::percentile(times, 0.5), bench::percentile(times, 0.99),
                    peakMb() - before, note.c_str());
        std::fflush(stdout);
        ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
}

std::string importNote(const std::string& path)
{
    const auto import = importPrices(path, Options);
    if (!import)
        return import.error().sentence();
    const ImportAccount& account = import->account;
    return std::to_string(account.rows) + " rows, " + std::to_string(account.imported) +
           " imported, " + std::to_string(account.leftOutCount()) + " left out, " +
           (import->isOfTokens() ? std::to_string(import->tokens.size()) + " prices"
                                 : std::to_string(import->offers.rows.size()) + " offers");
}

void benchBook()
{
    constexpr int Often = 200;
    printRow("load the price book", Often,
             [] { return std::to_string(PriceBook::load()->rows().size()) + " offers"; });
    printRow("load the tariffs", Often,
             [] { return std::to_string(Tariffs::load()->all().size()) + " tariffs"; });
    const auto book = PriceBook::load();
    printRow("range and trust of all offers", Often, [&] {
        const PricesOn prices(*book, "2026-11-20");
        double sum = 0;
        for (std::size_t i = 0; i < book->rows().size(); ++i) {
            if (prices.trust(i) != Trust::Doubtful)
                sum += prices.range(i)->high;
        }
        return std::to_string(sum) + " USD/h in all";
    });
    printRow("find 1,000 offers", Often, [&] {
        std::size_t found = 0;
        for (std::size_t i = 0; i < 1000; ++i)
            found += (book->find({"aws", "g4dn.xlarge", "us-east-1"}) != nullptr) ? 1U : 0U;
        return std::to_string(found) + " found";
    });
}

} // namespace

int main(int argc, char** argv)
{
    constexpr int FewTimes = 11;
    std::printf("%s\n%-34s %10s %10s %10s\n", bench::machineName().c_str(),
                "ms; memory over the start in MB", "median", "99 %", "memory");
    benchBook();
    double bytes = 0;
    for (int i = 1; i < argc; ++i) {
        bytes += static_cast<double>(std::filesystem::file_size(argv[i]));
        printRow(std::filesystem::path(argv[i]).filename().string(), FewTimes,
                 [&] { return importNote(argv[i]); });
    }
    if (argc > 2)
        printRow("all of these files", FewTimes, [&] {
            for (int i = 1; i < argc; ++i)
                static_cast<void>(importNote(argv[i]));
            return std::to_string(bytes / 1e6) + " MB";
        });
    const std::string generated =
        (std::filesystem::temp_directory_path() / ("outlay-bench-" + std::to_string(::getpid())))
            .string();
    const auto benchGenerated = [&](const char* name, void (*write)(std::ostream&)) {
        {
            std::ofstream file(generated, std::ios::binary);
            write(file);
        }
        const double megabytes = static_cast<double>(std::filesystem::file_size(generated)) / 1e6;
        printRow(name + (", " + core::plainNumber(std::round(10 * megabytes) / 10)) + " MB",
                 FewTimes, [&] { return importNote(generated); });
    };
    benchGenerated("models by name", writeModelMap);
    benchGenerated("models by provider", writeProviderList);
    benchGenerated("AWS offer file", writeOfferFile);
    std::filesystem::remove(generated);
    return 0;
}
