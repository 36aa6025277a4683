// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The one `main` of every test program: PROGRAM [CLASS [options of QtTest...]]; without a class all of them.
#include "core/base/memory.h"
#include "tests/support/test_class.h"

#ifdef OUTLAY_TESTS_HAVE_WINDOWS
#include <QApplication>
#else
#include <QCoreApplication>
#endif
#include <QFileInfo>
#include <QProcess>
#include <QTest>

#include <cstdio>
#include <map>

namespace outlay::tests {
namespace {

#ifdef OUTLAY_TESTS_HAVE_WINDOWS
using Application = QApplication;
#else
using Application = QCoreApplication;
#endif

/// By the file's name without its ending. Made when the first class is added, before `main`.
std::map<QString, MakeTest>& classes()
{
    static std::map<QString, MakeTest> all;
    return all;
}

/// Each in a process of its own, as ctest does: what one leaves behind doesn't reach the next.
int runAll(const QStringList& arguments)
{
    int failed = 0;
    for (const auto& [name, make] : classes())
        failed +=
            QProcess::execute(arguments.first(), QStringList{name} + arguments.mid(1)) == 0 ? 0 : 1;
    return failed;
}

int run(QStringList arguments)
{
    if (arguments.size() < 2 || arguments.at(1).startsWith(QLatin1Char('-')))
        return runAll(arguments);
    const auto found = classes().find(arguments.takeAt(1));
    if (found != classes().end())
        return QTest::qExec(found->second().get(), arguments);
    std::fputs("there is no such class here; these are:\n", stderr);
    for (const auto& [name, make] : classes())
        std::fprintf(stderr, "  %s\n", qPrintable(name));
    return 2;
}

} // namespace

bool addTestClass(const char* file, MakeTest make)
{
    return classes().emplace(QFileInfo(QString::fromUtf8(file)).completeBaseName(), make).second;
}

} // namespace outlay::tests

int main(int argc, char** argv)
{
    outlay::core::keepFreedMemory(); // as the program does
    const outlay::tests::Application application(argc, argv);
    return outlay::tests::run(QCoreApplication::arguments());
}
