// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// One function for each kind of variant: it adds rows, measured or saying why not.
#pragma once

#include "core/probe/worker/variants/row.h"

namespace outlay::worker {

void addBatches(const Context& c, Rows& rows);
void addThreads(const Context& c, Rows& rows);
void addKeptMemory(const Context& c, Rows& rows);
void addAccumulation(const Context& c, Rows& rows);
void addCheckpointing(const Context& c, Rows& rows);
void addBf16(const Context& c, Rows& rows);
void addInt8(const Context& c, Rows& rows);
void addForms(const Context& c, Rows& rows);
void addComposedEngine(const Context& c, Rows& rows);
void addBuckets(const Context& c, Rows& rows);
void addFullPrefix(const Context& c, Rows& rows);
void addStepwiseFused(const Context& c, Rows& rows);

} // namespace outlay::worker
