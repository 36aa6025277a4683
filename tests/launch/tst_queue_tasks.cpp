// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/queue.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <map>
#include <random>
#include <set>

using namespace outlay::core;

namespace {

std::vector<std::int64_t> take(QueueTasks& tasks, const std::vector<QueuedTask>& alive)
{
    const auto wanted = tasks.toSubmit(alive);
    tasks.setTried(wanted);
    return wanted;
}

} // namespace

class TestQueueTasks final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void listsAreRead()
    {
        const auto tasks = readQueue("3 PENDING Resources\n"
                                     "slurm_load_jobs error: nothing\n"
                                     "11 RUNNING None\n"
                                     "4 REQUEUED \n"
                                     "x RUNNING None\n"
                                     "121e18 RUNNING None\n"
                                     "5 PENDING (launch failed requeued held)\n\n");
        const std::vector<QueuedTask> expected{{3, false, "Resources"},
                                               {11, true, "None"},
                                               {4, false, ""},
                                               {5, false, "(launch failed requeued held)"}};
        QCOMPARE(tasks, expected);
    }

    void tasksHoldSeveralJobs()
    {
        QueueTasks tasks(10, 4);
        QCOMPARE(tasks.count(), 3);
        QCOMPARE(take(tasks, {}), (std::vector<std::int64_t>{0, 1, 2}));
        for (const std::int64_t job : {0, 1, 2, 3, 9})
            tasks.setDone(job);
        QCOMPARE(take(tasks, {{.number = 1}}), (std::vector<std::int64_t>{2}));
        tasks.setDone(8);
        QCOMPARE(take(tasks, {}), (std::vector<std::int64_t>{1}));
    }

    void hopelessTasksAreGivenUp()
    {
        QueueTasks tasks(2, 1);
        tasks.setDone(0);
        for (int i = 0; i < QueueTasks::MostTries; ++i) {
            QVERIFY(tasks.givenUp({}).empty());
            QCOMPARE(take(tasks, {}), (std::vector<std::int64_t>{1}));
        }
        QVERIFY(take(tasks, {}).empty());
        QVERIFY(tasks.givenUp({{.number = 1, .isRunning = true}}).empty());
        QCOMPARE(tasks.givenUp({}), (std::vector<std::int64_t>{1}));
    }

    // Against a queue that loses, ends and finishes tasks as it likes: none is ever submitted while it is alive or
    // done, and all are done in the end.
    void anyHistoryEndsWell()
    {
        std::mt19937 random(7);
        for (int history = 0; history < 500; ++history) {
            const std::int64_t jobs = 1 + static_cast<std::int64_t>(random() % 20);
            const std::int64_t each = 1 + static_cast<std::int64_t>(random() % 3);
            QueueTasks tasks(jobs, each);
            std::set<std::int64_t> alive;
            int losses = 0;
            for (int round = 0; round < 200 && !tasks.missingJobs().empty(); ++round) {
                std::vector<QueuedTask> seen;
                for (const std::int64_t task : alive)
                    seen.push_back({task, true, ""});
                for (const std::int64_t task : take(tasks, seen))
                    QVERIFY(alive.insert(task).second);
                for (const std::int64_t task : std::set<std::int64_t>(alive)) {
                    if (random() % 3 == 0)
                        continue;
                    const bool isLost = losses < 4 && random() % 4 == 0;
                    losses += isLost ? 1 : 0;
                    for (std::int64_t job = task * each;
                         !isLost && job < std::min(jobs, (task + 1) * each); ++job)
                        tasks.setDone(job);
                    alive.erase(task);
                }
            }
            QVERIFY(tasks.missingJobs().empty());
        }
    }

    void tasksAreNeitherShortNorFew_data()
    {
        QTest::addColumn<int>("jobs");
        QTest::addColumn<double>("seconds");
        QTest::addColumn<int>("atOnce");
        QTest::addColumn<int>("each");
        QTest::newRow("few") << 24 << 10.0 << 3 << 2;
        QTest::newRow("long ones") << 1000 << 120.0 << 8 << 1;
        QTest::newRow("many short ones") << 1000 << 1.0 << 8 << 15;
        QTest::newRow("more than an array holds") << 10000 << 120.0 << 8 << 10;
        QTest::newRow("one") << 1 << 10.0 << 1 << 1;
    }
    void tasksAreNeitherShortNorFew()
    {
        QFETCH(int, jobs);
        QFETCH(double, seconds);
        QFETCH(int, atOnce);
        QFETCH(int, each);
        QCOMPARE(jobsOfTask(jobs, seconds, atOnce), each);
    }
};

OUTLAY_TEST(TestQueueTasks)
#include "tst_queue_tasks.moc"
