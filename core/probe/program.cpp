// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/program.h"

namespace outlay::core {

void describe(FieldVisitor& v, ProgramMeasurement& p)
{
    v.text({"command", "the program and its arguments"}, p.command);
    v.text({"source", "what told its steps"}, p.source);
    v.flag({"whole", "it ran to its end"}, p.isWhole);
    v.number({"seconds", "time that it was watched"}, p.seconds);
    v.number({"done_steps", "steps that were done"}, p.doneSteps);
    v.number({"of_steps", "steps of the whole run"}, p.ofSteps);
    v.number({"start_s", "time before the first step"}, p.startS);
    v.number({"paused_s", "time between steps"}, p.pausedS);
    v.integer({"pauses", "pauses between steps"}, p.pauses);
    v.number({"whole_s", "time of the whole run"}, p.wholeS);
    v.number({"low_s", "lower end of its 80 % interval"}, p.lowS);
    v.number({"high_s", "upper end of its 80 % interval"}, p.highS);
    v.number({"processor_s", "processor time"}, p.processorS);
    v.number({"idle_share", "share of its time with no core at work for it", 0, 1}, p.idleShare);
    v.number({"peak_bytes", "peak memory of all its processes"}, p.peakBytes);
    v.number({"read_bytes", "bytes read from disks"}, p.readBytes);
    v.number({"written_bytes", "bytes written to disks"}, p.writtenBytes);
    v.integer({"processes", "processes at most at once"}, p.processes);
    v.integer({"threads", "threads at most at once"}, p.threads);
}

} // namespace outlay::core
