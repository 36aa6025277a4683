// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Scores the calibration on the published runs of a folder; or fits what frameworks and engines add to kernels, sets
// the intervals by leaving sources and devices out, prints what is missed, and writes it.
#include "core/base/file.h"
#include "core/probe/statistics.h"
#include "tests/fit/picture.h"
#include "tests/fit/scoring.h"
#include "tests/fit/spreads.h"
#include "tests/support/predicted_cases.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

using namespace outlay;
using namespace outlay::tests;

namespace {

constexpr int Sweeps = 14;

std::vector<const Sample*> fittedOf(const std::vector<Sample>& samples)
{
    std::vector<const Sample*> fitted;
    for (const Sample& sample : samples) {
        if (sample.isFitted())
            fitted.push_back(&sample);
    }
    return fitted;
}

struct Score {
    std::vector<double> errors;
    std::vector<double> misses; // in the natural logarithm, with their signs
    double held = 0;
    double weight = 0;
    double weightHeld = 0;

    void add(const core::Quantity& forecast, double truth, double itsWeight)
    {
        errors.push_back(std::abs(forecast.value() / truth - 1));
        misses.push_back(std::log(forecast.value() / truth));
        weight += itsWeight;
        if (forecast.low() <= truth && truth <= forecast.high()) {
            held += 1;
            weightHeld += itsWeight;
        }
    }

    void print(const std::string& name)
    {
        std::sort(errors.begin(), errors.end());
        const auto at = [&](double share) {
            return 100 *
                   errors[static_cast<std::size_t>(share * static_cast<double>(errors.size() - 1))];
        };
        std::printf("%-52s %5zu %8.1f %8.1f %8.1f %8.1f %8.1f\n", name.c_str(), errors.size(),
                    at(0.5), at(0.9), 100 * (std::exp(core::median(misses)) - 1),
                    100 * held / static_cast<double>(errors.size()), 100 * weightHeld / weight);
    }
};

std::string engineOf(const Sample& sample)
{
    const auto engine = static_cast<std::size_t>(sample.demand.serving->engine);
    return std::string(core::EngineTitles.at(engine));
}

void printErrors(const std::vector<Sample>& samples, const core::Calibration& calibration)
{
    std::map<std::string, Score> scores;
    for (const Sample& sample : samples) {
        const core::Quantity q =
            forecastOf(sample.truth, sample.demand,
                       tests::devicesOf(sample.truth, *sample.device, calibration));
        const double seconds = sample.truth.seconds;
        const std::string set = sample.truth.isSetAside() ? "aside: " : "fitted: ";
        const std::string kind(GroupNames.at(static_cast<std::size_t>(sample.group)));
        const std::string seen =
            isSeen(sample, calibration.spreads) ? ", device seen" : ", device unseen";
        std::vector<std::string> keys{set + kind + ", all rows"};
        if (sample.truth.doubt.empty()) {
            keys.push_back(set + kind + ", clean");
            keys.push_back(set + kind + ", clean" + seen);
            keys.push_back(set + kind + ", clean, " + sample.truth.group);
            keys.push_back(set + kind + ", clean, on " + sample.device->generation);
        }
        if (sample.truth.doubt.empty() && sample.group == Group::Token)
            keys.push_back(set + engineOf(sample) + " on " + sample.device->name);
        if (sample.truth.watts > 0) {
            const core::Quantity watts = powerOf(sample.truth, *sample.device, calibration);
            scores["power while serving"].add(watts, sample.truth.watts, sample.weight);
        }
        for (const std::string& key : keys)
            scores[key].add(q, seconds, sample.weight);
    }
    // Last as intervals are set: rows that a source has of a device count by their root, for they repeat each other nearly.
    std::printf("\n%-52s %5s %8s %8s %8s %8s %8s\n", "errors in %", "rows", "median", "p90", "bias",
                "held", "weighed");
    for (auto& [name, score] : scores)
        score.print(name);
}

void printDoubts(const std::vector<Sample>& samples)
{
    std::map<std::string, int> reasons;
    for (const Sample& sample : samples) {
        if (!sample.truth.doubt.empty())
            reasons[sample.truth.doubt + " (" + sample.truth.group + ")"] += 1;
    }
    std::puts("\nrows that are not clean");
    for (const auto& [reason, count] : reasons)
        std::printf("%5d  %s\n", count, reason.c_str());
}

/// Each, with what it was: for a closer look (OUTLAY_ROWS).
void printRows(const std::vector<Sample>& samples, const core::Calibration& calibration)
{
    for (const Sample& sample : samples) {
        const TruthCase& truth = sample.truth;
        const bool isServed = sample.demand.serving.has_value();
        const core::Serving& s = truth.serving;
        std::printf("%s\t%s\t%s\t%lld\t%s\t%lld\t%lld\t%lld\t%.4g\t%.3f\t%s\n",
                    std::string(GroupNames.at(static_cast<std::size_t>(sample.group))).c_str(),
                    isServed ? engineOf(sample).c_str() : truth.group.c_str(),
                    sample.device->name.c_str(), static_cast<long long>(truth.count),
                    truth.id.c_str(), static_cast<long long>(s.inputTokens),
                    static_cast<long long>(s.outputTokens), static_cast<long long>(batchOf(s)),
                    truth.seconds, std::exp(missOf(sample, calibration)), truth.doubt.c_str());
    }
}

std::string lineOf(const core::Json& json)
{
    return core::writeJson(json, core::JsonStyle::Compact);
}

/// One line for each member, and for each item of a list.
std::string fileOf(const core::Calibration& calibration)
{
    std::string text = "{";
    const core::Json json = core::fieldsOf(calibration);
    for (const core::JsonMember& member : *json.asObject()) {
        text += (text.size() > 1 ? ",\n\"" : "\n\"") + member.key + "\": ";
        const core::Json::Array* items = member.value.asArray();
        if (items == nullptr) {
            text += lineOf(member.value);
            continue;
        }
        text += "[";
        for (std::size_t i = 0; i < items->size(); ++i)
            text += (i == 0 ? "\n  " : ",\n  ") + lineOf((*items)[i]);
        text += "\n]";
    }
    return text + "\n}\n";
}

/// Of the folder, and of the tables that are tests' own.
core::Result<std::vector<TruthCase>> allCasesIn(const std::string& folder)
{
    auto cases = truthCasesIn(folder);
    for (auto& own : std::array{passCasesIn(OUTLAY_TEST_DATA "/onnx_runtime.csv"),
                                predictedCasesIn(OUTLAY_TEST_DATA)}) {
        if (!cases || !own)
            return cases ? own : cases;
        cases->insert(cases->end(), own->begin(), own->end());
    }
    return cases;
}

} // namespace

