// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace outlay::core {

/// A file that meets a quota is an error that is told, and no end of the program. Programs that it starts aren't
/// touched by that.
void surviveSizeLimit();

} // namespace outlay::core
