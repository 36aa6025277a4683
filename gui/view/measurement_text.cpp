// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/measurement_text.h"

#include "core/base/units.h"
#include "gui/view/format.h"

#include <utility>

namespace outlay::gui {
namespace {

QString millisecondsText(double seconds, const QLocale& locale)
{
    constexpr double PerSecond = 1000;
    const int digits = seconds < 0.01 ? 3 : seconds < 1 ? 1 : 0;
    return locale.toString(PerSecond * seconds, 'f', digits) + QStringLiteral(" ms");
}

QString shareText(double share, const QLocale& locale)
{
    return locale.toString(core::PerCent * share, 'f', 1) + QStringLiteral(" %");
}

/// What a product's rate is of.
QString rateText(const core::HostMachine& machine)
{
    if (!machine.matrixPrecision)
        return QStringLiteral("on one thread");
    return QStringLiteral("in ") +
           toQString(core::PrecisionNames.at(static_cast<std::size_t>(*machine.matrixPrecision)));
}

QString machineText(const core::Measurement& m, const QLocale& locale)
{
    const QString processor = toQString(m.machine.processor);
    QString text =
        QStringLiteral("Machine: %1, %2 cores, %3, LibTorch %4, %5\n")
            .arg(core::isProcessor(m.machine)
                     ? processor
                     : toQString(m.machine.device) + QStringLiteral(" beside ") + processor,
                 locale.toString(qlonglong{m.machine.cores}), toQString(m.machine.blas),
                 toQString(m.machine.torch), threadsText(m.threads, locale));
    if (m.machine.matrixFlopsPerSecond && m.machine.memoryBytesPerSecond)
        text += QStringLiteral("  reaches %1 %2 in a large product, %3 in a long copy\n")
                    .arg(scaledText(*m.machine.matrixFlopsPerSecond, u"FLOP/s", locale),
                         rateText(m.machine),
                         scaledText(*m.machine.memoryBytesPerSecond, u"B/s", locale));
    if (m.machine.wholeFlopsPerSecond)
        text += QStringLiteral("  reaches %1 in that product on all threads\n")
                    .arg(scaledText(*m.machine.wholeFlopsPerSecond, u"FLOP/s", locale));
    if (!m.machine.system.empty())
        text += QStringLiteral("  %1%2\n")
                    .arg(toQString(m.machine.system),
                         m.machine.load ? QStringLiteral(", load %1 when it began")
                                              .arg(locale.toString(*m.machine.load, 'g', 2))
                                        : QString());
    return text;
}

QString memoryText(const core::TrainingMeasurement& t, const QLocale& locale)
{
    if (!t.peakBytes || !t.trainingPeakBytes)
        return QStringLiteral("  peak memory unavailable\n");
    return QStringLiteral("  peak memory %1, %2 of it for the training\n")
        .arg(scaledText(*t.peakBytes, u"B", locale),
             scaledText(*t.trainingPeakBytes, u"B", locale));
}

QString layersText(const std::vector<core::LayerTime>& layers, const QLocale& locale)
{
    if (layers.empty())
        return {};
    QString text = QStringLiteral("Layers, forward and backward:\n");
    for (const core::LayerTime& layer : layers)
        text += QStringLiteral("  %1: %2 and %3\n")
                    .arg(toQString(layer.name), millisecondsText(layer.forwardS, locale),
                         millisecondsText(layer.backwardS, locale));
    return text;
}

QString energyText(const std::optional<core::EnergyMeasurement>& energy, const QLocale& locale)
{
    if (!energy)
        return QStringLiteral(
            "Energy: unavailable, this machine has no counter that may be read\n");
    return QStringLiteral("Energy (%1): %2 while training, %3 idle, %4 a step\n")
        .arg(toQString(energy->source), scaledText(energy->trainingWatts, u"W", locale),
             scaledText(energy->idleWatts, u"W", locale),
             scaledText(energy->joulesPerStep, u"J", locale));
}

QString processesText(const std::optional<core::ProcessesMeasurement>& p, const QLocale& locale)
{
    if (!p)
        return {};
    QStringList hosts;
    for (const std::string& name : p->hosts)
        hosts.append(toQString(name));
    const QString who = hosts.isEmpty()
                            ? QStringLiteral("%1 processes, one thread each")
                                  .arg(locale.toString(qlonglong{p->processes}))
                            : hosts.join(QStringLiteral(", ")) + QStringLiteral(" together");
    return QStringLiteral("%1: a step takes %2, of it %3 to sum the gradients; alone %4\n  an "
                          "exchange takes %5 and %6\n")
        .arg(who, millisecondsText(p->stepS, locale), millisecondsText(p->exchangeS, locale),
             millisecondsText(p->aloneStepS, locale), millisecondsText(p->latencyS, locale),
             scaledText(p->bytesPerS, u"B/s", locale));
}

QString lengthsText(const std::vector<core::LengthTiming>& lengths, const QLocale& locale)
{
    if (lengths.empty())
        return {};
    QString text =
        QStringLiteral("One sequence forward and back, by the design and by its twin:\n");
    for (const core::LengthTiming& t : lengths) {
        const bool isTwin = t.subject == core::LengthSubject::Twin;
        text +=
            QStringLiteral("  %1, %2 tokens: %3\n")
                .arg(isTwin ? QStringLiteral("twin") : QStringLiteral("design"),
                     countText(static_cast<double>(t.tokens), locale),
                     t.isMeasured() ? millisecondsText(t.passS, locale) : toQString(t.unavailable));
    }
    return text;
}

QString variantText(const core::VariantMeasurement& v, const QLocale& locale)
{
    const QString name = QStringLiteral("    %1: ").arg(toQString(v.name));
    if (!v.isMeasured())
        return name + toQString(v.unavailable) + QLatin1Char('\n');
    QString text =
        name + QStringLiteral("%1 of the time (%2 to %3 in %4 rounds)")
                   .arg(locale.toString(v.ratio, 'f', 3), locale.toString(v.lowRatio, 'f', 3),
                        locale.toString(v.highRatio, 'f', 3), locale.toString(qlonglong{v.rounds}));
    if (v.peakBytes && v.plainPeakBytes)
        text += QStringLiteral(", %1 instead of %2%3")
                    .arg(scaledText(*v.peakBytes, u"B", locale),
                         scaledText(*v.plainPeakBytes, u"B", locale),
                         *v.plainPeakBytes > 0
                             ? QStringLiteral(" (%1 of it)")
                                   .arg(locale.toString(*v.peakBytes / *v.plainPeakBytes, 'f', 3))
                             : QString());
    if (v.difference)
        text += QStringLiteral("; differs by %1").arg(locale.toString(*v.difference, 'g', 2));
    return text + QStringLiteral(" (%1)\n").arg(toQString(v.proof));
}

QString variantsText(const std::vector<core::VariantMeasurement>& variants, const QLocale& locale)
{
    if (variants.empty())
        return {};
    QString text =
        QStringLiteral("Variants, against the plain way, and the memory they grow by:\n");
    std::string kind;
    for (const core::VariantMeasurement& variant : variants) {
        if (std::exchange(kind, variant.variant) != variant.variant)
            text +=
                QStringLiteral("  %1: %2\n").arg(toQString(kind), toQString(core::whatIs(kind)));
        text += variantText(variant, locale);
    }
    return text;
}

QString trainingText(const core::TrainingMeasurement& t, const QLocale& locale)
{
    return QStringLiteral("Training: a step takes %1 (median of %2, %3 to %4), %5\n"
                          "  forward %6, backward %7, optimizer %8\n"
                          "  %9 samples/s")
               .arg(millisecondsText(t.step.medianS, locale),
                    locale.toString(qlonglong{t.step.count}), millisecondsText(t.step.lowS, locale),
                    millisecondsText(t.step.highS, locale), toQString(core::name(t.step.verdict)),
                    shareText(t.forwardShare, locale), shareText(t.backwardShare, locale),
                    shareText(t.optimizerShare, locale), locale.toString(t.samplesPerS, 'g', 4)) +
           (t.tokensPerS ? QStringLiteral(", %1 tokens/s").arg(countText(*t.tokensPerS, locale))
                         : QString()) +
           QStringLiteral(", %1\n").arg(scaledText(t.flopsPerS, u"FLOP/s", locale)) +
           memoryText(t, locale);
}

QString inferenceText(const core::InferenceMeasurement& i, const QLocale& locale)
{
    if (i.count == 0)
        return QStringLiteral("Serving: unavailable, the design doesn't fit\n");
    constexpr double PerSecond = 1000;
    const auto ms = [&](double value) { return millisecondsText(value / PerSecond, locale); };
    QString text =
        QStringLiteral("Serving: one request takes %1 (p50 of %2), %3 (p95), %4 (p99)\n")
            .arg(ms(i.p50Ms), locale.toString(qlonglong{i.count}), ms(i.p95Ms), ms(i.p99Ms));
    for (const core::BatchThroughput& row : i.throughput)
        text += QStringLiteral("  batch %1: %2 samples/s\n")
                    .arg(locale.toString(qlonglong{row.batch}),
                         locale.toString(row.samplesPerS, 'g', 4));
    if (i.firstTokenMs && i.tokenMs)
        text += QStringLiteral("  first token after %1, then %2 a token\n")
                    .arg(ms(*i.firstTokenMs), ms(*i.tokenMs));
    for (const core::TokensTogether& row : i.together)
        text += QStringLiteral("  %1 at once: %2 tokens/s\n")
                    .arg(locale.toString(qlonglong{row.requests}),
                         locale.toString(row.tokensPerS, 'g', 4));
    return text;
}

} // namespace

QString makeMeasurementText(const core::Measurement& measurement, const QLocale& locale)
{
    QString text =
        machineText(measurement, locale) + trainingText(measurement.training, locale) +
        inferenceText(measurement.inference, locale) + layersText(measurement.layers, locale) +
        energyText(measurement.energy, locale) + processesText(measurement.processes, locale) +
        lengthsText(measurement.lengths, locale) + variantsText(measurement.variants, locale);
    for (const std::string& finding : measurement.findings)
        text += QStringLiteral("Note: ") + toQString(finding) + QLatin1Char('\n');
    return text;
}

QString threadsText(std::int64_t count, const QLocale& locale)
{
    return locale.toString(qlonglong{count}) +
           (count == 1 ? QStringLiteral(" thread") : QStringLiteral(" threads"));
}

} // namespace outlay::gui
