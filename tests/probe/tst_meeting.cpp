// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What workers tell one another by way of who started them, and the address that others reach this machine by.
#include "core/probe/host/meeting.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <array>
#include <fcntl.h>
#include <unistd.h>

using namespace outlay::core;
using namespace outlay::worker;
using namespace std::chrono_literals;

namespace {

/// The ends of a pipe, of which the writing one may be a file's.
struct Pipe {
    Pipe() { valid = ::pipe2(ends.data(), O_CLOEXEC) == 0; }
    std::array<int, 2> ends{};
    bool valid = false;
};

/// The next line that isn't a heartbeat.
std::string nextKept(int from)
{
    std::string line;
    for (char byte = 0; ::read(from, &byte, 1) == 1;) {
        if (byte != '\n') {
            line += byte;
            continue;
        }
        if (line.find("\"kept\"") != std::string::npos)
            return line;
        line.clear();
    }
    return {};
}

} // namespace

class TestMeeting : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup()
    {
        qunsetenv("OUTLAY_ADDRESS");
        qunsetenv("SSH_CONNECTION");
    }

    // Told as it is, asked for once, known from then on; what nobody tells is nothing after a while.
    void tellsAndAsks()
    {
        const Pipe in;
        const Pipe out;
        QVERIFY(in.valid && out.valid);
        // Who listens does so until the process ends, so what it listens with stays.
        static auto* const channel = new Channel(::fdopen(out.ends[1], "w"));
        channel->listen(in.ends[0]);
        Meeting meeting(*channel);
        const std::string bytes("\0\n\xff\"", 4);
        meeting.tell("place/0", bytes);
        const auto told = readMessage(nextKept(out.ends[0]));
        QVERIFY(told && std::get<Kept>(*told) == (Kept{"place/0", bytes}));
        QVERIFY(!meeting.ask("place/1", 50ms));
        const auto asked = readMessage(nextKept(out.ends[0]));
        QVERIFY(asked && std::get<Kept>(*asked) == (Kept{"place/1", {}}));
        const std::string answer =
            "nonsense\n" + toLine(Kept{"place/2", {}}) + toLine(Kept{"place/1", bytes});
        QCOMPARE(::write(in.ends[1], answer.data(), answer.size()), ssize_t(answer.size()));
        QCOMPARE(meeting.ask("place/1", 10s), std::optional(bytes));
        QCOMPARE(meeting.ask("place/1", 0ms), std::optional(bytes));
    }

    void theAddressIsOneForOthers()
    {
        qputenv("SSH_CONNECTION", "10.1.2.3 50000 10.1.2.4 22");
        QCOMPARE(ownAddress(), std::string("10.1.2.4"));
        qputenv("OUTLAY_ADDRESS", "192.168.7.7");
        QCOMPARE(ownAddress(), std::string("192.168.7.7"));
        qunsetenv("OUTLAY_ADDRESS");
        qunsetenv("SSH_CONNECTION");
        const std::string own = ownAddress();
        QVERIFY(!own.empty() && own.find_first_not_of("0123456789.") == std::string::npos);
        // A tunnel's end, another version of the protocol, and nonsense say nothing.
        for (const char* useless :
             {"127.0.0.1 50000 127.0.0.1 22", "fe80::1 50000 fe80::2 22", "somewhere", ""}) {
            qputenv("SSH_CONNECTION", useless);
            QCOMPARE(ownAddress(), own);
        }
    }
};

OUTLAY_TEST(TestMeeting)
#include "tst_meeting.moc"
