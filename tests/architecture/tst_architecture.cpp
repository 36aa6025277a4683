// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The arrows between rooms: every #include of the program is read, and one that turns back fails.
#include "tests/support/sources.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QDirIterator>
#include <QRegularExpression>
#include <QTest>

namespace {

struct Include {
    QString file;
    int line = 0;
    QString name;
    bool isSystem = false;
};

/// What a room may include of ours, and which outside libraries; the longest matching folder rules.
struct Room {
    QString folder;
    QStringList ours;    // rooms
    QStringList outside; // prefixes of system headers that are not the standard library's
};

const QString Qt = QStringLiteral("Q");
const QString Torch = QStringLiteral("torch/");
const QString Expected = QStringLiteral("tl/");

const QString Base = QStringLiteral("core/base/");
const QString Model = QStringLiteral("core/model/");
const QString Work = QStringLiteral("core/workload/");
const QString Settings = QStringLiteral("core/settings/");
const QString Experiment = QStringLiteral("core/experiment/");
const QString Probe = QStringLiteral("core/probe/");
const QString Engine = QStringLiteral("core/probe/engine/");
const QString Host = QStringLiteral("core/probe/host/");
const QString Worker = QStringLiteral("core/probe/worker/");
const QString Network = QStringLiteral("core/probe/worker/network/");
const QString Measure = QStringLiteral("core/probe/worker/measure/");
const QString Variants = QStringLiteral("core/probe/worker/variants/");
const QString Program = QStringLiteral("core/program/");
const QString Launch = QStringLiteral("core/launch/");
const QString Hardware = QStringLiteral("core/hardware/");
const QString Service = QStringLiteral("core/service/");
const QString Carbon = QStringLiteral("core/carbon/");
const QString Pricing = QStringLiteral("pricing/");
const QString Report = QStringLiteral("pricing/report/");
const QString Here = QStringLiteral("pricing/report/here/");
const QString Offers = QStringLiteral("pricing/report/offers/");
const QString Growth = QStringLiteral("pricing/report/growth/");
const QString Judge = QStringLiteral("pricing/report/judge/");
const QString Advice = QStringLiteral("pricing/report/advice/");
const QString Compare = QStringLiteral("pricing/report/compare/");
const QString JsonRoom = QStringLiteral("pricing/report/json/");
const QString Imports = QStringLiteral("pricing/import/");
const QString Exports = QStringLiteral("pricing/export/");
const QString Applications = QStringLiteral("pricing/application/");
const QString Actuals = QStringLiteral("pricing/actual/");
const QString View = QStringLiteral("gui/view/");
const QString Session = QStringLiteral("gui/session/");
const QString Style = QStringLiteral("gui/style/");
const QString Widgets = QStringLiteral("gui/widgets/");
const QString Panels = QStringLiteral("gui/panels/");
const QString Pictures = QStringLiteral("gui/export/");
const QString Window = QStringLiteral("gui/window/");
const QString Commands = QStringLiteral("gui/commands/");
const QStringList WithTorch{Torch, QStringLiteral("ATen/"), QStringLiteral("c10/")};
const QStringList Facts{Base,    Model,  Settings, Work,    Experiment, Probe,
                        Program, Launch, Hardware, Service, Carbon};
const QStringList Figures = Facts + QStringList{Pricing, Report};

QList<Room> roomsOfCore()
{
    return {
        {Base, {Base}, {Expected}},
        {Model, {Base, Model}, {}},
        {Settings, {Base, Settings}, {}},
        {Work, {Base, Model, Settings, Work}, {}},
        {Experiment, {Base, Model, Settings, Work, Probe, Experiment}, {}},
        {Probe, {Base, Model, Settings, Work, Probe}, {}},
        {Hardware, {Base, Model, Settings, Work, Probe, Hardware}, {}},
        {Service, {Base, Model, Settings, Work, Probe, Hardware, Service}, {}},
        {Carbon, {Base, Settings, Carbon}, {}},
        {Engine, {Base, Model, Engine}, {}},
        {Host,
         {Base, Probe, Host},
         {QStringLiteral("sys/"), QStringLiteral("poll.h"), QStringLiteral("link.h"),
          QStringLiteral("linux/"), QStringLiteral("net/if.h"), QStringLiteral("netinet/in.h"),
          QStringLiteral("arpa/inet.h"), QStringLiteral("ifaddrs.h")}},
        {Launch, {Base, Launch}, {}},
        {Program,
         {Base, Model, Settings, Work, Probe, Host, Program},
         {QStringLiteral("sys/"), QStringLiteral("poll.h"), QStringLiteral("termios.h")}},
        {Network, {Base, Model, Settings, Probe, Engine, Network}, WithTorch},
        {Measure, {Base, Model, Settings, Work, Probe, Host, Network, Measure}, WithTorch},
        {Variants,
         {Base, Model, Settings, Work, Probe, Engine, Host, Network, Measure, Variants},
         WithTorch},
        {Worker,
         {Base, Model, Settings, Work, Probe, Host, Program, Network, Measure, Variants, Worker},
         WithTorch},
    };
}

QList<Room> roomsOfPricing()
{
    return {
        {Pricing, Facts + QStringList{Pricing}, {}},
        {Imports, Facts + QStringList{Pricing, Imports}, {QStringLiteral("zlib.h")}},
        {Report, Figures, {}},
        {Here, Figures + QStringList{Here}, {}},
        {Offers, Figures + QStringList{Here, Offers}, {}},
        {Growth, Figures + QStringList{Here, Offers, Growth}, {}},
        {Judge, Figures + QStringList{Here, Offers, Judge}, {}},
        {Advice, Figures + QStringList{Here, Offers, Judge, Advice}, {}},
        {Compare, Figures + QStringList{Here, Offers, Judge, Compare}, {}},
        {JsonRoom, Figures + QStringList{Here, Offers, JsonRoom}, {}},
        {Applications, Figures + QStringList{Here, Offers, Growth, Applications}, {}},
        {Exports,
         Figures + QStringList{Here, Offers, Compare, JsonRoom, Applications, Exports},
         {}},
        {Actuals, Figures + QStringList{Imports, Actuals}, {}},
    };
}

QList<Room> roomsOfWindow()
{
    const QStringList all =
        Figures + QStringList{Here,     Offers,  Growth,  Judge,   Advice,      Compare,
                              JsonRoom, Imports, Exports, Actuals, Applications};
    return {
        {View, all + QStringList{View}, {QStringLiteral("QLocale"), QStringLiteral("QString")}},
        {Session, all + QStringList{View, Session}, {Qt}},
        {Style, {Base, Style}, {Qt}},
        {Widgets, all + QStringList{View, Style, Widgets}, {Qt}},
        {Panels, all + QStringList{View, Style, Widgets, Panels}, {Qt}},
        {Pictures, all + QStringList{View, Style, Widgets, Panels, Pictures}, {Qt}},
        {Window, all + QStringList{View, Session, Style, Widgets, Panels, Pictures, Window}, {Qt}},
        {Commands, all + QStringList{View, Session, Style, Pictures, Commands}, {Qt}},
        {QStringLiteral("gui/"), {Base, Window, Commands}, {Qt}},
    };
}

QList<Room> rooms()
{
    return roomsOfCore() + roomsOfPricing() + roomsOfWindow();
}

const QList<Include>& includesOf(const QString& folder)
{
    static QHash<QString, QList<Include>> cache;
    QList<Include>& found = cache[folder];
    if (!found.isEmpty())
        return found;
    static const QRegularExpression Pattern(
        QStringLiteral("^\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"]"));
    const QString root = QStringLiteral(OUTLAY_SOURCE_DIR "/");
    QDirIterator files(root + folder,
                       {QStringLiteral("*.h"), QStringLiteral("*.cpp"), QStringLiteral("*.h.in")},
                       QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly))
            qFatal("a source file can't be read");
        int number = 0;
        for (const QByteArray& line : file.readAll().split('\n')) {
            ++number;
            const auto match = Pattern.match(QString::fromUtf8(line));
            if (match.hasMatch())
                found.append({file.fileName().mid(root.size()), number, match.captured(2),
                              match.captured(1) == QLatin1String("<")});
        }
    }
    return found;
}

