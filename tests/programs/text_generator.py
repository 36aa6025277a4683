# SPDX-FileCopyrightText: 2026 The Outlay authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An ordinary training of a small text generator: an LSTM over made-up text, with a bar on standard error."""
import argparse
import sys
import time

import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self, vocabulary, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, hidden)
        self.lstm = nn.LSTM(hidden, hidden, num_layers=2, batch_first=True)
        self.out = nn.Linear(hidden, vocabulary)

    def forward(self, text):
        states, _ = self.lstm(self.embed(text))
        return self.out(states)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--steps", type=int, default=1000)
    options.add_argument("--validate-every", type=int, default=200)
    options.add_argument("--lines", action="store_true", help="tell steps by outlay_steps instead of a bar")
    options.add_argument("--times", help="write the seconds since the start at each step to that file")
    given = options.parse_args()
    begin = time.monotonic()
    torch.manual_seed(1)
    model = Generator(2000, 100)
    optimizer = torch.optim.Adam(model.parameters())
    loss_of = nn.CrossEntropyLoss()
    steps = None
    if given.lines:
        import outlay_steps
        steps = outlay_steps.Steps(of=given.steps)
    times = []
    for step in range(1, given.steps + 1):
        text = torch.randint(2000, (32, 51))
        optimizer.zero_grad()
        loss = loss_of(model(text[:, :-1]).reshape(-1, 2000), text[:, 1:].reshape(-1))
        loss.backward()
        optimizer.step()
        times.append(time.monotonic() - begin)
        if steps is not None:
            steps.done()
        else:
            rate = step / times[-1]
            print(f"\r{100 * step // given.steps:3d}%|{'#' * (20 * step // given.steps):20s}| "
                  f"{step}/{given.steps} [{rate:.2f}it/s, loss={loss.item():.3f}]",
                  end="", file=sys.stderr, flush=True)
        if step % given.validate_every == 0:
            with torch.no_grad():
                for _ in range(20):
                    model(torch.randint(2000, (32, 50)))
    print(file=sys.stderr)
    if given.times:
        with open(given.times, "w") as file:
            file.writelines(f"{t}\n" for t in times)


main()
