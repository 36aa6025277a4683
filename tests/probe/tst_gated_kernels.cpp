// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's kernels at each width of vectors: against the standard library where numbers are large,
// small or next to each other.
#include "core/probe/engine/gated_kernels.h"
#include "core/probe/engine/gemm.h"
#include "core/probe/engine/simd.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <limits>
#include <QTest>
#include <random>

using namespace outlay::worker;

namespace {

constexpr std::array<Vectors, 3> Widths{Vectors::Bytes16, Vectors::Bytes32, Vectors::Bytes64};

template <typename Real>
void compareSigmoid()
{
    constexpr auto Epsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());
    std::vector<Real> arguments;
    for (double x = -100; x <= 100; x += 0.0625)
        arguments.push_back(static_cast<Real>(x));
    for (const double x : {1e3, 1e9, 1e30, 1e-30, 0.0})
        arguments.insert(arguments.end(), {static_cast<Real>(x), static_cast<Real>(-x)});
    arguments.resize((arguments.size() + 15) / 16 * 16);
    const auto count = static_cast<std::int64_t>(arguments.size());
    for (const Vectors width : Widths) {
        limitVectors(width);
        std::vector<Real> values = arguments;
        sigmoid<Real>({1, 0, 0, count}, values.data());
        std::vector<Real> slopes(values.size(), Real(1));
        sigmoidBackward<Real>({1, 0, 0, count}, values.data(), slopes.data());
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double x = static_cast<double>(arguments[i]);
            const double expected = 1 / (1 + std::exp(-x));
            const double y = static_cast<double>(values[i]);
            QVERIFY2(std::abs(y - expected) <= 4 * Epsilon * expected + 2e-35,
                     std::to_string(x).c_str());
            QVERIFY(std::abs(static_cast<double>(slopes[i]) - y * (1 - y)) <= Epsilon);
        }
    }
}

/// Rows of logits that are far apart, and their loss and gradients in double.
template <typename Real>
void compareCrossEntropy(double spread)
{
    constexpr std::int64_t Width = 48;
    constexpr std::int64_t Rows = 7;
    constexpr auto Epsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());
    std::mt19937_64 random(3);
    std::normal_distribution<double> number(0, spread);
    std::vector<Real> logits(Width * Rows);
    std::vector<Real> bias(Width);
    for (Real& x : logits)
        x = static_cast<Real>(number(random));
    for (Real& x : bias)
        x = static_cast<Real>(number(random));
    std::fill(bias.end() - 5, bias.end(), Real(-1e30F)); // tokens that don't exist
    const std::vector<std::int64_t> targets{0, 1, 42, 17, 5, 5, 30};
    for (const Vectors width : Widths) {
        limitVectors(width);
        std::vector<Real> gradients = logits;
        const SoftmaxRows<Real> rows{Width, bias.data(), Real(0.25)};
        const double loss = crossEntropy<Real>(rows, targets, gradients.data());
        double expected = 0;
        for (std::size_t r = 0; r < Rows; ++r) {
            const auto logit = [&](std::size_t i) {
                return static_cast<double>(logits[r * Width + i] + bias[i]);
            };
            double sum = 0;
            for (std::size_t i = 0; i < Width; ++i)
                sum += std::exp(logit(i));
            const auto target = static_cast<std::size_t>(targets[r]);
            expected += std::log(sum) - logit(target);
            for (std::size_t i = 0; i < Width; ++i) {
                const double gradient =
                    0.25 * (std::exp(logit(i)) / sum - (i == target ? 1.0 : 0.0));
                const double actual = static_cast<double>(gradients[r * Width + i]);
                QVERIFY(std::abs(actual - gradient) <= (8 + 2 * spread) * Epsilon);
            }
        }
        QVERIFY(std::abs(loss - expected) <= 40 * Epsilon * (1 + expected));
    }
}

