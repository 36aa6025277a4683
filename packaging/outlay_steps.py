# SPDX-FileCopyrightText: 2026 The Outlay authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells `outlay run` how far a training is; does nothing where it isn't run by that.

A plain loop:

    with outlay_steps.Steps(of=epochs * len(loader)) as steps:
        for batch in loader: ...; steps.done()

Transformers: Trainer(..., callbacks=[outlay_steps.transformers()])
Lightning:    Trainer(..., callbacks=[outlay_steps.lightning()])
Keras:        model.fit(..., callbacks=[outlay_steps.keras(of=epochs * batches)])
"""
import json
import os


def _descriptor():
    """The pipe that the environment names, if it was handed on; another file may have its number by now."""
    number, _, inode = os.environ.get("OUTLAY_STEPS_FD", "").partition(":")
    try:
        return int(number) if os.fstat(int(number)).st_ino == int(inode) else None
    except (OSError, ValueError):
        return None


def _whole(number):
    """As an int, whatever kind of number it is; None where it is none, or has no end."""
    try:
        return int(number)
    except (TypeError, ValueError, OverflowError):
        return None


class Steps:
    """Writes a line for each step."""

    def __init__(self, of=None):
        self.of, self.step = _whole(of), 0
        self.descriptor = _descriptor()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def done(self, step=None):
        self.step = self.step + 1 if step is None else _whole(step)
        if self.descriptor is None:
            return
        line = {"step": self.step} if self.of is None else {"step": self.step, "of": self.of}
        try:
            os.write(self.descriptor, json.dumps(line).encode() + b"\n")
        except OSError:  # nobody listens any more
            self.descriptor = None


def transformers():
    from transformers import TrainerCallback

    class Callback(TrainerCallback):
        def on_train_begin(self, args, state, control, **more):
            self.steps = Steps(of=state.max_steps)

        def on_step_end(self, args, state, control, **more):
            self.steps.done(state.global_step)

    return Callback()


def lightning():
    from lightning.pytorch.callbacks import Callback as Base

    class Callback(Base):
        def on_train_start(self, trainer, module):
            self.steps = Steps(of=trainer.estimated_stepping_batches)

        def on_train_batch_end(self, trainer, module, *more):
            if trainer.global_step > self.steps.step:
                self.steps.done(trainer.global_step)

    return Callback()


def keras(of=None):
    from keras.callbacks import Callback as Base

    class Callback(Base):
        def __init__(self):
            super().__init__()
            self.steps = Steps(of=of)

        def on_train_batch_end(self, batch, logs=None):
            self.steps.done()

    return Callback()
