// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/report.h"

namespace outlay::pricing {

OUTLAY_VALUE_DEFAULTED(Report);
OUTLAY_VALUE_DEFAULTED(TrainingReport);
OUTLAY_VALUE_DEFAULTED(ServingReport);
OUTLAY_VALUE_DEFAULTED(Recommendation);

} // namespace outlay::pricing
