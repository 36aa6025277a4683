// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/hosts_text.h"

#include "core/base/text.h"
#include "gui/view/format.h"

#include <QStringList>

namespace outlay::gui {

QString launchText(const LaunchCounts& counts)
{
    QString text = QStringLiteral("%1 of %2 measured").arg(counts.measured).arg(counts.jobs);
    if (counts.failed > 0)
        text += QStringLiteral(", %1 failed").arg(counts.failed);
    if (counts.running > 0)
        text += QStringLiteral(", %1 running").arg(counts.running);
    if (counts.running == 0 && !counts.waitsFor.isEmpty())
        text += QStringLiteral(", the queue says: ") + counts.waitsFor;
    return text;
}

QString profileText(const core::Profile& profile, const QLocale& locale)
{
    QStringList parts;
    switch (profile.kind) {
    case core::ProfileKind::Local: parts.append(QStringLiteral("this machine")); break;
    case core::ProfileKind::Ssh:
        parts.append(QStringLiteral("ssh ") + toQString(core::printable(profile.address)));
        break;
    case core::ProfileKind::Queue:
        parts.append(profile.isRemote()
                         ? QStringLiteral("queue on ") + toQString(core::printable(profile.address))
                         : QStringLiteral("queue here"));
        break;
    }
    if (!profile.partition.empty())
        parts.append(QStringLiteral("partition ") + toQString(core::printable(profile.partition)));
    if (profile.atOnce)
        parts.append(QStringLiteral("%1 at once").arg(*profile.atOnce));
    if (profile.cores)
        parts.append(*profile.cores == 1 ? QStringLiteral("1 core each")
                                         : QStringLiteral("%1 cores each").arg(*profile.cores));
    if (profile.hourPriceUsd)
        parts.append(QStringLiteral("$%1 an hour").arg(locale.toString(*profile.hourPriceUsd)));
    return parts.join(QStringLiteral(", "));
}

QString machineText(const core::HostMachine& machine, const std::string& device,
                    const QLocale& locale)
{
    QStringList parts;
    if (!machine.processor.empty())
        parts.append(toQString(core::printable(machine.processor, 80)));
    parts.append(machine.cores == 1 ? QStringLiteral("1 core")
                                    : QStringLiteral("%1 cores").arg(machine.cores));
    constexpr double Gigabyte = 1e9;
    if (machine.memoryBytes > 0)
        parts.append(locale.toString(machine.memoryBytes / Gigabyte, 'f', 0) +
                     QStringLiteral(" GB"));
    const std::string& accelerator = core::isProcessor(machine) ? device : machine.device;
    if (accelerator == "cuda")
        parts.append(QStringLiteral("CUDA"));
    else if (!accelerator.empty() && accelerator != "cpu")
        parts.append(toQString(core::printable(accelerator, 60)));
    return parts.join(QStringLiteral(", "));
}

QString factsText(const core::HostFacts& facts, const QLocale& locale)
{
    QString text = machineText(facts.machine, facts.device, locale);
    if (facts.machine.load)
        text += QStringLiteral(", load ") + locale.toString(*facts.machine.load, 'f', 1);
    return text + QStringLiteral("; ") + workerText(facts);
}

QString deviceHint(const core::Profile& profile, const core::HostFacts& facts)
{
    if (profile.device || facts.device.empty() || facts.device == "cpu")
        return {};
    return QStringLiteral("it has an accelerator: \"device\": \"cuda\" in its profile has that "
                          "measured, not its processor");
}

QString workerText(const core::HostFacts& facts)
{
    QString text = toQString(core::printable(facts.build, 200));
    for (const std::string& missing : facts.missingWalls)
        text += QStringLiteral("; ") + toQString(core::printable(missing, 200));
    return text;
}

} // namespace outlay::gui
