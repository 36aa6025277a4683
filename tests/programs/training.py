# SPDX-FileCopyrightText: 2026 The Outlay authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The loop of an ordinary training, which tells its steps in one of the ways that people have."""
import argparse
import json
import os
import struct
import sys
import time

import torch


class Bar:
    """On standard error, as tqdm draws it."""

    def __init__(self, steps):
        self.of, self.begin = steps, time.monotonic()

    def done(self, step, loss):
        rate = step / (time.monotonic() - self.begin)
        print(f"\r{100 * step // self.of:3d}%|{'#' * (20 * step // self.of):20s}| "
              f"{step}/{self.of} [{rate:.2f}it/s, loss={loss:.3f}]", end="", file=sys.stderr, flush=True)


class Lines:
    def __init__(self, steps):
        import outlay_steps
        self.steps = outlay_steps.Steps(of=steps)

    def done(self, step, _):
        self.steps.done(step)


def varint(value):
    text = b""
    while value >= 128:
        text += bytes([value & 127 | 128])
        value >>= 7
    return text + bytes([value])


class Events:
    """TensorBoard's records, every tenth step; their checksums are left empty."""

    def __init__(self, _):
        os.makedirs("runs", exist_ok=True)
        self.file = open(f"runs/events.out.tfevents.{int(time.time())}.here", "ab")

    def done(self, step, loss):
        if step % 10 == 0:
            value = b"\x0a\x04loss\x15" + struct.pack("<f", loss)
            summary = b"\x0a" + varint(len(value)) + value
            event = b"\x09" + struct.pack("<d", time.time()) + b"\x10" + varint(step)
            event += b"\x2a" + varint(len(summary)) + summary
            self.file.write(struct.pack("<Q", len(event)) + bytes(4) + event + bytes(4))
            self.file.flush()


class Metrics:
    """MLflow's file of a metric, every tenth step."""

    def __init__(self, _):
        folder = f"mlruns/0/run{os.getpid()}/metrics"
        os.makedirs(folder)
        self.file = open(folder + "/loss", "a")

    def done(self, step, loss):
        if step % 10 == 0:
            print(int(1000 * time.time()), loss, step, file=self.file, flush=True)


class Checkpoints:
    """Every fiftieth step a state, as Transformers keep it."""

    def __init__(self, steps):
        self.of, self.log = steps, []

    def done(self, step, loss):
        self.log.append({"loss": loss, "step": step})
        if step % 50 == 0:
            folder = f"out{os.getpid()}/checkpoint-{step}"
            os.makedirs(folder)
            with open(folder + "/trainer_state.json", "w") as file:
                json.dump({"global_step": step, "max_steps": self.of, "log_history": self.log}, file)


WAYS = {"bar": Bar, "lines": Lines, "events": Events, "metrics": Metrics, "checkpoints": Checkpoints}


def train(model, batch_of, loss_of):
    """`batch_of()` gives inputs and targets; the model is validated now and then."""
    options = argparse.ArgumentParser()
    options.add_argument("--steps", type=int, default=1000)
    options.add_argument("--validate-every", type=int, default=200)
    options.add_argument("--tell", choices=WAYS, default="bar")
    options.add_argument("--times", help="write the seconds since the start at each step to that file")
    given = options.parse_args()
    begin = time.monotonic()
    torch.manual_seed(1)
    optimizer = torch.optim.Adam(model.parameters())
    told = WAYS[given.tell](given.steps)
    times = []
    for step in range(1, given.steps + 1):
        inputs, targets = batch_of()
        optimizer.zero_grad()
        loss = loss_of(model(inputs), targets)
        loss.backward()
        optimizer.step()
        times.append(time.monotonic() - begin)
        told.done(step, loss.item())
        if step % given.validate_every == 0:
            with torch.no_grad():
                for _ in range(20):
                    model(batch_of()[0])
    print(file=sys.stderr)
    if given.times:
        with open(given.times, "w") as file:
            file.writelines(f"{t}\n" for t in times)
