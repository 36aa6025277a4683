// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The QtTest classes of a program, each run by its file's name: `test_model tst_keras`.
#pragma once

#include <QObject>

#include <memory>

namespace outlay::tests {

using MakeTest = std::unique_ptr<QObject> (*)();

/// True, so that a file can add its class before `main` begins.
bool addTestClass(const char* file, MakeTest make);

/// How much longer everything takes where a sanitizer watches.
#ifdef OUTLAY_SANITIZED
inline constexpr int Slower = 8;
#else
inline constexpr int Slower = 1;
#endif

} // namespace outlay::tests

/// Stands where a file of its own program would have QTEST_MAIN.
#define OUTLAY_TEST(Class)                                                                         \
    namespace {                                                                                    \
    [[maybe_unused]] const bool Class##IsAdded = outlay::tests::addTestClass(                      \
        __FILE__, [] { return std::unique_ptr<QObject>(std::make_unique<Class>()); });             \
    }
