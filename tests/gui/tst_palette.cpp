// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The tokens can be read and told apart: contrast by WCAG 2, series by CIEDE2000 under normal sight and
// three full colour-blindness simulations (Machado, Oliveira and Fernandes 2009).
#include "gui/style/theme.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <array>
#include <cmath>
#include <numbers>

using namespace outlay::gui;

namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

constexpr Matrix Normal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix RedBlind{{{0.152286, 1.052583, -0.204868},
                           {0.114503, 0.786281, 0.099216},
                           {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix GreenBlind{{{0.367322, 0.860646, -0.227968},
                             {0.280085, 0.672501, 0.047413},
                             {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix BlueBlind{{{1.255528, -0.076749, -0.178779},
                            {-0.078411, 0.930809, 0.147602},
                            {0.004733, 0.691367, 0.303900}}};

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

Triple times(const Matrix& m, const Triple& v)
{
    Triple out{};
    for (std::size_t i = 0; i < 3; ++i)
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    return out;
}

Triple linearRgb(const QColor& c)
{
    return {linear(static_cast<double>(c.redF())), linear(static_cast<double>(c.greenF())),
            linear(static_cast<double>(c.blueF()))};
}

double luminance(const QColor& c)
{
    const Triple rgb = linearRgb(c);
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

double contrast(const QColor& a, const QColor& b)
{
    const double low = std::min(luminance(a), luminance(b));
    const double high = std::max(luminance(a), luminance(b));
    return (high + 0.05) / (low + 0.05);
}

Triple labOf(const QColor& colour, const Matrix& sight)
{
    Triple rgb = times(sight, linearRgb(colour));
    for (double& channel : rgb)
        channel = std::clamp(channel, 0.0, 1.0);
    const Matrix toXyz{{{0.4124564, 0.3575761, 0.1804375},
                        {0.2126729, 0.7151522, 0.0721750},
                        {0.0193339, 0.1191920, 0.9503041}}};
    const Triple white{0.95047, 1.0, 1.08883};
    Triple f = times(toXyz, rgb);
    for (std::size_t i = 0; i < 3; ++i) {
        const double t = f[i] / white[i];
        f[i] = t > 0.008856451679 ? std::cbrt(t) : 7.787037037 * t + 16.0 / 116;
    }
    return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

double radians(double degrees)
{
    return degrees * std::numbers::pi / 180;
}

double hueOf(double b, double a)
{
    const double degrees = std::atan2(b, a) * 180 / std::numbers::pi;
    return degrees < 0 ? degrees + 360 : degrees;
}

/// CIEDE2000, after Sharma, Wu and Dalal 2005.
double difference(const Triple& x, const Triple& y)
{
    const double chroma = (std::hypot(x[1], x[2]) + std::hypot(y[1], y[2])) / 2;
    const double c7 = std::pow(chroma, 7);
    const double g = 0.5 * (1 - std::sqrt(c7 / (c7 + std::pow(25.0, 7))));
    const double a1 = (1 + g) * x[1];
    const double a2 = (1 + g) * y[1];
    const double c1 = std::hypot(a1, x[2]);
    const double c2 = std::hypot(a2, y[2]);
    const double h1 = hueOf(x[2], a1);
    const double h2 = hueOf(y[2], a2);
    double dh = h2 - h1;
    double mean = (h1 + h2) / 2;
    if (std::abs(dh) > 180) {
        mean += mean < 180 ? 180 : -180;
        dh += dh > 0 ? -360 : 360;
    }
    const double dL = y[0] - x[0];
    const double dC = c2 - c1;
    const double dH = 2 * std::sqrt(c1 * c2) * std::sin(radians(dh) / 2);
    const double l = (x[0] + y[0]) / 2 - 50;
    const double c = (c1 + c2) / 2;
    const double t = 1 - 0.17 * std::cos(radians(mean - 30)) + 0.24 * std::cos(radians(2 * mean)) +
                     0.32 * std::cos(radians(3 * mean + 6)) -
                     0.20 * std::cos(radians(4 * mean - 63));
    const double sL = 1 + 0.015 * l * l / std::sqrt(20 + l * l);
    const double sC = 1 + 0.045 * c;
    const double sH = 1 + 0.015 * c * t;
    const double m7 = std::pow(c, 7);
    const double turn = 60 * std::exp(-std::pow((mean - 275) / 25, 2));
    const double rT = -2 * std::sqrt(m7 / (m7 + std::pow(25.0, 7))) * std::sin(radians(turn));
    const double pL = dL / sL;
    const double pC = dC / sC;
    const double pH = dH / sH;
    return std::sqrt(pL * pL + pC * pC + pH * pH + rT * pC * pH);
}

} // namespace

class TestPalette : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // The test's own arithmetic: published pairs.
    void theFormulasAreRight()
    {
        QVERIFY(std::abs(contrast(Qt::black, Qt::white) - 21) < 1e-6);
        QVERIFY(std::abs(difference({50, 2.6772, -79.7751}, {50, 0, -82.7485}) - 2.0425) < 1e-4);
        QVERIFY(std::abs(difference({2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}) -
                         0.9082) < 1e-4);
    }

    void textAndMarksCanBeRead_data()
    {
        QTest::addColumn<QColor>("colour");
        QTest::addColumn<QColor>("ground");
        QTest::addColumn<double>("least");
        constexpr double Text = 4.5;
        constexpr double Mark = 3;
        for (const Tokens* t : {&lightTokens(), &darkTokens()}) {
            const auto row = [&](const char* name, const QColor& colour, const QColor& ground,
                                 double least) {
                QTest::addRow("%s %s", t->isDark ? "dark" : "light", name)
                    << colour << ground << least;
            };
            row("text on card", t->text, t->card, Text);
            row("text on window", t->text, t->window, Text);
            row("secondary on card", t->secondary, t->card, Text);
            row("secondary on window", t->secondary, t->window, Text);
            row("disabled on card", t->disabled, t->card, Text);
            row("accent on card", t->accent, t->card, Text);
            row("on accent", t->onAccent, t->accent, Text);
            row("bad on card", t->bad, t->card, Text);
            row("good on card", t->good, t->card, Text);
            row("caution on card", t->caution, t->card, Text);
            row("border on card", t->inputBorder, t->card, Mark);
            row("border on window", t->inputBorder, t->window, Mark);
            for (const QColor& series : t->series)
                row(qPrintable(series.name()), series, t->card, Mark);
            row("rest on card", t->rest, t->card, Mark);
            row("number on rest", textOn(t->rest), t->rest, Text);
            for (const QColor& series : t->series)
                row(qPrintable("number on " + series.name()), textOn(series), series, Text);
        }
    }
    void textAndMarksCanBeRead()
    {
        QFETCH(QColor, colour);
        QFETCH(QColor, ground);
        QFETCH(double, least);
        const double found = contrast(colour, ground);
        QVERIFY2(found >= least, qPrintable(QString::number(found)));
    }

    void seriesCanBeToldApart_data()
    {
        QTest::addColumn<bool>("isDark");
        QTest::addColumn<int>("sight");
        for (const bool isDark : {false, true}) {
            for (int sight = 0; sight < 4; ++sight)
                QTest::addRow("%s %d", isDark ? "dark" : "light", sight) << isDark << sight;
        }
    }
    void seriesCanBeToldApart()
    {
        QFETCH(bool, isDark);
        QFETCH(int, sight);
        constexpr std::array Sights{Normal, RedBlind, GreenBlind, BlueBlind};
        constexpr double Least = 15;
        const Tokens& t = isDark ? darkTokens() : lightTokens();
        const Matrix& m = Sights.at(static_cast<std::size_t>(sight));
        for (std::size_t i = 0; i < t.series.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const double found = difference(labOf(t.series[i], m), labOf(t.series[j], m));
                QVERIFY2(found >= Least,
                         qPrintable(QStringLiteral("%1 and %2: %3").arg(i).arg(j).arg(found)));
            }
        }
    }

    void palettesLeadBackToTheirTokens()
    {
        QVERIFY(!tokensOf(paletteOf(lightTokens())).isDark);
        QVERIFY(tokensOf(paletteOf(darkTokens())).isDark);
    }
};

OUTLAY_TEST(TestPalette)
#include "tst_palette.moc"