bool startsWithOneOf(const QString& text, const QStringList& prefixes)
{
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](const QString& prefix) { return text.startsWith(prefix); });
}

/// Headers of the standard library and of POSIX.
bool isStandard(const QString& name)
{
    static const QStringList Posix{QStringLiteral("fcntl.h"),    QStringLiteral("sys/stat.h"),
                                   QStringLiteral("sys/file.h"), QStringLiteral("unistd.h"),
                                   QStringLiteral("dlfcn.h"),    QStringLiteral("malloc.h"),
                                   QStringLiteral("pwd.h"),      QStringLiteral("sched.h"),
                                   QStringLiteral("spawn.h"),    QStringLiteral("sys/prctl.h"),
                                   QStringLiteral("sys/wait.h"), QStringLiteral("sys/utsname.h")};
    return Posix.contains(name) || (!name.contains(QLatin1Char('/')) &&
                                    !name.contains(QLatin1Char('.')) && name.at(0).isLower());
}

const Room* roomOf(const QList<Room>& all, const QString& file)
{
    const Room* best = nullptr;
    for (const Room& room : all) {
        if (file.startsWith(room.folder) &&
            (best == nullptr || room.folder.size() > best->folder.size()))
            best = &room;
    }
    return best;
}

bool isAllowed(const QList<Room>& all, const Room& room, const Include& include)
{
    // The one border to nlohmann_json.
    if (include.name.startsWith(QLatin1String("nlohmann/")))
        return include.file == QLatin1String("core/base/json_read.cpp");
    if (!include.isSystem) {
        const Room* target = roomOf(all, include.name);
        return target != nullptr && room.ours.contains(target->folder);
    }
    return isStandard(include.name) || startsWithOneOf(include.name, room.outside);
}

