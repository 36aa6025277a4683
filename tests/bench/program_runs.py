# SPDX-FileCopyrightText: 2026 The Outlay authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How well `outlay run` forecasts a real training from a part of it, beside a slice of the run itself as long; and
how much longer a program takes under it.

    program_runs.py OUTLAY forecast [--rounds 10] [--seconds 30] [--steps 5700]
    program_runs.py OUTLAY overhead [--rounds 20] [--steps 60]

Takes a Python with torch (`--python`), and long: rounds x (seconds + the run).
"""
import argparse
import json
import os
import random
import statistics
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(ROOT, "tests", "programs", "text_generator.py")
ENVIRONMENT = dict(os.environ, PYTHONPATH=os.path.join(ROOT, "packaging"))


def quietly(command):
    begin = time.monotonic()
    done = subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return time.monotonic() - begin, done.stdout


def forecast(given, folder):
    experiment = os.path.join(folder, "design.json")
    quietly([given.outlay, "new", "--preset", "text-generator", "-o", experiment])
    errors, slices, held = [], [], 0
    print("source  forecast s   80 % interval       took s   error %   slice's %")
    for round_ in range(given.rounds):
        lines = ["--lines"] if round_ % 2 else []
        program = [given.python, PROGRAM, "--steps", str(given.steps)] + lines
        place = os.path.join(folder, "said.json")
        quietly([given.outlay, "run", "--seconds", str(given.seconds), "--json", place, "-o",
                 os.path.join(folder, "copy.json"), experiment, "--"] + program)
        said = json.load(open(place))["program"]
        times = os.path.join(folder, "times")
        took, _ = quietly(program + ["--times", times])
        at = [float(line) for line in open(times)]
        misses = []
        for _ in range(200):  # what a slice as long says of all
            begin = random.uniform(0, at[-1] - given.seconds)
            inside = [t for t in at if begin <= t < begin + given.seconds]
            misses.append(abs((inside[-1] - inside[0]) / (len(inside) - 1) * given.steps / took - 1))
        errors.append(abs(said["whole_s"] / took - 1))
        slices.append(statistics.median(misses))
        held += said["low_s"] <= took <= said["high_s"]
        print(f"{'lines' if lines else 'bar':6}  {said['whole_s']:10.1f}   {said['low_s']:7.1f} to {said['high_s']:7.1f}  "
              f"{took:8.1f}  {100 * errors[-1]:8.1f}  {100 * slices[-1]:10.1f}", flush=True)
    print(f"median error {100 * statistics.median(errors):.1f} %, of a slice {100 * statistics.median(slices):.1f} %; "
          f"the interval held {held} of {given.rounds}")


def overhead(given, _):
    program = [given.python, PROGRAM, "--steps", str(given.steps)]
    ratios = []
    for round_ in range(given.rounds):
        ways = [program, [given.outlay, "run", "--whole", "--"] + program]
        took = {}
        for way in ways if round_ % 2 else reversed(ways):  # whoever comes second finds another machine
            took[len(way)], _ = quietly(way)
        ratios.append(took[len(ways[1])] / took[len(ways[0])])
    ratios.sort()
    print(f"under `outlay run` over alone, {given.rounds} rounds: median {statistics.median(ratios):.4f}, "
          f"quarters {ratios[len(ratios) // 4]:.4f} to {ratios[3 * len(ratios) // 4]:.4f}")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("outlay")
    options.add_argument("what", choices=["forecast", "overhead"])
    options.add_argument("--rounds", type=int, default=10)
    options.add_argument("--seconds", type=float, default=30)
    options.add_argument("--steps", type=int, default=5700)
    options.add_argument("--python", default="/usr/bin/python3")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        {"forecast": forecast, "overhead": overhead}[given.what](given, folder)


main()
