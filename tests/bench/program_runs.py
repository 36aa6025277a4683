# SPDX-FileCopyrightText: 2026 The Outlay authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How well `outlay run` forecasts real trainings from a part of them, told in each way, beside a slice of the run itself
as long; and how much longer a program takes under it.

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
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = {"text_generator": 1, "small_gpt": 2.2}  # how many steps in the same time
WAYS = ["bar", "lines", "events", "metrics", "checkpoints"]
ENVIRONMENT = dict(os.environ, PYTHONPATH=os.path.join(ROOT, "packaging"))


def command(given, name, *more):
    steps = round(given.steps * PROGRAMS[name])
    return steps, [given.python, os.path.join(ROOT, "tests", "programs", name + ".py"), "--steps", str(steps), *more]


def quietly(command, folder):
    begin = time.monotonic()
    done = subprocess.run(command, env=ENVIRONMENT, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=True)
    return time.monotonic() - begin, done.stdout


def slice_misses(at, took, given, steps):
    """What slices of the run as long as what was watched say of all of it."""
    misses = []
    for _ in range(200):
        begin = random.uniform(0, at[-1] - given.seconds)
        inside = [t for t in at if begin <= t < begin + given.seconds]
        misses.append(abs((inside[-1] - inside[0]) / (len(inside) - 1) * steps / took - 1))
    return statistics.median(misses)


def forecast(given, folder):
    quietly([given.outlay, "new", "--preset", "text-generator", "-o", "design.json"], folder)
    errors, slices, held = [], [], 0
    print("program         told by      forecast s   80 % interval       took s   error %   slice's %")
    for round_ in range(given.rounds):
        name, way = list(PROGRAMS)[round_ % 2], WAYS[round_ % len(WAYS)]
        steps, program = command(given, name, "--tell", way)
        quietly([given.outlay, "run", "--seconds", str(given.seconds), "--of", str(steps), "--json", "said.json",
                 "-o", "copy.json", "design.json", "--"] + program, folder)
        with open(os.path.join(folder, "said.json")) as file:
            said = json.load(file)["program"]
        took, _ = quietly(program + ["--times", "times"], folder)
        with open(os.path.join(folder, "times")) as file:
            at = [float(line) for line in file]
        errors.append(abs(said["whole_s"] / took - 1))
        slices.append(slice_misses(at, took, given, steps))
        held += said["low_s"] <= took <= said["high_s"]
        print(f"{name:14}  {way:11}  {said['whole_s']:10.1f}   {said['low_s']:7.1f} to {said['high_s']:7.1f}  "
              f"{took:8.1f}  {100 * errors[-1]:8.1f}  {100 * slices[-1]:10.1f}", flush=True)
    print(f"median error {100 * statistics.median(errors):.1f} %, of a slice {100 * statistics.median(slices):.1f} %; "
          f"the interval held {held} of {given.rounds}")


def timed_on(core, command, folder):
    """Started on one core, with all that it starts: the way to wait for it, which says how long it took."""
    begin = time.monotonic()
    running = subprocess.Popen(["taskset", "-c", str(core)] + command, env=ENVIRONMENT, cwd=folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def wait(took):
        if running.wait() == 0:
            took.append(time.monotonic() - begin)

    took = []
    waiter = threading.Thread(target=wait, args=[took])
    waiter.start()
    return waiter, took


def overhead(given, folder):
    """Both at once, each on one core, which they change each round (an even number of them): what slows the machine
    slows both, and what Outlay itself computes is on the core of what it watches."""
    _, program = command(given, "text_generator")
    ways = [program, [given.outlay, "run", "--whole", "--"] + program]
    cores, ratios = sorted(os.sched_getaffinity(0))[:2], []
    for round_ in range(given.rounds):
        begun = [timed_on(cores[(way + round_) % 2], ways[way], folder) for way in (0, 1)]
        for waiter, _ in begun:
            waiter.join()
        if not all(took for _, took in begun):
            raise SystemExit("the program failed")
        (_, [alone]), (_, [under]) = begun
        ratios.append(under / alone)
        print(f"alone {alone:7.3f} s, under it {under:7.3f} s", flush=True)
    pairs = sorted((a * b) ** 0.5 for a, b in zip(ratios[0::2], ratios[1::2]))
    print(f"under `outlay run` over alone, {given.rounds} rounds: median of pairs {statistics.median(pairs):.4f}, "
          f"quarters {pairs[len(pairs) // 4]:.4f} to {pairs[3 * len(pairs) // 4]:.4f}, "
          f"all together {statistics.geometric_mean(ratios):.4f}")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("outlay")
    options.add_argument("what", choices=["forecast", "overhead"])
    options.add_argument("--rounds", type=int, default=10)
    options.add_argument("--seconds", type=float, default=30)
    options.add_argument("--steps", type=int, default=5700)
    options.add_argument("--python", default="/usr/bin/python3")
    given = options.parse_args()
    given.outlay = os.path.abspath(given.outlay)
    with tempfile.TemporaryDirectory() as folder:
        {"forecast": forecast, "overhead": overhead}[given.what](given, folder)


main()