using FolderArrows = QMap<QString, QSet<QString>>;

QString folderOf(const QString& file)
{
    return file.left(file.lastIndexOf(QLatin1Char('/')));
}

/// Folders without arrows to others that remain are taken away until none is left, or only those of a loop and
/// what leads to it.
QStringList loopIn(FolderArrows arrows)
{
    for (auto it = arrows.begin(); it != arrows.end(); ++it)
        it->remove(it.key());
    bool isSmaller = true;
    while (isSmaller) {
        isSmaller = false;
        for (const QString& folder : arrows.keys()) {
            QSet<QString> left = arrows.value(folder);
            left.removeIf([&](const QString& to) { return !arrows.contains(to); });
            if (!left.isEmpty())
                continue;
            arrows.remove(folder);
            isSmaller = true;
        }
    }
    return arrows.keys();
}

/// "outlay::core::Json" for each type that a file defines for others, by what clang-format makes of it: at the begin of
/// a line, outside of a namespace without a name.
QStringList typesOf(const QString& text)
{
    static const QRegularExpression Space(QStringLiteral("^namespace ([\\w:]+) \\{"));
    static const QRegularExpression Type(
        QStringLiteral("^(?:struct|class|union|enum(?: class)?) (\\w+)(?: final)?(?: :[^;]*)?"
                       "(?: \\{|$)"));
    QStringList types;
    QString space;
    bool isOwn = false;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        if (const auto named = Space.match(line); named.hasMatch())
            space = named.captured(1);
        else if (line == QLatin1String("namespace {"))
            isOwn = true;
        else if (line == QLatin1String("} // namespace"))
            isOwn = false;
        else if (const auto type = Type.match(line); type.hasMatch() && !isOwn)
            types.append(space + QStringLiteral("::") + type.captured(1));
    }
    return types;
}

} // namespace

class TestArchitecture : public QObject {
    Q_OBJECT
private slots:
    void arrowsNeverTurnBack()
    {
        const QList<Room> all = rooms();
        int seen = 0;
        for (const QString& top :
             {QStringLiteral("core"), QStringLiteral("pricing"), QStringLiteral("gui")}) {
            for (const Include& include : includesOf(top)) {
                const Room* room = roomOf(all, include.file);
                QVERIFY2(room != nullptr,
                         qPrintable(include.file + QStringLiteral(" is in no room")));
                QVERIFY2(isAllowed(all, *room, include),
                         qPrintable(QStringLiteral("%1:%2 includes %3")
                                        .arg(include.file)
                                        .arg(include.line)
                                        .arg(include.name)));
                ++seen;
            }
        }
        QVERIFY(seen > 100);
    }

