# SPDX-FileCopyrightText: 2026 The Outlay authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An ordinary training of a small text generator: an LSTM over made-up text."""
import torch
from torch import nn

from training import train

VOCABULARY = 2000


class Generator(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.embed = nn.Embedding(VOCABULARY, hidden)
        self.lstm = nn.LSTM(hidden, hidden, num_layers=2, batch_first=True)
        self.out = nn.Linear(hidden, VOCABULARY)

    def forward(self, text):
        states, _ = self.lstm(self.embed(text))
        return self.out(states).transpose(1, 2)


def batch():
    text = torch.randint(VOCABULARY, (32, 51))
    return text[:, :-1], text[:, 1:]


train(Generator(100), batch, nn.CrossEntropyLoss())
