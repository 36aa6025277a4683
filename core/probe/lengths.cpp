// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/lengths.h"

namespace outlay::core {

void describe(FieldVisitor& v, LengthTiming& t)
{
    v.choice(Field{"of", "of which design"}, t.subject, LengthSubjectNames);
    v.integer({"tokens", "tokens of the sequence"}, t.tokens);
    v.number({"pass_s", "a pass forward and back"}, t.passS);
    v.integer({"count", "number of passes"}, t.count);
    v.number({"growth_bytes", "growth of the process"}, t.growthBytes);
    v.text({"unavailable", "why it wasn't measured"}, t.unavailable);
}

} // namespace outlay::core