template <typename Real>
void compareProducts()
{
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> number(-1, 1);
    const auto some = [&](std::int64_t count) {
        std::vector<Real> values(static_cast<std::size_t>(count));
        for (Real& x : values)
            x = static_cast<Real>(number(random));
        return values;
    };
    const auto element = [](const Matrix<Real>& m, std::int64_t row, std::int64_t column) {
        return static_cast<double>(m.isTransposed ? m.data[column * m.stride + row]
                                                  : m.data[row * m.stride + column]);
    };
    constexpr std::int64_t Rows = 5;
    constexpr std::int64_t Columns = 3;
    constexpr std::int64_t Inner = 7;
    const std::vector<Real> left = some(100);
    const std::vector<Real> right = some(100);
    for (const bool isLeft : {false, true}) {
        for (const bool isRight : {false, true}) {
            for (const Result result : {Result::Set, Result::Add}) {
                const Matrix<Real> a{left.data(), 9, isLeft};
                const Matrix<Real> b{right.data(), 8, isRight};
                const std::vector<Real> before = some(Rows * 4);
                std::vector<Real> to = before;
                multiply<Real>({Rows, Columns, Inner}, a, b, result, to.data(), 4);
                for (std::int64_t i = 0; i < Rows * 4; ++i) {
                    const auto at = static_cast<std::size_t>(i);
                    double expected = static_cast<double>(before[at]);
                    if (i % 4 < Columns) { // what lies between the rows stays
                        expected = result == Result::Add ? expected : 0;
                        for (std::int64_t k = 0; k < Inner; ++k)
                            expected += element(a, i / 4, k) * element(b, k, i % 4);
                    }
                    QVERIFY(std::abs(static_cast<double>(to[at]) - expected) <
                            10.0 * static_cast<double>(std::numeric_limits<Real>::epsilon()));
                }
            }
        }
    }
}

} // namespace

class TestGatedKernels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { limitVectors(Vectors::Bytes64); }

    void sigmoidIsNeverWrongNorNan()
    {
        compareSigmoid<float>();
        compareSigmoid<double>();
    }

    void crossEntropyHoldsForAnyLogits()
    {
        for (const double spread : {0.01, 1.0, 20.0}) {
            compareCrossEntropy<float>(spread);
            compareCrossEntropy<double>(spread);
        }
    }

    void productsTakeEveryLayout()
    {
        for (const GemmLibrary best : {GemmLibrary::None, GemmLibrary::Blas, GemmLibrary::OneDnn}) {
            limitLibraries(best);
            compareProducts<float>();
            compareProducts<double>();
        }
    }

    void sumsRows()
    {
        constexpr std::int64_t Width = 112; // no whole number of the widest blocks
        for (const Vectors width : Widths) {
            limitVectors(width);
            for (const std::int64_t rows : {0, 1, 15, 16, 17, 100}) {
                std::vector<float> values(static_cast<std::size_t>(rows * Width));
                std::vector<float> expected(Width, 1.0F);
                for (std::size_t i = 0; i < values.size(); ++i) {
                    values[i] = static_cast<float>(i % 19);
                    expected[i % Width] += values[i];
                }
                std::vector<float> sums(Width, 1.0F);
                sumRows<float>({rows, Width, values.data()}, sums.data());
                QCOMPARE(sums, expected);
                if (rows > 0) {
                    std::vector<double> once(Width, 0.5);
                    addRow<float>(Width, values.data(), once.data());
                    for (std::size_t i = 0; i < Width; ++i)
                        QCOMPARE(once[i], 0.5 + static_cast<double>(values[i]));
                }
            }
        }
    }

    void projectsARow()
    {
        for (const Vectors width : Widths) {
            limitVectors(width);
            constexpr std::int64_t Width = 112; // no whole number of the widest blocks
            std::vector<float> matrix(3 * Width);
            for (std::size_t i = 0; i < matrix.size(); ++i)
                matrix[i] = static_cast<float>(i % 17);
            const std::vector<float> bias(Width, 2.0F);
            std::vector<float> to(Width);
            project<float>({3, Width}, std::array<float, 3>{1, 2, 3}.data(), matrix.data(),
                           bias.data(), to.data());
            for (std::size_t i = 0; i < Width; ++i)
                QCOMPARE(to[i], 2 + matrix[i] + 2 * matrix[Width + i] + 3 * matrix[2 * Width + i]);
        }
    }

    void findsTheFirstOfTheLargest()
    {
        std::vector<double> logits(64, -1.0);
        for (const Vectors width : Widths) {
            limitVectors(width);
            QCOMPARE(likeliest<double>(64, logits.data()), std::int64_t{0});
            for (const std::size_t at : {63U, 31U, 30U, 0U}) {
                logits[at] = 5;
                QCOMPARE(likeliest<double>(64, logits.data()), static_cast<std::int64_t>(at));
            }
            std::fill(logits.begin(), logits.end(), -1.0);
        }
    }
};

OUTLAY_TEST(TestGatedKernels)
#include "tst_gated_kernels.moc"