int main(int argc, char** argv)
{
    const bool draws = argc > 2 && std::string_view(argv[2]) == "--picture";
    if (argc < 2 || (draws && argc < 4)) {
        std::fputs("Usage: fit_calibration FOLDER [OUT [DATE]]\n"
                   "       fit_calibration FOLDER --picture SVG\n"
                   "Without OUT it scores the calibration of the program, or draws it.\n",
                   stderr);
        return 2;
    }
    auto cases = allCasesIn(argv[1]);
    const auto& catalog = core::hardwareCatalog();
    if (!cases) {
        std::fprintf(stderr, "%s\n", cases.error().sentence().c_str());
        return 1;
    }
    if (!catalog || !core::calibration()) {
        std::fputs("The program's own hardware or calibration can't be read.\n", stderr);
        return 1;
    }
    core::Calibration calibration = *core::calibration();
    const std::vector<Sample> samples = samplesOf(std::move(*cases), *catalog, calibration);
    if (draws) {
        const auto saved = core::saveFile(argv[3], pictureOf(samples, calibration));
        if (!saved)
            std::fprintf(stderr, "%s\n", saved.error().sentence().c_str());
        return saved ? 0 : 1;
    }
    const std::vector<const Sample*> fitted = fittedOf(samples);
    if (argc > 2) {
        reset(calibration);
        fit(calibration, fitted, Sweeps);
        printKnobs(knobsOf(calibration));
        for (core::EngineRates& rates : calibration.engines) {
            const auto name =
                std::find(core::EngineNames.begin(), core::EngineNames.end(), rates.engine);
            const auto engine = static_cast<core::Engine>(name - core::EngineNames.begin());
            if (!rates.device.empty())
                printKnobs(knobsOf(rates, calibration.ratesOf(engine), 1));
        }
        setSpreads(calibration, fitted);
    }
    if (std::getenv("OUTLAY_ROWS") != nullptr)
        printRows(samples, calibration);
    printErrors(samples, calibration);
    printDoubts(samples);
    if (argc > 3)
        calibration.asOf = argv[3];
    if (argc > 2 && !core::saveFile(argv[2], fileOf(calibration)))
        return 1;
    return 0;
}
