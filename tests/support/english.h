// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The locale in which tests expect words and numbers.
#pragma once

#include "gui/view/display_locale.h"

#include <QLocale>

namespace outlay::tests {

inline const QLocale English(QLocale::English, QLocale::UnitedStates);
inline const gui::DisplayLocale Display{English};

} // namespace outlay::tests
