// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/twinned.h"

#include <QApplication>

namespace outlay::gui {

void toggleForms(const QWidget& page)
{
    for (QWidget* at = QApplication::focusWidget(); at != nullptr; at = at->parentWidget()) {
        if (auto* drawn = qobject_cast<Twinned*>(at))
            return drawn->toggleForm();
    }
    for (Twinned* drawn : page.findChildren<Twinned*>())
        drawn->toggleForm();
}

} // namespace outlay::gui
