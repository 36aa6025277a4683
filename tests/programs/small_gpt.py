# SPDX-FileCopyrightText: 2026 The Outlay authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An ordinary training of a small GPT over made-up text."""
import torch
from torch import nn

from training import train

VOCABULARY, LENGTH, WIDTH, HEADS, BLOCKS = 512, 64, 96, 4, 3


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(2))
        self.attention = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)
        self.wide = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))
        self.register_buffer("later", torch.ones(LENGTH, LENGTH, dtype=torch.bool).triu(1))

    def forward(self, x):
        y = self.norms[0](x)
        x = x + self.attention(y, y, y, attn_mask=self.later, need_weights=False)[0]
        return x + self.wide(self.norms[1](x))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Parameter(torch.zeros(LENGTH, WIDTH))
        self.blocks = nn.Sequential(*(Block() for _ in range(BLOCKS)))
        self.norm = nn.LayerNorm(WIDTH)

    def forward(self, text):
        states = self.norm(self.blocks(self.words(text) + self.places))
        return (states @ self.words.weight.T).transpose(1, 2)


def batch():
    text = torch.randint(VOCABULARY, (16, LENGTH + 1))
    return text[:, :-1], text[:, 1:]


train(Gpt(), batch, nn.CrossEntropyLoss())
