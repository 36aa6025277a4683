// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/launch/command_words.h"
#include "gui/session/launcher.h"
#include "tests/support/test_class.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace outlay::core;
namespace gui = outlay::gui;

namespace {

QString readProfileError(const char* text)
{
    const auto json = readJson(text);
    const auto profile = readProfile(*json, "x");
    return profile ? QString() : QString::fromStdString(profile.error().sentence());
}

bool hasWord(const Words& words, const std::string& word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

Profile queueProfile()
{
    Profile profile{.name = "lab", .kind = ProfileKind::Queue};
    profile.folder = "/shared/my sweeps";
    profile.worker = "/opt/outlay-probe";
    profile.environment = {"A=it's $HOME"};
    return profile;
}

} // namespace

class TestLaunchWords final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // A shell makes of a quoted word what it was.
    void quotedWordsSurviveAShell()
    {
        for (const std::string& word :
             {std::string("plain"), std::string("two words"), std::string("it's"),
              std::string("$HOME `ls` \\ \" ! * ~"), std::string("a\nb"), std::string(),
              std::string("'"), std::string("--option=a b")}) {
            QProcess shell;
            shell.start(QStringLiteral("sh"),
                        {QStringLiteral("-c"),
                         QString::fromStdString("printf %s " + quotedForShell(word))});
            QVERIFY(shell.waitForFinished());
            QCOMPARE(shell.readAllStandardOutput().toStdString(), word);
        }
    }

    void rangesAreShort_data()
    {
        QTest::addColumn<QList<int>>("numbers");
        QTest::addColumn<QString>("ranges");
        QTest::newRow("none") << QList<int>() << QString();
        QTest::newRow("one") << QList<int>{4} << "4";
        QTest::newRow("run") << QList<int>{0, 1, 2, 3} << "0-3";
        QTest::newRow("gaps") << QList<int>{3, 7, 8, 9, 11} << "3,7-9,11";
    }
    void rangesAreShort()
    {
        QFETCH(QList<int>, numbers);
        QFETCH(QString, ranges);
        const std::vector<std::int64_t> all(numbers.begin(), numbers.end());
        QCOMPARE(QString::fromStdString(rangesOf(all)), ranges);
    }

    void placesFollowTheCores()
    {
        const LaunchSite site{.cores = 8};
        Profile profile{.kind = ProfileKind::Local};
        QCOMPARE(slotsOf(profile, site).count, 1);
        QCOMPARE(slotsOf(profile, site).cores, 0);
        profile.cores = 3;
        QCOMPARE(slotsOf(profile, site).count, 2);
        profile.cores.reset();
        profile.atOnce = 4; // they share the cores: none measures the others
        QCOMPARE(slotsOf(profile, site).cores, 2);
        profile.kind = ProfileKind::Ssh;
        QCOMPARE(slotsOf(profile, site).cores, 0);
    }

    // Nothing of the desktop leaks into a job, and the worker takes the place of its shell.
    void slurmIsAskedRight()
    {
        Profile profile = queueProfile();
        profile.atOnce = 4;
        profile.partition = "gpu";
        profile.memoryGb = 2;
        profile.submitOptions = {"--gres=gpu:1"};
        const Words words = submitWords(profile, {},
                                        {.name = "outlay-1",
                                         .tasks = {0, 1, 2, 9},
                                         .manifest = "/shared/my sweeps/m.manifest",
                                         .each = 3});
        QCOMPARE(words.front(), std::string("sbatch"));
        QCOMPARE(words.back(), std::string("--gres=gpu:1")); // those of the person win
        for (const char* word : {"--array=0-2,9%4", "--partition=gpu", "--mem=2000", "--export=NIL",
                                 "--job-name=outlay-1"})
            QVERIFY2(hasWord(words, word), word);
        const auto wrap = std::find_if(words.begin(), words.end(), [](const std::string& word) {
            return word.starts_with("--wrap=");
        });
        QVERIFY(wrap != words.end());
        QVERIFY(wrap->starts_with("--wrap=exec '/usr/bin/env' "));
        QVERIFY(wrap->find("'A=it'\\''s $HOME'") != std::string::npos);
        QVERIFY(wrap->ends_with("--task $SLURM_ARRAY_TASK_ID"));
    }

    // Of an option that is given twice ssh takes the first.
    void optionsOfThePersonWin()
    {
        Profile profile{.name = "gpu", .kind = ProfileKind::Ssh};
        profile.address = "me@gpu";
        profile.sshOptions = {"-o", "ConnectTimeout=60"};
        const Words words = wordsOn(profile, {}, {"true"});
        const auto own = std::find(words.begin(), words.end(), "ConnectTimeout=60");
        QVERIFY(own < std::find(words.begin(), words.end(), "ConnectTimeout=10"));
        QCOMPARE(words[words.size() - 2], profile.address);
    }

    // A task gets as long as its jobs may need, whatever the profile says.
    void tasksGetTheirTime()
    {
        const auto minutesOf = [](std::int64_t least) {
            const Words words = submitWords(
                queueProfile(), {},
                {.name = "n", .tasks = {0}, .manifest = "/m", .each = 1, .leastMinutes = least});
            return hasWord(words, "--time=" + std::to_string(std::max<std::int64_t>(60, least)));
        };
        QVERIFY(minutesOf(5));
        QVERIFY(minutesOf(300));
    }