    // The rules themselves: each of these includes would be a turn back.
    void turnsAreRecognised_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isSystem");
        QTest::newRow("base to model") << "core/base/a.h"
                                       << "core/model/layer.h" << false;
        QTest::newRow("model to work") << "core/model/a.h"
                                       << "core/workload/work.h" << false;
        QTest::newRow("work to experiment") << "core/workload/a.h"
                                            << "core/experiment/experiment.h" << false;
        QTest::newRow("core to pricing") << "core/workload/a.h"
                                         << "pricing/report/report.h" << false;
        QTest::newRow("core to Qt") << "core/workload/a.h"
                                    << "QString" << true;
        QTest::newRow("core to Torch") << "core/workload/a.h"
                                       << "torch/torch.h" << true;
        QTest::newRow("probe to Torch") << "core/probe/a.h"
                                        << "torch/torch.h" << true;
        QTest::newRow("probe to worker") << "core/probe/a.h"
                                         << "core/probe/worker/network/network.h" << false;
        QTest::newRow("probe to experiment") << "core/probe/a.h"
                                             << "core/experiment/experiment.h" << false;
        QTest::newRow("worker to experiment") << "core/probe/worker/a.h"
                                              << "core/experiment/experiment.h" << false;
        QTest::newRow("core to nlohmann") << "core/model/a.cpp"
                                          << "nlohmann/json.hpp" << true;
        QTest::newRow("prices to the Report") << "pricing/a.h"
                                              << "pricing/report/report.h" << false;
        QTest::newRow("the Report to its rooms") << "pricing/report/a.cpp"
                                                 << "pricing/report/offers/recommend.h" << false;
        QTest::newRow("here to offers") << "pricing/report/here/a.cpp"
                                        << "pricing/report/offers/recommend.h" << false;
        QTest::newRow("offers to judge") << "pricing/report/offers/a.cpp"
                                         << "pricing/report/judge/risks.h" << false;
        QTest::newRow("imports to the Report") << "pricing/import/a.cpp"
                                               << "pricing/report/report.h" << false;
        QTest::newRow("pricing to gui") << "pricing/a.h"
                                        << "gui/view/format.h" << false;
        QTest::newRow("view to widgets") << "gui/view/a.h"
                                         << "QWidget" << true;
        QTest::newRow("view to commands") << "gui/view/a.h"
                                          << "gui/commands/command.h" << false;
        QTest::newRow("engine to Torch") << "core/probe/engine/a.cpp"
                                         << "torch/torch.h" << true;
        QTest::newRow("engine to worker") << "core/probe/engine/a.cpp"
                                          << "core/probe/worker/network/network.h" << false;
        QTest::newRow("network to measure") << "core/probe/worker/network/a.cpp"
                                            << "core/probe/worker/measure/measure.h" << false;
        QTest::newRow("pricing to engine") << "pricing/a.cpp"
                                           << "core/probe/engine/gemm.h" << false;
        QTest::newRow("session to widgets") << "gui/session/a.cpp"
                                            << "gui/widgets/chart.h" << false;
        QTest::newRow("session to commands") << "gui/session/a.cpp"
                                             << "gui/commands/command.h" << false;
        QTest::newRow("panels to window") << "gui/panels/a.cpp"
                                          << "gui/window/main_window.h" << false;
        QTest::newRow("gui to Torch") << "gui/a.cpp"
                                      << "torch/torch.h" << true;
    }
    void turnsAreRecognised()
    {
        QFETCH(QString, file);
        QFETCH(QString, name);
        QFETCH(bool, isSystem);
        const QList<Room> all = rooms();
        const Room* room = roomOf(all, file);
        QVERIFY(room != nullptr);
        QVERIFY(!isAllowed(all, *room, {file, 1, name, isSystem}));
    }

    // Folders whose files include each other's, over however many others.
    void foldersMakeNoLoop()
    {
        FolderArrows arrows;
        for (const char* top : {"core", "pricing", "gui"}) {
            for (const Include& include : includesOf(QLatin1String(top))) {
                if (!include.isSystem)
                    arrows[folderOf(include.file)].insert(folderOf(include.name));
            }
        }
        QVERIFY(arrows.size() > 20);
        QCOMPARE(loopIn(arrows), QStringList());
    }

    void loopsAreFound()
    {
        const FolderArrows tree{{QStringLiteral("a"), {QStringLiteral("b"), QStringLiteral("a")}},
                                {QStringLiteral("b"), {QStringLiteral("c")}}};
        QCOMPARE(loopIn(tree), QStringList());
        FolderArrows loop = tree;
        loop[QStringLiteral("c")].insert(QStringLiteral("a"));
        QCOMPARE(loopIn(loop).size(), 3);
    }

    // Qt Charts behind one file, and the look behind another.
    void theWindowKeepsItsBorders()
    {
        static const QRegularExpression Charts(
            QStringLiteral("^(QChart|QBar|QHorizontalBar|QLineSeries|QPie|QScatter|QValueAxis|"
                           "QLogValueAxis|QtCharts)"));
        static const QRegularExpression Colour(
            QStringLiteral("#[0-9A-Fa-f]{6}|0x[0-9A-Fa-f]{6}\\b"));
        static const QRegularExpression Waiting(
            QStringLiteral("waitFor|processEvents|QEventLoop|\\.exec\\(\\)|->exec\\(\\)"));
        int charts = 0;
        for (const Include& include : includesOf(QStringLiteral("gui"))) {
            if (!Charts.match(include.name).hasMatch())
                continue;
            QCOMPARE(include.file, QStringLiteral("gui/widgets/chart_canvas.cpp"));
            ++charts;
        }
        QVERIFY(charts > 5);
        QDirIterator files(QStringLiteral(OUTLAY_SOURCE_DIR "/gui"),
                           {QStringLiteral("*.h"), QStringLiteral("*.cpp")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString text = QString::fromUtf8(file.readAll());
            const QByteArray name = file.fileName().toUtf8();
            QVERIFY2(name.endsWith("/style/tokens.cpp") || !Colour.match(text).hasMatch(), name);
            QVERIFY2(!Waiting.match(text).hasMatch(), name);
        }
    }

    // Panels assign what views have worked out.
    void panelsComputeNothing()
    {
        static const QRegularExpression Computing(
            QStringLiteral(" [-+*/%] |std::(min|max|clamp|round|abs)|[-+*/]= "));
        const QDir folder(QStringLiteral(OUTLAY_SOURCE_DIR "/gui/panels"));
        const QStringList names = folder.entryList({QStringLiteral("*_panel.cpp")});
        QVERIFY(names.size() > 10);
        for (const QString& name : names) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
                if (!line.trimmed().startsWith(QStringLiteral("//")))
                    QVERIFY2(!Computing.match(line).hasMatch(), qPrintable(name + ": " + line));
            }
        }
    }

    // Two types of one name are one to the linker: it takes the destructor of either for both.
    void aNameIsOneType()
    {
        QMap<QString, QString> seen;
        for (const QString& name : outlay::tests::sourceFiles()) {
            QFile file(name);
            QVERIFY(file.open(QIODevice::ReadOnly));
            for (const QString& type : typesOf(QString::fromUtf8(file.readAll()))) {
                QVERIFY2(!seen.contains(type),
                         qPrintable(type + QStringLiteral(" is in ") + seen.value(type) +
                                    QStringLiteral(" and in ") + name));
                seen.insert(type, name);
            }
        }
        QVERIFY(seen.size() > 300);
        QVERIFY(seen.contains(QStringLiteral("outlay::pricing::GoalProposal")));
    }

    void typesAreFound()
    {
        const QString text = QStringLiteral(
            "namespace outlay::a {\nstruct One {\n    struct Inner {};\n};\nclass Two : public One "
            "{\n};\n"
            "class Later;\nenum class Three { X };\nnamespace {\nstruct Own {\n};\n} // namespace\n"
            "struct Four final : One {\n};\n} // namespace outlay::a\n");
        QCOMPARE(
            typesOf(text),
            (QStringList{QStringLiteral("outlay::a::One"), QStringLiteral("outlay::a::Two"),
                         QStringLiteral("outlay::a::Three"), QStringLiteral("outlay::a::Four")}));
    }

    void filesAreShort()
    {
        constexpr qsizetype MostLines = 500;
        int seen = 0;
        QDirIterator files(QStringLiteral(OUTLAY_SOURCE_DIR),
                           {QStringLiteral("*.h"), QStringLiteral("*.cpp")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.fileName().startsWith(QStringLiteral(OUTLAY_SOURCE_DIR "/build/")))
                continue;
            ++seen;
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(file.readAll().count('\n') <= MostLines, qPrintable(file.fileName()));
        }
        QVERIFY(seen > 100);
    }
};

OUTLAY_TEST(TestArchitecture)
#include "tst_architecture.moc"
