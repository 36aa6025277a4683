// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Hugging Face configs as texts, imported.
#pragma once

#include "core/base/json.h"
#include "core/model/import/huggingface.h"
#include "core/workload/parameters.h"

#include <QtGlobal>

namespace outlay::tests {

inline core::Result<core::Imported> import(const char* text)
{
    return core::importHuggingFace(*core::readJson(text));
}

/// A copy: what is imported is mostly a temporary.
inline core::TransformerDesign designOf(const core::Result<core::Imported>& imported)
{
    if (!imported)
        qFatal("%s", imported.error().sentence().c_str());
    return std::get<core::TransformerDesign>(imported->model.design);
}

inline qint64 countOf(const core::Result<core::Imported>& imported)
{
    return core::parametersOf(
        core::expand(core::Model{core::Convention::PyTorch, designOf(imported)}));
}

} // namespace outlay::tests