    void otherQueuesAreText()
    {
        Profile profile = queueProfile();
        profile.commands =
            QueueCommands{.submit = {"qsub", "-N", "{name}", "-J", "{tasks}", "--", "{command}"},
                          .list = {"qstat-lines", "{name}"},
                          .cancel = {}};
        QCOMPARE(listWords(profile, {}, "n1"), (Words{"qstat-lines", "n1"}));
        QCOMPARE(cancelWords(profile, {}, "n1").front(), std::string("scancel"));
        const Words submitted =
            submitWords(profile, {}, {.name = "n1", .tasks = {0, 1}, .manifest = "/m", .each = 1});
        QCOMPARE(submitted[2], std::string("n1"));
        QCOMPARE(submitted[4], std::string("0-1"));
        profile.address = "login";
        QCOMPARE(listWords(profile, {}, "n1").front(), std::string("ssh"));
        QCOMPARE(listWords(profile, {}, "n1").back(), std::string("exec 'qstat-lines' 'n1'"));
    }

    void badProfilesAreSentences_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("what");
        QTest::newRow("no kind") << QByteArray("{}") << "kind";
        QTest::newRow("another kind") << QByteArray("{\"kind\": \"cloud\"}") << "cloud";
        QTest::newRow("ssh to nowhere") << QByteArray("{\"kind\": \"ssh\"}") << "address";
        QTest::newRow("an option as address")
            << QByteArray("{\"kind\": \"ssh\", \"address\": \"-oProxyCommand=x\"}") << "no address";
        QTest::newRow("two words")
            << QByteArray("{\"kind\": \"ssh\", \"address\": \"a b\"}") << "no address";
        QTest::newRow("local far away")
            << QByteArray("{\"kind\": \"local\", \"address\": \"a\"}") << "no address";
        QTest::newRow("no shared folder") << QByteArray("{\"kind\": \"queue\"}") << "folder";
        QTest::newRow("folder of a home")
            << QByteArray("{\"kind\": \"queue\", \"folder\": \"~/x\"}") << "whole path";
        QTest::newRow("no variable")
            << QByteArray("{\"kind\": \"local\", \"environment\": [\"A B=1\"]}") << "NAME=VALUE";
        QTest::newRow("slip") << QByteArray("{\"kind\": \"local\", \"adress\": \"a\"}")
                              << "address";
        QTest::newRow("nobody's home")
            << QByteArray("{\"kind\": \"local\", \"worker\": \"~/outlay-probe\"}")
            << "'~' means nothing there";
        QTest::newRow("no places")
            << QByteArray("{\"kind\": \"local\", \"at_once\": 0}") << "at_once";
    }
    void badProfilesAreSentences()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, what);
        const QString sentence = readProfileError(text.constData());
        QVERIFY2(sentence.contains(what), qPrintable(sentence));
        QCOMPARE(sentence.count('\n'), 0);
    }

    void profilesAreFiles()
    {
        const QTemporaryDir home;
        const std::string folder = home.path().toStdString();
        Profile profile = queueProfile();
        profile.hourPriceUsd = 1.5;
        QVERIFY(saveProfile(profile, folder));
        QCOMPARE(*loadProfile("lab", folder), profile);
        QCOMPARE(*loadProfile(folder + "/lab.json", "/nowhere"), profile);
        const auto missing = loadProfile("lbb", folder);
        QVERIFY(!missing);
        QVERIFY(QString::fromStdString(missing.error().sentence()).contains("there are: lab"));
        QVERIFY(saveFile(folder + "/broken.json", "{"));
        const ProfileFolder all = loadProfiles(folder);
        QCOMPARE(all.profiles.size(), std::size_t{1});
        QCOMPARE(all.errors.size(), std::size_t{1});
    }

    // A profile says what is measured on there; without that the job does.
    void theProfileNamesTheDevice()
    {
        const auto profile =
            readProfile(*readJson(R"({"kind": "ssh", "address": "gpu", "device": "cuda"})"), "gpu");
        QVERIFY(profile.has_value());
        Job job;
        QCOMPARE(gui::jobOn(*profile, job).device, ProbeDevice::Cuda);
        job.device = ProbeDevice::Cuda;
        QCOMPARE(gui::jobOn(Profile{}, job).device, ProbeDevice::Cuda);
        QVERIFY(!readProfile(*readJson(R"({"kind": "local", "device": "tpu"})"), "x"));
        // Where an accelerator waits unused, the check says so.
        HostFacts facts{.device = "cuda"};
        QVERIFY(gui::deviceHint(*profile, facts).isEmpty());
        QVERIFY(gui::deviceHint(Profile{}, facts).contains(QStringLiteral("\"device\": \"cuda\"")));
        facts.device = "cpu";
        QVERIFY(gui::deviceHint(Profile{}, facts).isEmpty());
    }
};

OUTLAY_TEST(TestLaunchWords)
#include "tst_launch_words.moc"
